package ignore

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// TestReadRegular reads files that may block or have no end. A file in /proc is
// regular with size 0; reading some of them blocks.
func TestReadRegular(t *testing.T) {
	root := dirtest.TempDir(t)
	pipe := filepath.Join(root, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	for _, path := range []string{pipe, root, "/dev/zero", "/dev/null", "/proc/self/status", "/proc/self/mem"} {
		data, err := readRegular(path, 1<<20)
		assert.NoError(t, err, path)
		assert.Empty(t, data, path)
	}
	dirtest.Make(t, root, "file")
	data, err := readRegular(filepath.Join(root, "file"), 4)
	assert.NoError(t, err)
	assert.Equal(t, "file", string(data))
	_, err = readRegular(filepath.Join(root, "file"), 3)
	assert.ErrorIs(t, err, dir.ErrTooLarge)
	_, err = readAny("/dev/zero", 1<<20)
	assert.ErrorIs(t, err, dir.ErrTooLarge)
	_, err = readRegular(filepath.Join(root, "missing"), 3)
	assert.ErrorIs(t, err, os.ErrNotExist)
}
