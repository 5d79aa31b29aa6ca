package dir_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// TestReadFileLimit reads files of the size of the limit, one byte larger, and far larger.
func TestReadFileLimit(t *testing.T) {
	root := dirtest.TempDir(t)
	for name, size := range map[string]int{"empty": 0, "small": 1, "most": 100_000, "more": 100_001, "far more": 1 << 20} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(strings.Repeat("x", size)), 0o644))
	}
	r := dir.NewReader(0)
	defer r.Close()
	d, err := r.Open(dir.Root(root, root, 0))
	require.NoError(t, err)
	for name, want := range map[string]int{"empty": 0, "small": 1, "most": 100_000} {
		data, err := d.ReadFile(name, true, 100_000)
		assert.NoError(t, err, name)
		assert.Len(t, data, want, name)
	}
	for _, name := range []string{"more", "far more"} {
		data, err := d.ReadFile(name, true, 100_000)
		assert.ErrorIs(t, err, dir.ErrTooLarge, name)
		assert.Empty(t, data, name)
	}
	data, err := d.ReadFile("empty", true, 0)
	assert.NoError(t, err)
	assert.Empty(t, data)
	_, err = d.ReadFile("small", true, 0)
	assert.ErrorIs(t, err, dir.ErrTooLarge)
}
