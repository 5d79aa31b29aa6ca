package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// duOnTerminal runs ldx du as an unprivileged user, with a terminal of some columns as its standard
// output and error, and returns the lines that appear there.
func duOnTerminal(t *testing.T, dir string, columns uint16, args ...string) []string {
	t.Helper()
	master, terminal := openTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	cmd := exec.Command("ldx", append([]string{"du", "--color=never"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, terminal, terminal
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	asNobody(cmd)
	_ = cmd.Run() // it fails where directories cannot be read
	require.NoError(t, terminal.Close())
	shown, _ := io.ReadAll(master) // EIO: the terminal is closed
	return strings.Split(strings.TrimSuffix(string(shown), "\r\n"), "\r\n")
}

// usageTree makes a tree with a long path, and a directory with many small files.
func usageTree(t *testing.T) string {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "one/two/three/four/a-file-with-a-rather-long-name.tar.gz", "top", "small/")
	require.NoError(t, os.WriteFile(dir+"/one/two/three/four/a-file-with-a-rather-long-name.tar.gz", make([]byte, 900_000), 0o644))
	require.NoError(t, os.WriteFile(dir+"/top", make([]byte, 300_000), 0o644))
	for i := range 30 {
		dirtest.Make(t, dir, fmt.Sprintf("small/%d", i))
	}
	return dir
}

// TestDuErrorsOnTerminal checks that errors take one line, and with --show-errors one each.
func TestDuErrorsOnTerminal(t *testing.T) {
	dir := usageTree(t)
	for i := range 5 {
		dirtest.Make(t, dir, fmt.Sprintf("locked%d/", i))
		require.NoError(t, os.Chmod(fmt.Sprintf("%s/locked%d", dir, i), 0))
	}
	errors := func(args ...string) (lines []string) {
		for _, line := range duOnTerminal(t, dir, 80, args...) {
			if strings.HasPrefix(line, "ldx: ") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	assert.Equal(t, []string{"ldx: 5 errors, permission denied for most; --show-errors lists them"}, errors())
	assert.Len(t, errors("--show-errors"), 5)
	assert.Equal(t, "ldx: nowhere: no such file or directory", strings.Replace(errors("nowhere")[0], "stat", "open", 1))
}

// TestDuNarrow checks that no line is longer than the screen is wide, whatever is shown, and that
// bars give way to the paths of the largest files.
func TestDuNarrow(t *testing.T) {
	dir := usageTree(t)
	const long = "one/two/three/four/a-file-with-a-rather-long-name.tar.gz"
	all := []string{"", "-a", "--tree", "--tree -d 2", "--top-files 3", "--top 3", "--by ext", "--by age", "--time", "-c", "--inodes"}
	for _, args := range all {
		for _, columns := range []uint16{30, 37, 60, 80, 120} {
			lines := duOnTerminal(t, dir, columns, strings.Fields(args)...)
			for _, line := range lines {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), int(columns), "%s: %s", args, line)
			}
			whole := slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, " "+long) })
			if args == "--top-files 3" {
				assert.Equal(t, int(columns) > len(long)+len("   880K 100.0% "), whole, "%d: %q", columns, lines)
				assert.Equal(t, columns > 80, strings.Contains(lines[0], "█"), "%d: %q", columns, lines)
			}
		}
	}
}

// TestDuDeepTree checks that a tree down to a level has the files that the whole tree has there.
func TestDuDeepTree(t *testing.T) {
	dir := usageTree(t)
	nodes := func(args ...string) (lines []string) {
		indent := -1 // of the first level
		for i, line := range duOnTerminal(t, dir, 80, args...) {
			before, name, _ := strings.Cut(line, "── ")
			if at := utf8.RuneCountInString(before); i == 1 {
				indent = at
			} else if i > 1 && at != indent {
				continue
			}
			lines = append(lines, strings.Fields(line)[0]+" "+name)
		}
		return lines
	}
	whole := nodes("--tree")
	require.Len(t, whole, 4)
	assert.Equal(t, whole, nodes("--tree", "-d", "1"))
	assert.Len(t, duOnTerminal(t, dir, 80, "--tree", "-d", "1"), 4)
	assert.Equal(t, whole[:1], nodes("--tree", "-d", "0"))
	assert.Equal(t, whole[:1], nodes("--tree", "-s"))
}

// TestDuColours compares with the colours of the search.
func TestDuColours(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "sub dir/x.go", "sub dir/deep/pic.png", "prog", "open/", "link -> prog", "broken -> nowhere", "to -> open", ".hidden")
	require.NoError(t, os.Chmod(dir+"/prog", 0o755))
	require.NoError(t, os.Chmod(dir+"/open", 0o777|os.ModeSticky))
	require.NoError(t, unix.Mkfifo(dir+"/pipe", 0o600))
	for _, colours := range []string{"", "di=34:ex=32:ln=target:or=31:*.png=35:tw=30;42:fi=90:pi=33", "di=0:ex=32"} {
		for _, follow := range [][]string{nil, {"-L"}} {
			lines := func(args ...string) []string {
				cmd := exec.Command("ldx", append(args, follow...)...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "LS_COLORS="+colours)
				if colours == "" {
					cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, "LS_COLORS=") })
				}
				out, _ := cmd.Output() // a broken link is an error of du -L
				return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			}
			want := map[string]string{}
			for _, line := range lines("-u", "--color=always", "--strip-cwd-prefix=never", "--trailing-slash=never") {
				want[painted(line)[0]] = painted(line)[1]
			}
			n := 0
			for _, line := range lines("du", "-a", "-l", "--color=always") {
				_, path, _ := strings.Cut(line, "\t")
				if shown := painted(path); shown[0] != "." {
					n++
					assert.Equal(t, want[shown[0]], shown[1], "%q %q %s", colours, follow, shown[0])
				}
			}
			assert.GreaterOrEqual(t, n, 9)
		}
	}
}

// painted returns a text without its escape sequences, and the colours of its characters.
func painted(line string) [2]string {
	text, colours, colour := "", "", ""
	for line != "" {
		if code := regexp.MustCompile("^\x1b\\[([0-9;]*)m").FindStringSubmatch(line); code != nil {
			colour, line = strings.TrimPrefix(code[1], "0"), line[len(code[0]):]
			continue
		}
		text, colours, line = text+line[:1], colours+"<"+colour+">", line[1:]
	}
	return [2]string{filepath.ToSlash(text), colours}
}
