package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestGitRandom compares what ldx lists in random repositories with what git
// does not ignore in them: its files (git ls-files) and its directories
// (git check-ignore). LDX_SEED and LDX_TREES repeat a run, or widen it.
func TestGitRandom(t *testing.T) {
	peer(t, "git")
	seed, trees := dirtest.Setting(t, "LDX_SEED", rand.Uint64()), dirtest.Setting(t, "LDX_TREES", 40)
	onlyThisUser(t)
	entries := 0
	for i := range trees {
		dir := dirtest.TempDir(t)
		dirtest.RandomRepository(t, dir, seed+i)
		want := gitLists(t, dir)
		entries += len(want)
		require.Equal(t, want, output(t, dir, "ldx", "-H0", "-E", ".git", ".", "."), "LDX_SEED=%d LDX_TREES=1", seed+i)
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("LDX_SEED=%d LDX_TREES=%d: %d entries listed", seed, trees, entries)
}

// TestGitRepositories does the same in the repositories that LDX_REPOSITORIES
// names, each a directory with a .git of its own, separated as in PATH. They are
// looked at as git would look at new files in them: with no file tracked.
func TestGitRepositories(t *testing.T) {
	peer(t, "git")
	list := filepath.SplitList(os.Getenv("LDX_REPOSITORIES"))
	if len(list) == 0 {
		t.Skip("LDX_REPOSITORIES names none")
	}
	onlyThisUser(t)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "no index"))
	for _, dir := range list {
		want := gitLists(t, dir)
		require.Equal(t, want, output(t, dir, "ldx", "-H0", "-E", ".git", ".", "."), dir)
		t.Logf("%s: %d entries listed, of %d", dir, len(want), len(output(t, dir, "ldx", "-u0", "-E", ".git", ".", ".")))
	}
}

// onlyThisUser hides the rules that whoever runs the test has.
func onlyThisUser(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
}

// gitLists returns the files below a repository's top that git does not ignore,
// and the directories that it would look into.
func gitLists(t *testing.T, dir string) []string {
	listed := output(t, dir, "git", "ls-files", "-co", "--exclude-standard", "-z")
	dirs := output(t, dir, "find", ".", "-name", ".git", "-prune", "-o", "-mindepth", "1", "-type", "d", "-print0")
	ignored := map[string]bool{}
	for _, d := range checkIgnore(t, dir, dirs) {
		ignored[d] = true
	}
	for _, d := range dirs {
		if !ignored[d] {
			listed = append(listed, strings.TrimPrefix(d, "./"))
		}
	}
	slices.Sort(listed)
	listed = slices.Compact(listed)
	for i := range listed {
		listed[i] = "./" + listed[i]
	}
	return listed
}

// checkIgnore returns those of the paths that git ignores.
func checkIgnore(t *testing.T, dir string, paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	cmd := exec.Command("git", "check-ignore", "--no-index", "--stdin", "-z")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", exit.Stderr) // none is
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
