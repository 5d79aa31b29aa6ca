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

// TestGitRandom compares the entries that ldx lists in random repositories with
// those that git does not ignore: files (git ls-files) and directories (git
// check-ignore). LDX_SEED repeats a run; LDX_TREES sets the number of
// repositories.
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

// TestGitRepositories does the same for the repositories in LDX_REPOSITORIES:
// directories with a .git of their own, separated as in PATH. No file counts as
// tracked, so git treats all as new files.
func TestGitRepositories(t *testing.T) {
	peer(t, "git")
	list := filepath.SplitList(os.Getenv("LDX_REPOSITORIES"))
	if len(list) == 0 {
		t.Skip("LDX_REPOSITORIES is not set")
	}
	onlyThisUser(t)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "no index"))
	for _, dir := range list {
		want := gitLists(t, dir)
		require.Equal(t, want, output(t, dir, "ldx", "-H0", "-E", ".git", ".", "."), dir)
		t.Logf("%s: %d entries listed, of %d", dir, len(want), len(output(t, dir, "ldx", "-u0", "-E", ".git", ".", ".")))
	}
}

// onlyThisUser hides the ignore rules of the user who runs the test.
func onlyThisUser(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
}

// gitLists returns the files below a repository's top that git does not ignore,
// and the directories that it would enter.
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

// checkIgnore returns the paths that git ignores.
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
		require.Equal(t, 1, exit.ExitCode(), "%s", exit.Stderr) // 1: no path is ignored
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
