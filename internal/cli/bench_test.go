package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

func TestRoundly(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 400 * time.Millisecond, "3s": 3400 * time.Millisecond, "10s": 10 * time.Second, "25s": 24 * time.Second, "1m0s": 62 * time.Second,
	} {
		assert.Equal(t, want, roundly(d).String())
	}
}

// TestChangingTree checks that each directory changes once in a hundred changes of a percent, and
// that the next hundred take that back.
func TestChangingTree(t *testing.T) {
	tree := changingTree{}
	root := dirtest.TempDir(t)
	for i := range 300 {
		tree.dirs = append(tree.dirs, filepath.Join(root, string(rune('a'+i%26)), string(rune('A'+i/26))))
		require.NoError(t, os.MkdirAll(tree.dirs[i], 0o700))
	}
	changed := func() int {
		names, err := filepath.Glob(filepath.Join(root, "*", "*", "changed"))
		require.NoError(t, err)
		return len(names)
	}
	require.NoError(t, tree.change(1))
	assert.Equal(t, 3, changed())
	require.NoError(t, tree.change(9))
	assert.Equal(t, 30, changed())
	require.NoError(t, tree.change(90))
	assert.Equal(t, 300, changed())
	require.NoError(t, tree.change(100))
	assert.Zero(t, changed())
	assert.False(t, tree.last.IsZero())
	tree.dirs = tree.dirs[:1]
	require.NoError(t, tree.change(1))
	assert.Equal(t, 1, changed(), "at least one")
}

func TestCopyFiles(t *testing.T) {
	dir := dirtest.TempDir(t)
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for path, text := range map[string]string{from + "/a": "some", from + "/b": "", to + "/c": "old"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	require.NoError(t, copyFiles(to, from))
	assert.NoFileExists(t, to+"/c")
	for name, want := range map[string]string{"a": "some", "b": ""} {
		got, err := os.ReadFile(filepath.Join(to, name))
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	require.Error(t, copyFiles(to, from+"-is-not-there"))
}
