package gnufind_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/gnufind"
)

// options are those of a tree with the paths . and src. Flags of ldx are -e, which has a value,
// and any other.
func options() gnufind.Options {
	return gnufind.Options{
		Name: "ldx",
		Own: func(args []string) int {
			switch {
			case !strings.HasPrefix(args[0], "-"):
				return 0
			case args[0] == "-e":
				return min(2, len(args))
			case strings.HasSuffix(args[0], "x"):
				if end := slices.Index(args, ";"); end >= 0 {
					return end + 1
				}
				return len(args)
			}
			return 1
		},
		Exists:   func(path string) bool { return path == "." || path == "src" },
		Absolute: func(p string) string { return path.Join("/home/me", p) },
	}
}

// Lines with parts of ldx keep them, and do not ask for hidden and ignored files.
func TestMixed(t *testing.T) {
	for line, want := range map[string]string{
		"main -exec rm {} ;":               "ldx main -x rm",
		"main -type f":                     "ldx -t f main",
		"main src -mtime -1":               "ldx --changed-within 1d main src",
		"-e ts -mtime +1":                  "ldx -e ts --changed-before 2d",
		"-H . -name *.c -o -name *.h":      "ldx -H -s -g '*.c' --or '*.h'",
		"--no-ignore src -maxdepth 2":      "ldx --no-ignore -d 2 . src",
		"-name *.C -x rm {} ; src":         "ldx -g '*.C' src -x rm {} \\;",
		"-type f -Hx rm":                   "ldx -t f -Hx rm",
		"-type f -- -x src":                "ldx -t f -- -x src",
		"src -iname *.C":                   "ldx -u -i -g '*.C' src",
		"src -name *.C":                    "ldx -u -g '*.C' src",
		". -newer x -exec mv {} {}.bak ;":  "ldx -u --newer-than x -x mv {} {}.bak",
		". -type f -exec cp -t /tmp {} +":  "ldx -u -t f -X cp -t /tmp",
		". -type f -user me -ls":           "ldx -u -t f -o me -l",
		". ! -path */x/* -name a":          "ldx -u -E **/x/* -s -g a",
		". -path ./src/*":                  "ldx -u -s -p ^/home/me/src/",
		". -path */me/*":                   "ldx -u -s -p '^/home/me.*/me/'",
		". -atime +1 -cmin -5 -size +1M":   "ldx -u --accessed-before 2d --status-changed-within 5min -S '!-1mi'",
		". -newerat 2024-01-01 -links 2":   "ldx -u --accessed-within 2024-01-01 --links 2",
		". -not -user me -not -perm /0022": "ldx -u -o '!me' --perm '!/0022'",
	} {
		got, err := gnufind.Translate(strings.Fields(line), options())
		require.NoError(t, err, line)
		assert.Equal(t, strings.NewReplacer("'", "").Replace(want), strings.NewReplacer("'", "").Replace(got.Command), line)
	}
}

func TestIsWord(t *testing.T) {
	for _, word := range strings.Fields("-name -iname -type -path -regex -maxdepth -mindepth -mtime -mmin -newer -size " +
		"-perm -delete -exec -execdir -ok -print0 -prune -empty -not -newermt") {
		assert.True(t, gnufind.IsWord(word), word)
	}
	for _, word := range strings.Fields("-o -a -ls -uid -gid -e -tf -HI -l name --name --type - -- ! ( -newerxy") {
		assert.False(t, gnufind.IsWord(word), word)
	}
}

func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{
		". -name *.ts -o ( -type f -size +1k )", "-exec a {} ; -prune", "! ! -path */x/*", "-regex .*\\(a\\|[b\\)", "-printf %f\\n",
		"-name {[a -o",
		"( ( ( -name", "-size -1 -mtime +1 -newermt @1 -perm u+x", ". -path ./*/a -prune -o -print -e x -- -name",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, err := gnufind.Translate(strings.Split(line, " "), options())
		if err == nil && !strings.HasPrefix(got.Command, "ldx") {
			t.Fatalf("%q: %q", line, got.Command)
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("%q: an empty error", line)
		}
	})
}
