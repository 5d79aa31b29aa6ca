package dir

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// Both ways to read names give the same, and so does the least that may be asked for.
func TestNamesBothWays(t *testing.T) {
	root := dirtest.Tree(t, "links")
	list, err := os.ReadDir(root)
	require.NoError(t, err)
	var want []string
	for _, e := range list {
		want = append(want, e.Name()+e.Type().String())
	}
	defer func() { namesByDirents = false }()
	for _, namesByDirents = range []bool{false, true} {
		r := NewReader(0)
		got := readAll(t, r, root)
		slices.Sort(got)
		assert.Equal(t, want, got)
		r.Close()
	}
}

// A directory that may be listed but not searched tells names and types.
func TestListWithoutSearch(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may search all")
	}
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "d/file", "d/sub/")
	dir := filepath.Join(root, "d")
	require.NoError(t, os.Chmod(dir, 0o400))
	defer os.Chmod(dir, 0o700)
	r := NewReader(Everything)
	defer r.Close()
	assert.ElementsMatch(t, []string{"file----------", "subd---------"}, readAll(t, r, dir))
}

// What the listing tells is what lstat does.
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
		told, err := e.Info(Everything)
		require.NoError(t, err)
		asked.have = told.have
		assert.Equal(t, asked, *told, "%s", e.Name)
	}
}

// BenchmarkNames is to decide what namesByDirents is: over a directory of many names,
// and over one of few.
func BenchmarkNames(b *testing.B) {
	for _, n := range []int{20, 5000} {
		root := dirtest.TempDir(b)
		for i := range n {
			require.NoError(b, os.WriteFile(filepath.Join(root, fmt.Sprint("some-name-", i)), nil, 0o600))
		}
		for _, how := range []string{"bulk", "dirents"} {
			b.Run(fmt.Sprint(how, "/", n), func(b *testing.B) {
				namesByDirents = how == "dirents"
				defer func() { namesByDirents = false }()
				r := NewReader(0)
				defer r.Close()
				b.ReportAllocs()
				for b.Loop() {
					_, err := r.Open(Root(root, "", 0))
					for err == nil {
						_, err = r.Next()
					}
					if err != io.EOF {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
