//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// TestMove moves a file, a directory and a link, which stays a link. Nothing is replaced.
func TestMove(t *testing.T) {
	root, other := dirtest.TempDir(t), dirtest.TempDir(t)
	dirtest.Make(t, root, "file", "dir/inner", "link -> dir", "-x é")
	dirtest.Make(t, other, "taken", "empty/")
	to, err := os.Open(other)
	require.NoError(t, err)
	defer to.Close()
	r := dir.NewReader(0)
	defer r.Close()
	moved := 0
	require.NoError(t, list(r, dir.Root(root, "label", 0), func(e *dir.Entry) {
		for _, taken := range []string{"taken", "empty"} {
			err := e.Move(to, taken)
			require.ErrorIs(t, err, fs.ErrExist)
			assert.Contains(t, err.Error(), "move label/"+string(e.Name)+": ")
		}
		moved++
		require.NoError(t, e.Move(to, string(e.Name)))
	}))
	assert.Equal(t, 4, moved)
	left, err := os.ReadDir(root)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.ElementsMatch(t, []string{"taken", "empty", "file", "dir", "link", "-x é"}, names(t, other))
	assert.FileExists(t, filepath.Join(other, "dir/inner"))
	target, err := os.Readlink(filepath.Join(other, "link"))
	require.NoError(t, err)
	assert.Equal(t, "dir", target)
}
