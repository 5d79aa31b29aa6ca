package ignore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestConfigOrder compares the settings read from all configuration files and
// the environment with git config.
func TestConfigOrder(t *testing.T) {
	if !haveGit(t) {
		t.Skip("git is missing, or of another system")
	}
	for name, c := range map[string]struct {
		files map[string]string
		env   string // DIR stands for the directory of the files
	}{
		"none":     {nil, ""},
		"system":   {map[string]string{"system": "[core] excludesFile = /s"}, "GIT_CONFIG_SYSTEM=DIR/system"},
		"nosystem": {map[string]string{"system": "[core] excludesFile = /s"}, "GIT_CONFIG_SYSTEM=DIR/system GIT_CONFIG_NOSYSTEM=1"},
		"yes system": {
			map[string]string{"system": "[core] excludesFile = /s"},
			"GIT_CONFIG_SYSTEM=DIR/system GIT_CONFIG_NOSYSTEM=false",
		},
		"home":       {map[string]string{".gitconfig": "[core] excludesFile = ~/h\nignoreCase"}, ""},
		"xdg":        {map[string]string{".config/git/config": "[core] excludesFile = /x\n", ".gitconfig": "[user] name = x"}, ""},
		"home first": {map[string]string{".config/git/config": "[core] excludesFile = /x\n", ".gitconfig": "[core] excludesFile = /h"}, ""},
		"other xdg": {
			map[string]string{"xdg/git/config": "[core] excludesFile = /x\n", ".config/git/config": "[core] excludesFile = /n"},
			"XDG_CONFIG_HOME=DIR/xdg",
		},
		"global": {
			map[string]string{"g": "[core] excludesFile = /g\n", ".gitconfig": "[core] excludesFile = /h\nignorecase"},
			"GIT_CONFIG_GLOBAL=DIR/g",
		},
		"local": {map[string]string{
			".gitconfig":    "[core] excludesFile = /h\nignorecase",
			"r/.git/config": "[core]\nexcludesFile = l\nignorecase = off",
		}, ""},
		"per tree": {
			map[string]string{
				"r/.git/config":          "[core]\nrepositoryformatversion = 1\nexcludesFile = l\n[extensions]\nworktreeConfig = true",
				"r/.git/config.worktree": "[core] excludesFile = w",
			}, "",
		},
		"not per tree": {map[string]string{"r/.git/config": "[core]\nexcludesFile = l", "r/.git/config.worktree": "[core] excludesFile = w"}, ""},
		"environment": {
			map[string]string{"r/.git/config": "[core]\nexcludesFile = l"},
			"GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=Core.IgnoreCase GIT_CONFIG_VALUE_0=yes GIT_CONFIG_KEY_1=core.excludesfile GIT_CONFIG_VALUE_1=/e",
		},
		"include": {map[string]string{
			".gitconfig": "[include] path = sub/a\n[core] ignorecase = 0",
			"sub/a":      "[include]\npath = ../b\n[core]ignorecase=2",
			"b":          "[core]excludesfile=/b",
		}, ""},
		"gitdir":         {map[string]string{".gitconfig": "[includeIf \"gitdir:~/r/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir name":    {map[string]string{".gitconfig": "[includeIf \"gitdir:r/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir whole":   {map[string]string{".gitconfig": "[includeIf \"gitdir:r/.git\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir glob":    {map[string]string{".gitconfig": "[includeIf \"gitdir:**/r*/**\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir here":    {map[string]string{".gitconfig": "[includeIf \"gitdir:./r/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir other":   {map[string]string{".gitconfig": "[includeIf \"gitdir:q/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir case":    {map[string]string{".gitconfig": "[includeIf \"gitdir:R/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"gitdir/i":       {map[string]string{".gitconfig": "[includeIf \"gitdir/i:R/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"onbranch":       {map[string]string{".gitconfig": "[includeIf \"onbranch:ma*\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"onbranch other": {map[string]string{".gitconfig": "[includeIf \"onbranch:main/\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"unknown if":     {map[string]string{".gitconfig": "[includeIf \"moon:full\"] path = a", "a": "[core] excludesFile = /a"}, ""},
		"missing":        {map[string]string{".gitconfig": "[include] path = nowhere\n[core] excludesFile = /h"}, ""},
		"empty":          {map[string]string{".gitconfig": "[core] excludesFile = /h", "r/.git/config": "[core]\nexcludesFile ="}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := dirtest.TempDir(t)
			dirtest.Repository(t, filepath.Join(home, "r"))
			for file, text := range c.files {
				path := filepath.Join(home, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			env := map[string]string{"HOME": home, "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": os.Getenv("PATH")}
			for set := range strings.FieldsSeq(strings.ReplaceAll(c.env, "DIR", home)) {
				key, value, _ := strings.Cut(set, "=")
				env[key] = value
			}
			git := func(key, kind string) (value string, set bool) {
				cmd := exec.Command("git", "-C", home+"/r", "config", "--type="+kind, "--get", key)
				for key, value := range env {
					cmd.Env = append(cmd.Env, key+"="+value)
				}
				out, err := cmd.Output()
				return strings.TrimSuffix(string(out), "\n"), err == nil
			}
			ig, err := New(Options{Getenv: func(key string) string { return env[key] }, Report: func(err error) { assert.NoError(t, err) }})
			require.NoError(t, err)
			at := gitDir{top: withSlash(filepath.Join(home, "r"))}
			_, found := ig.git.enter(&at, at.top+".git")
			require.True(t, found)
			got := ig.git.read(&at)

			want, set := git("core.excludesFile", "path")
			if assert.Equal(t, set, got.excludesFile != nil) && set {
				assert.Equal(t, want, *got.excludesFile)
			}
			want, _ = git("core.ignoreCase", "bool")
			assert.Equal(t, want == "true", got.ignoreCase)
		})
	}
}

// TestConfigCycle has files that include themselves and each other.
func TestConfigCycle(t *testing.T) {
	home := dirtest.TempDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(home, ".gitconfig"),
		[]byte("[core] ignorecase\n[include]\npath = b\n"+strings.Repeat("path = .gitconfig\n", 20)), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(home, "b"), []byte("[include] path = .gitconfig"), 0o644))
	ig, err := New(Options{Getenv: func(key string) string { return map[string]string{"HOME": home}[key] }, Report: func(error) {}})
	require.NoError(t, err)
	assert.True(t, ig.git.read(&gitDir{}).ignoreCase)
}
