package dir_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// list lists the directory that ref names, and calls visit for each entry. It returns the
// first error.
func list(r *dir.Reader, ref dir.Ref, visit func(e *dir.Entry)) error {
	if _, err := r.Open(ref); err != nil {
		return err
	}
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range batch {
			visit(&batch[i])
		}
	}
}

// names returns the names below path, sorted.
func names(t *testing.T, path string) (found []string) {
	t.Helper()
	r := dir.NewReader(0)
	defer r.Close()
	require.NoError(t, list(r, dir.Root(path, path, 0), func(e *dir.Entry) {
		found = append(found, string(e.Name))
	}))
	slices.Sort(found)
	return found
}

func TestListIsThatOfReadDir(t *testing.T) {
	for _, name := range []string{"basic", "links", "loops"} {
		t.Run(name, func(t *testing.T) {
			root := dirtest.Tree(t, name)
			want := map[string]fs.FileMode{}
			list1, err := os.ReadDir(root)
			require.NoError(t, err)
			for _, e := range list1 {
				want[filepath.Join(root, e.Name())] = e.Type()
			}
			got := map[string]fs.FileMode{}
			r := dir.NewReader(0)
			defer r.Close()
			require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
				assert.Equal(t, 1, e.Depth())
				got[filepath.Clean(e.Path())] = e.Type
			}))
			assert.Equal(t, want, got)
		})
	}
}

func TestListManyBatches(t *testing.T) {
	root := dirtest.TempDir(t)
	var want []string
	for i := range 5000 {
		want = append(want, fmt.Sprint("a-rather-long-name-to-fill-the-buffer-", i))
	}
	dirtest.Make(t, root, want...)
	slices.Sort(want)
	assert.Equal(t, want, names(t, root))
}

func TestCalls(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "a/1", "a/2", "b/", "c/3")
	r := dir.NewReader(0)
	defer r.Close()
	var refs []dir.Ref
	require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) { refs = append(refs, e.Ref()) }))
	entries := 0
	for _, ref := range refs {
		require.NoError(t, list(r, ref, func(e *dir.Entry) {
			entries++
			_, err := e.Info(dir.Owner | dir.Links | dir.Identity) // no listing has these
			require.NoError(t, err)
			_, err = e.Info(dir.Links) // known
			require.NoError(t, err)
		}))
	}
	gone := filepath.Join(root, "gone")
	_, err := r.Open(dir.Root(gone, gone, 0))
	require.Error(t, err)
	calls := r.Calls()
	assert.Equal(t, int64(5), calls.Open)
	assert.Equal(t, int64(4), calls.Close, "what was not opened is not closed")
	assert.GreaterOrEqual(t, calls.List, int64(4))
	assert.LessOrEqual(t, calls.List, int64(8))
	// On Linux there is one more call for each directory whose mount is not known.
	assert.GreaterOrEqual(t, calls.Entry, int64(entries))
	assert.LessOrEqual(t, calls.Entry, int64(entries)+calls.Open)
	assert.Equal(t, calls.Open+calls.List+calls.Close+calls.Entry, calls.Sum())
}

func TestRefsOutliveTheListing(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "a/1", "b/2", "c/d/3")
	r := dir.NewReader(0)
	defer r.Close()
	var refs []dir.Ref
	keep := func(e *dir.Entry) {
		if e.Type.IsDir() {
			refs = append(refs, e.Ref())
		}
	}
	require.NoError(t, list(r, dir.Root(root, "root", 7), keep))
	var got []string
	for len(refs) > 0 {
		ref := refs[0]
		refs = refs[1:]
		if len(refs) == 1 {
			ref = ref.Detach() // a third way to open: by path
		}
		require.NoError(t, list(r, ref, func(e *dir.Entry) {
			assert.Equal(t, 7, e.Dir.Root())
			keep(e)
			got = append(got, e.Path())
		}))
	}
	slices.Sort(got)
	assert.Equal(t, []string{"root/a/1", "root/b/2", "root/c/d", "root/c/d/3"}, got)
}

func TestSuspend(t *testing.T) {
	root := dirtest.TempDir(t)
	var want []string
	for i := range 3000 {
		want = append(want, fmt.Sprint("some-longer-name-", i))
	}
	dirtest.Make(t, root, want...)
	slices.Sort(want)

	var got []string
	one, two := dir.NewReader(0), dir.NewReader(0)
	defer one.Close()
	defer two.Close()
	ref := dir.Root(root, root, 0)
	for {
		_, err := one.Open(ref)
		require.NoError(t, err)
		batch, err := one.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		for i := range batch {
			got = append(got, string(batch[i].Name))
		}
		ref = one.Suspend()
		one, two = two, one
	}
	slices.Sort(got)
	assert.Equal(t, want, got)
}

// If a directory is removed or replaced after it was listed, Vanished is true for the error.
// A link in its place is not followed.
func TestVanished(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"removed":           func(*testing.T, string) {},
		"replaced by file":  func(t *testing.T, path string) { dirtest.Make(t, filepath.Dir(path), "victim") },
		"replaced by link":  func(t *testing.T, path string) { dirtest.Make(t, filepath.Dir(path), "victim -> other") },
		"replaced by a dir": nil,
	} {
		for _, byPath := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				root := dirtest.TempDir(t)
				dirtest.Make(t, root, "victim/", "other/secret")
				r := dir.NewReader(0)
				defer r.Close()
				var victim dir.Ref
				require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
					if string(e.Name) == "victim" {
						victim = e.Ref()
					}
				}))
				if byPath {
					victim = victim.Detach()
				}
				if change == nil {
					require.NoError(t, list(r, victim, func(*dir.Entry) { t.Error("it is empty") }))
					return
				}
				path := filepath.Join(root, "victim")
				require.NoError(t, os.Remove(path))
				change(t, path)
				_, err := r.Open(victim)
				require.Error(t, err)
				assert.True(t, dir.Vanished(err), err)
				var pathErr *fs.PathError
				require.ErrorAs(t, err, &pathErr)
				assert.Equal(t, filepath.ToSlash(path), filepath.ToSlash(pathErr.Path))
			})
		}
	}
}

func TestRootEntry(t *testing.T) {
	root := dirtest.Tree(t, "links")
	r := dir.NewReader(0)
	defer r.Close()
	for name, want := range map[string]fs.FileMode{
		"file": 0, "dir": fs.ModeDir, "to-file": fs.ModeSymlink, "broken": fs.ModeSymlink,
	} {
		e, err := r.Root(dir.Root(filepath.Join(root, name), "label/"+name, 0))
		require.NoError(t, err)
		assert.Equal(t, want, e.Type)
		assert.Equal(t, "label/"+name, e.Path())
		assert.Equal(t, name, string(e.Name))
		assert.Zero(t, e.Depth())
	}
	_, err := r.Root(dir.Root(filepath.Join(root, "none"), "none", 0))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// Root does not change the paths of directories opened after it.
func TestRootBetweenTwoDirectories(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/child/leaf", "elsewhere/file")
	r := dir.NewReader(0)
	defer r.Close()
	var child dir.Ref
	require.NoError(t, list(r, dir.Root(filepath.Join(tree, "a"), "a", 0), func(e *dir.Entry) { child = e.Ref() }))
	_, err := r.Root(dir.Root(filepath.Join(tree, "elsewhere", "file"), "some/where/file", 1))
	require.NoError(t, err)
	require.NoError(t, list(r, child, func(e *dir.Entry) { assert.Equal(t, "a/child/leaf", e.Path()) }))
}

func TestInfoAndFollow(t *testing.T) {
	root := dirtest.Tree(t, "links")
	r := dir.NewReader(0)
	defer r.Close()
	seen := 0
	require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
		seen++
		lstat, err := os.Lstat(e.Path())
		require.NoError(t, err)
		info, err := e.Info(dir.Mode | dir.Size)
		require.NoError(t, err)
		assert.Equal(t, lstat.Mode(), info.Mode, "%s", e.Name)
		assert.Equal(t, lstat.Size(), info.Size, "%s", e.Name)

		require.NoError(t, e.Follow())
		target, err := os.Stat(e.Path())
		if err != nil {
			assert.Equal(t, fs.ModeSymlink, e.Type, "%s leads nowhere", e.Name)
			return
		}
		info, err = e.Info(dir.Identity | dir.Size)
		require.NoError(t, err)
		assert.Equal(t, target.Mode().Type(), e.Type, "%s", e.Name)
		assert.Equal(t, target.Size(), info.Size, "%s", e.Name)
		assert.Equal(t, lstat.Mode().Type() == fs.ModeSymlink, e.Followed(), "%s", e.Name)
	}))
	assert.Equal(t, 8, seen)
}

func TestEmpty(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "void/", "full/x")
	r := dir.NewReader(0)
	defer r.Close()
	require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
		empty, err := e.Empty()
		require.NoError(t, err)
		assert.Equal(t, string(e.Name) == "void", empty)
	}))
}
