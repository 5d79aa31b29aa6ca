//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// A hostileTree is a home directory with a repository r that has the files a
// and b.
type hostileTree struct {
	*testing.T
	home string
}

func newHostileTree(t *testing.T, config ...string) hostileTree {
	tree := hostileTree{t, dirtest.TempDir(t)}
	dirtest.Make(t, tree.home, "r/a", "r/b")
	dirtest.Repository(t, filepath.Join(tree.home, "r"), config...)
	return tree
}

func (t hostileTree) write(path, text string) {
	path = filepath.Join(t.home, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// sparse makes a sparse file of the largest size that the file system supports.
func (t hostileTree) sparse(path string) {
	t.write(path, "")
	path = filepath.Join(t.home, path)
	for _, size := range []int64{math.MaxInt64, 1 << 40} {
		if os.Truncate(path, size) == nil {
			return
		}
	}
	t.Skip("the file system has no file of 1 TB")
}

// search runs ldx in the tree with limited memory, and returns its output. The
// timeout of a minute is for a search that does not end.
func (t hostileTree) search(args ...string) (stdout, stderr string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 4194304 && exec ldx "$@"`, "ldx"}, args...)...)
	cmd.Dir = t.home
	cmd.Env = []string{"HOME=" + t.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_SYSTEM=" + os.DevNull, "LC_ALL=C.UTF-8"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%.2000s", errs.String())
	return strings.Join(sortedLines(out.String()), " "), errs.String()
}

// TestLargeRuleFiles has one endless rule file at a time: none of it is
// applied, it is reported, and the search goes on.
func TestLargeRuleFiles(t *testing.T) {
	const rules, config, pointer = "more than 64 MiB; none of its rules apply",
		"more than 1 MiB of configuration, included files counted; the rest is not applied",
		"more than 64 KiB; it is not applied"
	for path, want := range map[string]string{
		"r/.gitignore":           rules,
		"r/.ignore":              rules,
		"r/.fdignore":            rules,
		"r/.ldxignore":           rules,
		".ignore":                rules, // above the root
		"r/.git/info/exclude":    rules,
		"r/.git/excludes":        rules, // core.excludesFile
		"given":                  rules, // --ignore-file
		".config/git/ignore":     rules,
		".config/fd/ignore":      rules,
		".config/ldx/ignore":     rules,
		"r/.git/config":          config,
		"r/.git/included":        config,
		"r/.git/config.worktree": config,
		".gitconfig":             config,
		".config/git/config":     config,
		"r/.git/HEAD":            pointer,
		"r/.git/commondir":       pointer,
		"r/sub/.git":             pointer,
	} {
		t.Run(path, func(t *testing.T) {
			settings := map[string]string{
				"r/.git/excludes":        "[core] excludesFile = .git/excludes",
				"r/.git/included":        "[include] path = included",
				"r/.git/config.worktree": "[core]\nrepositoryformatversion = 1\n[extensions] worktreeConfig",
				"r/.git/HEAD":            "[includeIf \"onbranch:main\"] path = included\n[includeIf \"onbranch:ma*\"] path = included",
			}
			tree := newHostileTree(t, settings[path])
			tree.write("r/.git/info/exclude", "b\n")
			tree.sparse(path)
			reported := path
			args := []string{"-T", "f", ".", "r"}
			switch path {
			case "given":
				args = append(args, "--ignore-file", path)
			case "r/.git/included":
				reported = "r/.git/config"
			}
			stdout, stderr := tree.search(args...)
			if path == "r/.git/info/exclude" {
				assert.Equal(t, "r/a r/b", stdout)
			} else {
				assert.Equal(t, "r/a", stdout, "other rules hold")
			}
			assert.Equal(t, fmt.Sprintf("ldx: read %s: %s\n", reported, want), stderr)
		})
	}
}

// TestHostileConfiguration has short configuration that takes long to read.
func TestHostileConfiguration(t *testing.T) {
	const files = "more than 100 included configuration files"
	for name, c := range map[string]struct {
		setUp func(t hostileTree) (config string)
		want  string
	}{
		"each file thirty times": {func(t hostileTree) string {
			thirty := func(path string) string { return "[include]\n" + strings.Repeat("path = "+path+"\n", 30) }
			for i := 1; i < 9; i++ {
				t.write(fmt.Sprintf("r/.git/%d", i), thirty(fmt.Sprint(i+1)))
			}
			return thirty("1")
		}, files},
		"the same of the user": {func(t hostileTree) string {
			thirty := func(path string) string { return "[include]\n" + strings.Repeat("path = "+path+"\n", 30) }
			t.write(".gitconfig", thirty("1"))
			for i := 1; i < 9; i++ {
				t.write(fmt.Sprint(i), thirty(fmt.Sprint(i+1)))
			}
			return ""
		}, files},
		"missing files": {func(hostileTree) string { return "[include]\n" + strings.Repeat("path=x\n", 100_000) }, files},
		"a long condition": {func(hostileTree) string {
			return "[includeIf \"gitdir:" + strings.Repeat("*a", 200_000) + "\"]\n" + strings.Repeat("path=x\n", 80_000)
		}, "more than 64 KiB of include conditions"},
		"a long section": {func(hostileTree) string {
			return "[x \"" + strings.Repeat("a", 500_000) + "\"]\n" + strings.Repeat("a\n", 200_000)
		}, ""},
		"what is no file": {func(t hostileTree) string {
			require.NoError(t, syscall.Mkfifo(filepath.Join(t.home, "r/.git/pipe"), 0o666))
			config := ""
			for _, path := range []string{"pipe", "info", "/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/fd/0"} {
				config += "[include] path = " + path + "\n[core] excludesFile = .git/" + path + "\n"
			}
			return config + "[core] excludesFile = .git/pipe\n"
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newHostileTree(t)
			tree.write("r/.git/info/exclude", "b\n")
			tree.write("r/.git/config", c.setUp(tree))
			stdout, stderr := tree.search("-T", "f", ".", "r")
			assert.Equal(t, "r/a", stdout)
			path := "r/.git/config"
			if name == "the same of the user" {
				path = ".gitconfig"
			}
			if c.want != "" {
				c.want = fmt.Sprintf("ldx: read %s: %s; the rest is not applied\n", path, c.want)
			}
			assert.Equal(t, c.want, stderr)
		})
	}
}

// TestLimitIsReportedOnce has two repositories, and three working trees of one
// of them that share its configuration and rules.
func TestLimitIsReportedOnce(t *testing.T) {
	tree := newHostileTree(t, "[include]\n"+strings.Repeat("path = x\n", 100))
	dirtest.Repository(t, filepath.Join(tree.home, "q"))
	for _, name := range []string{"w1", "w2", "w3"} {
		tree.write(name+"/.git", "gitdir: ../r/.git/worktrees/"+name+"\n")
		tree.write("r/.git/worktrees/"+name+"/HEAD", "ref: refs/heads/main\n")
		tree.write("r/.git/worktrees/"+name+"/commondir", "../..\n")
	}
	tree.sparse("r/.git/info/exclude")
	tree.sparse(".gitconfig")
	_, stderr := tree.search("-T", "f", "--stats", ".", "r", "q", "w1", "w2", "w3")
	var reported []string
	for _, line := range sortedLines(stderr) {
		if file, isError := strings.CutPrefix(line, "ldx: read "); isError {
			reported = append(reported, file[:strings.Index(file, ":")])
		}
	}
	assert.Equal(t, []string{".gitconfig", "r/.git/config", "r/.git/info/exclude"}, reported)
	assert.Regexp(t, `(?m)^errors +3$`, stderr)
}

// TestLongRule has a line of 16 MiB with many stars: a backtracking matcher
// would not end.
func TestLongRule(t *testing.T) {
	tree := newHostileTree(t)
	tree.write("r/.gitignore", strings.Repeat("*a", 8<<20)+"\n")
	tree.write("r/.ignore", strings.Repeat("*a*a", 60)+"*b\nb\n")
	for i := range 100 {
		tree.write(fmt.Sprintf("r/%s%d", strings.Repeat("a", 200), i), "")
	}
	stdout, stderr := tree.search("-T", "f", "--count", ".", "r")
	assert.Equal(t, "101", stdout)
	assert.Empty(t, stderr)
}
