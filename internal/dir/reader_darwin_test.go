package dir

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

func readAll(t testing.TB, r *Reader, root string) (names []string) {
	_, err := r.Open(Root(root, "", 0))
	require.NoError(t, err)
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return names
		}
		require.NoError(t, err)
		for i := range batch {
			names = append(names, string(batch[i].Name)+batch[i].Type.String())
		}
	}
}

// Listing a directory gives the names and types that package os gives.
func TestNames(t *testing.T) {
	root := dirtest.Tree(t, "links")
	list, err := os.ReadDir(root)
	require.NoError(t, err)
	var want []string
	for _, e := range list {
		want = append(want, e.Name()+e.Type().String())
	}
	r := NewReader(0)
	defer r.Close()
	assert.ElementsMatch(t, want, readAll(t, r, root))
}

// A directory that may be listed but not searched gives names and types.
func TestListWithoutSearch(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may search all")
	}
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "d/file", "d/sub/")
	dir := filepath.Join(root, "d")
	require.NoError(t, os.Chmod(dir, 0o400))
	defer func() { require.NoError(t, os.Chmod(dir, 0o700)) }()
	r := NewReader(Everything)
	defer r.Close()
	assert.ElementsMatch(t, []string{"file----------", "subd---------"}, readAll(t, r, dir))
}

// The metadata in the listing is what lstat gives.
func TestInfoOfListing(t *testing.T) {
	root := dirtest.Tree(t, "links")
	r := NewReader(Everything)
	defer r.Close()
	_, err := r.Open(Root(root, root, 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	for i := range batch {
		e := &batch[i]
		require.NotNil(t, e.sys.record)
		var asked Info
		require.NoError(t, statAt(e, Everything, false, &asked))
		listed, err := e.Info(Everything)
		require.NoError(t, err)
		asked.have = listed.have
		assert.Equal(t, asked, *listed, "%s", e.Name)
	}
}
