package dir_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// TestWhole keeps the entries of several batches. Their names would be lost if their memory
// were reused.
func TestWhole(t *testing.T) {
	sizes := []int{0, 1, 700, 5000, 40_000}
	if runtime.GOOS == "windows" {
		sizes = sizes[:3] // in Wine the others take minutes
	}
	for _, n := range sizes {
		root := dirtest.TempDir(t)
		var want []string
		for i := range n {
			name := fmt.Sprint("some-longer-name-", i)
			require.NoError(t, os.WriteFile(filepath.Join(root, name), nil, 0o644))
			want = append(want, name)
		}
		slices.Sort(want)
		r := dir.NewReader(0)
		for range 2 { // a Reader is reused
			_, err := r.Open(dir.Root(root, root, 0))
			require.NoError(t, err)
			_, err = r.Next()
			if n == 0 {
				require.Equal(t, io.EOF, err)
				continue
			}
			require.NoError(t, err)
			batch, whole := r.Whole()
			assert.Equal(t, n <= 32<<10, whole, "%d entries", n)
			var got []string
			note := func(batch []dir.Entry) {
				for i := range batch {
					got = append(got, string(batch[i].Name))
				}
			}
			note(batch)
			if !whole {
				r.Preview(note)
				slices.Sort(got)
				assert.Equal(t, want, got, "with Preview")
				got = nil
				batch, err := r.Next()
				for ; err == nil; batch, err = r.Next() {
					note(batch)
				}
				require.Equal(t, io.EOF, err)
			} else {
				_, err = r.Next()
				require.Equal(t, io.EOF, err)
			}
			slices.Sort(got)
			assert.Equal(t, want, got)
		}
		r.Close()
	}
}

func TestReadFile(t *testing.T) {
	root := dirtest.TempDir(t)
	long := strings.Repeat("0123456789", 2000)
	dirtest.Make(t, root, "sub/small", "sub/empty =", "sub/dir/")
	require.NoError(t, os.WriteFile(filepath.Join(root, "sub", "long"), []byte(long), 0o644))
	r := dir.NewReader(0)
	defer r.Close()
	d, err := r.Open(dir.Root(filepath.Join(root, "sub"), "label", 0))
	require.NoError(t, err)
	for name, want := range map[string]string{"small": "sub/small", "empty": "", "dir": "", "long": long} {
		for _, follow := range []bool{false, true} {
			data, err := d.ReadFile(name, follow, 1<<20)
			assert.NoError(t, err)
			assert.Equal(t, want, string(data), name)
		}
	}
	_, err = d.ReadFile("missing", true, 1<<20)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	var pathError *fs.PathError
	require.ErrorAs(t, err, &pathError)
	assert.Equal(t, "label/missing", pathError.Path)
}

func TestReadFileLinks(t *testing.T) {
	root := dirtest.Tree(t, "links")
	r := dir.NewReader(0)
	defer r.Close()
	d, err := r.Open(dir.Root(root, root, 0))
	require.NoError(t, err)
	data, err := d.ReadFile("to-file", true, 1<<20)
	assert.NoError(t, err)
	assert.Equal(t, "file", string(data))
	data, err = d.ReadFile("to-file", false, 1<<20)
	assert.NoError(t, err)
	assert.Empty(t, data)
}

// Directories below inherit the Context, unless they get their own.
func TestContext(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "a/b/c")
	r := dir.NewReader(0)
	defer r.Close()
	ref := dir.Root(root, root, 0)
	for _, want := range []any{nil, 0, 1} {
		d, err := r.Open(ref)
		require.NoError(t, err)
		assert.Equal(t, want, d.Context)
		d.Context = d.Depth
		batch, err := r.Next()
		require.NoError(t, err)
		ref = batch[0].Ref()
		assert.Equal(t, strings.Repeat("x/", d.Depth), strings.NewReplacer("a", "x", "b", "x").Replace(string(d.AppendBelow(nil))))
		assert.Equal(t, filepath.Base(batch[0].Path()), filepath.Base(string(batch[0].AppendBelow(nil))))
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
	}
	r.Drop(ref)
}
