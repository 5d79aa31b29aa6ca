package ignore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// A limitCase is a home directory with a repository, r.
type limitCase struct {
	t       *testing.T
	home    string
	ignorer *Ignorer
	reports []string
}

func newLimitCase(t *testing.T) *limitCase {
	c := &limitCase{t: t, home: dirtest.TempDir(t)}
	dirtest.Repository(t, filepath.Join(c.home, "r"))
	getenv := func(key string) string {
		return map[string]string{"HOME": c.home, "GIT_CONFIG_SYSTEM": filepath.Join(c.home, "none")}[key]
	}
	var err error
	c.ignorer, err = New(Options{Getenv: getenv, Report: func(err error) {
		var file *FileError
		assert.ErrorAs(t, err, &file)
		c.reports = append(c.reports, strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(c.home)+"/", ""))
	}})
	require.NoError(t, err)
	return c
}

// write writes a file, creating its directories.
func (c *limitCase) write(path, text string) {
	path = filepath.Join(c.home, path)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(c.t, os.WriteFile(path, []byte(text), 0o644))
}

// excludesFile returns core.excludesFile as the repository r's configuration
// sets it.
func (c *limitCase) excludesFile() string {
	at := gitDir{top: withSlash(filepath.Join(c.home, "r"))}
	_, found := c.ignorer.git.enter(&at, at.top+".git")
	require.True(c.t, found)
	if path := c.ignorer.git.read(&at).excludesFile; path != nil {
		return *path
	}
	return ""
}

// gitExcludesFile returns core.excludesFile as git reads it.
func (c *limitCase) gitExcludesFile() (string, error) {
	cmd := exec.Command("git", "-C", filepath.Join(c.home, "r"), "config", "--get", "core.excludesFile")
	cmd.Env = []string{"HOME=" + c.home, "GIT_CONFIG_SYSTEM=" + os.DevNull, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	return strings.TrimSuffix(string(out), "\n"), err
}

// includes writes n files, each of which sets excludesFile to its number, and
// returns configuration that includes them.
func (c *limitCase) includes(below string, n int) string {
	config := "\n[include]\n"
	for i := 1; i <= n; i++ {
		config += fmt.Sprintf("\tpath = inc%d\n", i)
		c.write(fmt.Sprintf("%s/inc%d", below, i), fmt.Sprintf("[core] excludesFile = /%d\n", i))
	}
	return config
}

// TestConfigFilesLimit has configuration that includes n files. Git has no
// limit.
func TestConfigFilesLimit(t *testing.T) {
	git := haveGit(t)
	for _, config := range []string{"r/.git/config", ".gitconfig"} {
		for n, want := range map[int]string{1: "/1", 99: "/99", 100: "/99", 300: "/99"} {
			t.Run(fmt.Sprint(config, n), func(t *testing.T) {
				c := newLimitCase(t)
				c.write(config, "[core]\n\trepositoryformatversion = 0"+c.includes(filepath.Dir(config), n))
				assert.Equal(t, want, c.excludesFile())
				if n < 100 {
					assert.Empty(t, c.reports)
					if git {
						got, err := c.gitExcludesFile()
						require.NoError(t, err)
						assert.Equal(t, want, got)
					}
					return
				}
				assert.Equal(t, want, c.excludesFile())
				assert.Equal(t, []string{"read " + config + ": more than 100 included configuration files; the rest is not applied"}, c.reports, "once")
			})
		}
	}
}

// TestIncludeDepthLimit has a chain of n includes. Where git reports an error,
// ldx applies what came before.
func TestIncludeDepthLimit(t *testing.T) {
	git := haveGit(t)
	for n, want := range map[int]string{9: "/9", 10: "/10", 11: "/10"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := newLimitCase(t)
			c.write("r/.git/config", "[core]\n\trepositoryformatversion = 0\n[include] path = c1\n")
			for i := 1; i <= n; i++ {
				c.write(fmt.Sprintf("r/.git/c%d", i), fmt.Sprintf("[core] excludesFile = /%d\n[include] path = c%d\n", i, i+1))
			}
			assert.Equal(t, want, c.excludesFile())
			if n <= maxIncludeDepth {
				assert.Empty(t, c.reports)
			} else {
				const report = "read r/.git/config: configuration files include each other more than 10 levels deep; the rest is not applied"
				assert.Equal(t, []string{report}, c.reports)
			}
			if git {
				got, err := c.gitExcludesFile()
				assert.Equal(t, n <= maxIncludeDepth, err == nil)
				if err == nil {
					assert.Equal(t, want, got)
				}
			}
		})
	}
}

// TestConfigSizeLimit has 1 MiB of configuration, in one file and in several,
// and one byte more.
func TestConfigSizeLimit(t *testing.T) {
	const first = "[core]\n\trepositoryformatversion = 0\n\texcludesFile = /first\n"
	const last = "\n[core] excludesFile = /last\n"
	padded := func(text, last string, size int) string {
		return text + strings.Repeat("#", size-len(text)-len(last)) + last
	}
	for more, want := range []string{"/last", "/first"} {
		t.Run(fmt.Sprint("included ", more), func(t *testing.T) {
			c := newLimitCase(t)
			config := first + strings.Repeat("[include] path = a\n", 3) + "[include] path = b\n"
			c.write("r/.git/config", config)
			c.write("r/.git/a", strings.Repeat("#", 300<<10))
			c.write("r/.git/b", padded("", last, 1<<20-len(config)-3*300<<10+more))
			assert.Equal(t, want, c.excludesFile())
			assert.Len(t, c.reports, more)
		})
		t.Run(fmt.Sprint("one ", more), func(t *testing.T) {
			c := newLimitCase(t)
			c.write("r/.git/config", padded(first, last, 1<<20+more))
			assert.Equal(t, []string{"/last", ""}[more], c.excludesFile())
			if more > 0 {
				const report = "read r/.git/config: more than 1 MiB of configuration, included files counted; the rest is not applied"
				assert.Equal(t, []string{report}, c.reports)
			}
		})
	}
}

// TestConditionsLimit has many conditions, then one that is too long. Each
// counts once, whatever its section holds.
func TestConditionsLimit(t *testing.T) {
	c := newLimitCase(t)
	c.write("r/.git/a", "[core] excludesFile = /a\n")
	config := ""
	for i := range 1000 {
		config += fmt.Sprintf("[includeIf \"gitdir:none/%d\"]\n%s", i, strings.Repeat("path = b\n", 20))
	}
	c.write("r/.git/config", config+"[includeIf \"gitdir:r/\"] path = a\n")
	assert.Equal(t, "/a", c.excludesFile())
	assert.Empty(t, c.reports)

	c.write("r/.git/config", "[includeIf \"gitdir:r/\"] path = a\n[includeIf \"gitdir:"+
		strings.Repeat("*", 64<<10)+"\"] path = b\n[core] excludesFile = /c")
	assert.Equal(t, "/a", c.excludesFile())
	assert.Equal(t, []string{"read r/.git/config: more than 64 KiB of include conditions; the rest is not applied"}, c.reports)
}

// TestKeptConfiguration has repositories that name files of their own. None of
// these is cached, and a repository's limits on the user's files affect no
// other repository.
func TestKeptConfiguration(t *testing.T) {
	c := newLimitCase(t)
	c.write(".gitconfig", "[core] excludesFile = ~/mine\n[include] path = more\n")
	c.write("more", "[core] ignoreCase\n")
	c.write("mine", "x\n")
	c.write("r/.git/config", strings.Repeat("[include] path = ../../.gitconfig\n", 200))
	open := func(name string) *repository {
		top := withSlash(filepath.Join(c.home, name))
		return c.ignorer.git.open(readFrom(top), top, hasGit, true)
	}
	open("r")
	assert.Len(t, c.reports, 1)
	for i := range 20 {
		name := fmt.Sprint("hostile", i)
		dirtest.Repository(t, filepath.Join(c.home, name), "excludesFile = "+filepath.ToSlash(c.home)+"/"+name+"/own", "[include] path = inc")
		c.write(name+"/.git/inc", "[core] ignoreCase = false\n")
		c.write(name+"/own", "y\n")
		require.Len(t, open(name).global.rules, 1)
	}
	dirtest.Repository(t, filepath.Join(c.home, "honest"))
	honest := open("honest")
	assert.True(t, honest.ignoreCase)
	require.Len(t, honest.global.rules, 1)
	assert.Equal(t, "x", honest.global.rules[0].pattern)
	assert.Len(t, c.reports, 1)
	assert.Len(t, c.ignorer.git.globals, 1)
	for path := range c.ignorer.git.settings {
		assert.NotContains(t, path, "hostile")
		assert.NotContains(t, path, ".git/")
	}
}

// TestRuleLinesLimit has a file with the maximum number of lines, and one more.
func TestRuleLinesLimit(t *testing.T) {
	c := newLimitCase(t)
	text := strings.Repeat("\n", maxRuleLines-1) + "x\n"
	assert.Len(t, c.ignorer.rules("f", []byte(text), nil, false).rules, 1)
	assert.Empty(t, c.reports)
	assert.Empty(t, c.ignorer.rules("f", []byte(text+"y\n"), nil, false).rules)
	assert.Equal(t, []string{"read f: more than 1000000 lines; none of its rules apply"}, c.reports)
}

// TestLineErrorIsShort has an invalid line of three million characters.
func TestLineErrorIsShort(t *testing.T) {
	for _, pattern := range []string{"[[:", "[a", `[[:\`} {
		n := 0
		parse("f", []byte(strings.Repeat(pattern, 1_000_000)), false, func(err error) {
			n++
			assert.Less(t, len(err.Error()), 500)
		})
		assert.Equal(t, 1, n, pattern)
	}
}

// TestLongPatterns compares patterns longer than any path with git, which has
// no limit either.
func TestLongPatterns(t *testing.T) {
	if !haveGit(t) {
		t.Skip("git is missing, or of another system")
	}
	for _, c := range []struct{ pattern, name string }{
		{"a" + strings.Repeat("*", 5000), "abc"},
		{strings.Repeat("**/", 2000) + "b", "b"},
		{"[" + strings.Repeat("xyz", 5000) + "]", "y"},
		{strings.Repeat("a", 5000), "a"},
		{"a[!" + strings.Repeat("b", 5000) + "]", "ac"},
		{strings.Repeat("*a", 2500), strings.Repeat("a", 20)},
	} {
		dir := dirtest.TempDir(t)
		dirtest.Repository(t, dir)
		dirtest.Make(t, dir, c.name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("x\n"+c.pattern+"\n"), 0o644))
		asked, verdicts := checkIgnore(t, dir)
		ig := silent(t)
		for i, path := range asked {
			assert.Equal(t, verdicts[i], ig.verdict(t, dir, path), "%.20q on %q", c.pattern, path)
		}
	}
}
