package ignore

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// haveGit reports whether git is there to compare with. With
// LDX_REQUIRE_PEERS=1 a missing git fails the test.
func haveGit(t *testing.T) bool {
	t.Helper()
	_, err := exec.LookPath("git")
	if err != nil && os.Getenv("LDX_REQUIRE_PEERS") == "1" {
		t.Fatal("git is missing")
	}
	return err == nil && runtime.GOOS != "windows" // in Wine it is another system's
}

// silent returns an Ignorer without user rules that reports no errors.
func silent(t *testing.T) *Ignorer {
	t.Helper()
	ig, err := New(Options{Getenv: func(string) string { return "" }, Report: func(error) {}})
	require.NoError(t, err)
	return ig
}

// TestGitCases has cases from git's own tests (t0008-ignores.sh,
// t3001-ls-files-others-exclude.sh) and similar ones. Git must give the
// expected verdict first.
func TestGitCases(t *testing.T) {
	git := haveGit(t)
	for name, c := range map[string]struct {
		files map[string]string // rule files
		want  map[string]string // the verdict on each path; "" if no rule matches
	}{
		"t0008": {
			map[string]string{
				".gitignore":   "one\nignored-*\ntop-level-dir/\n",
				"a/.gitignore": "two*\n*three\n",
				"a/b/.gitignore": "four\nfive\n# this comment should affect the line numbers\nsix\nignored-dir/\n" +
					"# and so should this blank line:\n\n!on*\n!two\n",
				"a/b/ignored-dir/.gitignore": "seven\n",
				".git/info/exclude":          "per-repo\n",
			},
			map[string]string{
				"one":                   ".gitignore:1:one",
				"not-ignored":           "",
				"ignored-and-untracked": ".gitignore:2:ignored-*",
				"a/one":                 ".gitignore:1:one",
				"a/ignored-x":           ".gitignore:2:ignored-*",
				"a/3-three":             "a/.gitignore:2:*three",
				"a/three-not-this-one":  "",
				"a/b/one":               "a/b/.gitignore:8:!on*",
				"a/b/one one":           "a/b/.gitignore:8:!on*",
				"a/b/two":               "a/b/.gitignore:9:!two",
				"a/b/twooo":             "a/.gitignore:1:two*",
				"a/b/six":               "a/b/.gitignore:4:six",
				"a/b/per-repo":          ".git/info/exclude:1:per-repo",
				"a/b/ignored-dir/":      "a/b/.gitignore:5:ignored-dir/",
				"a/b/ignored-dir/foo":   "a/b/.gitignore:5:ignored-dir/",
				"a/b/ignored-dir/seven": "a/b/.gitignore:5:ignored-dir/",
				"top-level-dir/":        ".gitignore:3:top-level-dir/",
				"top-level-dir/one":     ".gitignore:3:top-level-dir/",
				"b/top-level-dir":       "", // a file
			},
		},
		"trailing whitespace": {
			map[string]string{".gitignore": "trailing   \nquoted\\ \\ \none 1 \\    \ntwo 2 \\\\\\\\ \n" +
				"three 3 \\\\ \nfour 4   \\ \nfive 5 \\ \\ \ntab\t\n"},
			map[string]string{
				"trailing":   ".gitignore:1:trailing",
				"quoted  ":   `.gitignore:2:quoted\ \ `,
				"one 1  ":    `.gitignore:3:one 1 \ `,
				`two 2 \\`:   `.gitignore:4:two 2 \\\\`,
				`three 3 \`:  `.gitignore:5:three 3 \\`,
				"four 4    ": `.gitignore:6:four 4   \ `,
				"five 5   ":  `.gitignore:7:five 5 \ \ `,
				"tab":        "",
				"tab\t":      ".gitignore:8:tab\t",
			},
		},
		"line ends": {
			map[string]string{
				".gitignore":   "\xef\xbb\xbfone\r\ntwo/\r\n#three\r\n\\#four\n!\\!five\r\n\\!six\r\n\r\nseven\r",
				"a/.gitignore": "\x00one\n\xef\xbb\xbftwo\nthree\x00x",
			},
			map[string]string{
				"one": ".gitignore:1:one", "two/": ".gitignore:2:two/", "#three": "", "#four": `.gitignore:4:\#four`,
				"!five": `.gitignore:5:!\!five`, "!six": `.gitignore:6:\!six`, "seven": ".gitignore:8:seven",
				"a/two": "", "a/three": "a/.gitignore:3:three",
			},
		},
		"anchors": {
			map[string]string{".gitignore": "/top\nsub/here\n**/deep\nall/**\n!all/but/\n/**/two\nx/**/y\n*/level\n/quirk**\n"},
			map[string]string{
				"top": ".gitignore:1:/top", "a/top": "", "sub/here": ".gitignore:2:sub/here", "a/sub/here": "",
				"deep": ".gitignore:3:**/deep", "a/b/deep": ".gitignore:3:**/deep", "all/x": ".gitignore:4:all/**",
				"all/but/": ".gitignore:5:!all/but/", "all/but/x": ".gitignore:4:all/**", "b/c/two": ".gitignore:6:/**/two",
				"x/y": ".gitignore:7:x/**/y", "x/a/b/y": ".gitignore:7:x/**/y", "level": "", "a/level": ".gitignore:8:*/level",
				"a/b/level": "", "quirky/x": ".gitignore:9:/quirk**", "a/quirky": "",
			},
		},
		"directories": {
			map[string]string{".gitignore": "*\n!*/\n!*.c\nbuild/\n!build/keep.c\n", "sub/.gitignore": "*.c\n"},
			map[string]string{
				"a.c": ".gitignore:3:!*.c", "a.o": ".gitignore:1:*", "d/": ".gitignore:2:!*/", "d/e/f.c": ".gitignore:3:!*.c",
				"build/keep.c": ".gitignore:4:build/", "sub/x.c": "sub/.gitignore:1:*.c",
			},
		},
		"nothing": {
			map[string]string{".gitignore": "!\n/\n//\n\\\n[\n[a\n a\n\\\n!/\n[[:nope:]]\n"},
			map[string]string{"a": "", "[": "", `\`: "", " a": ".gitignore:7: a", "n": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(fmt.Sprint(c.want), `\`) {
				t.Skip("no name has a backslash or a space at its end there")
			}
			dir := dirtest.TempDir(t)
			dirtest.Repository(t, dir)
			for path := range c.want {
				dirtest.Make(t, dir, path)
			}
			for file, text := range c.files {
				dirtest.Make(t, dir, file)
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
			}
			if git {
				asked, verdicts := checkIgnore(t, dir)
				for i, path := range asked {
					want, ok := c.want[path]
					if !ok {
						want, ok = c.want[path+"/"]
					}
					if ok {
						require.Equal(t, want, verdicts[i], "git on %q", path)
					}
				}
			}
			for path, want := range c.want {
				require.Equal(t, want, silent(t).verdict(t, dir, path), "%q", path)
			}
		})
	}
}

// TestGit compares Why with git check-ignore -v, for every path in random
// repositories. LDX_SEED repeats a run; LDX_TREES sets the number of
// repositories.
func TestGit(t *testing.T) {
	if !haveGit(t) {
		t.Skip("git is missing, or of another system")
	}
	seed, trees := dirtest.Setting(t, "LDX_SEED", rand.Uint64()), dirtest.Setting(t, "LDX_TREES", 100)
	paths, ignored := uint64(0), uint64(0)
	for i := range trees {
		dir := dirtest.TempDir(t)
		dirtest.RandomRepository(t, dir, seed+i)
		asked, verdicts := checkIgnore(t, dir)
		ig := silent(t)
		for j, path := range asked {
			got := ig.verdict(t, dir, path)
			require.Equal(t, verdicts[j], got, "LDX_SEED=%d LDX_TREES=1: %q", seed+i, path)
			paths++
			if got != "" && !strings.Contains(got, ":!") {
				ignored++
			}
		}
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("LDX_SEED=%d LDX_TREES=%d: %d paths, %d of them ignored", seed, trees, paths, ignored)
	require.Greater(t, ignored, trees)
}

// checkIgnore asks git about each path below dir. A verdict is the
// "file:line:pattern" of the deciding rule.
func checkIgnore(t *testing.T, dir string) (paths, verdicts []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		if path != dir {
			paths = append(paths, path[len(dir)+1:])
		}
		return nil
	})
	require.NoError(t, err)
	cmd := exec.Command("git", "check-ignore", "--verbose", "--non-matching", "--no-index", "--stdin", "-z")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "XDG_CONFIG_HOME="+dir)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", exit.Stderr) // 1: no path is ignored
	}
	fields := bytes.Split(bytes.TrimSuffix(out, []byte("\x00")), []byte("\x00"))
	for i := 0; i+3 < len(fields); i += 4 {
		require.Equal(t, paths[i/4], string(fields[i+3]))
		verdict := ""
		if len(fields[i]) > 0 {
			verdict = fmt.Sprintf("%s:%s:%s", fields[i], fields[i+1], fields[i+2])
		}
		verdicts = append(verdicts, verdict)
	}
	return paths, verdicts
}

// verdict returns what Why says, in the form of checkIgnore: the first rule on
// the way that ignores, or else the rule that decides the path itself.
func (ig *Ignorer) verdict(t *testing.T, dir, path string) string {
	steps, ok, err := ig.Why(dir, filepath.Join(dir, path), false)
	require.NoError(t, err)
	require.True(t, ok)
	for _, step := range steps {
		if step.Decision == Ignore || strings.TrimSuffix(step.Path, "/") == strings.TrimSuffix(path, "/") {
			if step.Source == "" {
				return ""
			}
			source := strings.TrimPrefix(filepath.ToSlash(step.Source), filepath.ToSlash(dir)+"/")
			return fmt.Sprintf("%s:%d:%s", source, step.Line, step.Pattern)
		}
	}
	return ""
}
