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

// TestGit compares Why with git check-ignore -v, for every path in random
// repositories.
func TestGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		if os.Getenv("LDX_REQUIRE_PEERS") == "1" {
			t.Fatal("git is missing")
		}
		t.Skip("git is missing, or of another system")
	}
	seed, trees := rand.Uint64(), 100
	if given := os.Getenv("LDX_SEED"); given != "" {
		_, err := fmt.Sscan(given, &seed)
		require.NoError(t, err)
	}
	if given := os.Getenv("LDX_TREES"); given != "" {
		_, err := fmt.Sscan(given, &trees)
		require.NoError(t, err)
	}
	paths, ignored := 0, 0
	for i := range uint64(trees) {
		dir := dirtest.TempDir(t)
		dirtest.RandomRepository(t, dir, seed+i)
		asked, verdicts := checkIgnore(t, dir)
		ig, err := New(Options{Getenv: func(string) string { return "" }, Report: func(error) {}})
		require.NoError(t, err)
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

// checkIgnore asks git about each path below dir, and returns "file:line:pattern"
// of the rule that decides for each.
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
		require.Equal(t, 1, exit.ExitCode(), "%s", exit.Stderr) // none is ignored
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

// verdict returns what Why says as checkIgnore does: the first rule on the way
// that ignores, or else what the rules say of the path itself.
func (ig *Ignorer) verdict(t *testing.T, dir, path string) string {
	steps, ok, err := ig.Why(dir, filepath.Join(dir, path), false)
	require.NoError(t, err)
	require.True(t, ok)
	for _, step := range steps {
		if step.Decision == Ignore || step.Path == path || step.Path == path+"/" {
			if step.Source == "" {
				return ""
			}
			source := strings.TrimPrefix(step.Source, dir+"/")
			return fmt.Sprintf("%s:%d:%s", source, step.Line, step.Pattern)
		}
	}
	return ""
}
