package dir_test

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// A tree is a Recording of the directories below it, made by package os.
type tree string

func (tree) Stamp(dir.Node) (dir.Stamp, bool) { return dir.Stamp{}, false }

func (tree) Children(_ dir.Node, list []dir.Child) []dir.Child { return list }

func (r tree) Append(_ dir.Node, d *dir.Dir, batch []dir.Entry, _ *dir.Position, _ dir.AbsentFunc) ([]dir.Entry, error) {
	list, err := os.ReadDir(filepath.Join(string(r), string(d.AppendBelow(nil))))
	if err != nil {
		return batch, err
	}
	for _, e := range list {
		batch = d.AppendEntry(batch, append([]byte(e.Name()), 0)[:len(e.Name())], e.Type(), 1)
	}
	return batch, io.EOF
}

// recalled opens a directory of a tree and returns its entries.
func recalled(t *testing.T, r *dir.Reader, ref dir.Ref) (*dir.Dir, []dir.Entry) {
	t.Helper()
	d, err := r.Open(ref)
	require.NoError(t, err)
	require.True(t, d.Recalled())
	batch, err := r.Next()
	require.NoError(t, err)
	return d, batch
}

func rootOf(path, label string) dir.Ref {
	return dir.Root(path, label, 0).WithRecording(tree(path), 1, true)
}

// ended requires that there are no more entries.
func ended(t *testing.T, r *dir.Reader) {
	t.Helper()
	_, err := r.Next()
	require.Equal(t, io.EOF, err)
}

// A directory that is recalled is not opened until an entry's metadata is needed. Directories
// below it can be opened.
func TestRecall(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "a/b/c/file", "a/b/other", "a/top")
	r := dir.NewReader(0)
	defer r.Close()

	_, batch := recalled(t, r, rootOf(root, "label"))
	below := batch[0].Ref()
	ended(t, r)
	assert.Zero(t, r.Calls().Open)

	_, batch = recalled(t, r, below)
	var next dir.Ref
	for _, e := range batch {
		if e.Type == fs.ModeDir {
			assert.Equal(t, "label/a/b", e.Path())
			next = e.Ref()
		}
	}
	ended(t, r)
	assert.Zero(t, r.Calls().Open)

	b, batch := recalled(t, r, next)
	for _, e := range batch {
		info, err := e.Info(dir.Mode | dir.Size | dir.ModTime)
		require.NoError(t, err)
		want, err := os.Lstat(filepath.Join(root, "a", "b", string(e.Name)))
		require.NoError(t, err)
		assert.Equal(t, want.Mode(), info.Mode)
		assert.Equal(t, want.ModTime().Unix(), info.ModTime.Unix()) // qemu-user has no parts of a second
		if e.Type == fs.ModeDir {
			next = e.Ref()
		}
	}
	data, err := b.ReadFile("other", false, 10)
	require.NoError(t, err)
	assert.Equal(t, "a/b/other", string(data))
	ended(t, r)

	found := ""
	require.NoError(t, list(r, next, func(e *dir.Entry) { found = e.Path() }))
	assert.Equal(t, "label/a/b/c/file", found)
}

// A directory that was recalled and then replaced by a link is not opened.
func TestRecallReplaced(t *testing.T) {
	root, outside := dirtest.TempDir(t), dirtest.TempDir(t)
	dirtest.Make(t, root, "sub/file")
	dirtest.Make(t, outside, "file")
	r := dir.NewReader(0)
	defer r.Close()
	_, batch := recalled(t, r, rootOf(root, root))
	_, batch = recalled(t, r, batch[0].Ref())
	file := batch[0]

	require.NoError(t, os.Rename(filepath.Join(root, "sub"), filepath.Join(root, "away")))
	if err := os.Symlink(outside, filepath.Join(root, "sub")); err != nil {
		t.Skip(err)
	}
	_, err := file.Info(dir.Size)
	if dir.MaxReaders() < math.MaxInt { // package os uses the path
		assert.True(t, dir.Vanished(err), err)
	}
	_, err = file.Open()
	assert.Error(t, err)
	assert.Error(t, file.Remove())
	assert.FileExists(t, filepath.Join(outside, "file"))
}

// Open opens regular files only, and does not block.
func TestEntryOpen(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "file", "sub/x", "link -> file", "broken -> nowhere")
	r := dir.NewReader(0)
	defer r.Close()
	opened := map[string]string{}
	require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
		name := string(e.Name)
		f, err := e.Open()
		if err != nil {
			assert.ErrorIs(t, err, dir.ErrNotRegular, name)
			assert.NoError(t, e.Follow())
			if f, err = e.Open(); err != nil {
				return
			}
			name = "followed " + name
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		assert.NoError(t, err)
		opened[name] = string(data)
	}))
	want := map[string]string{"file": "file"}
	if _, err := os.Lstat(filepath.Join(root, "link")); err == nil {
		want["followed link"] = "file"
	}
	assert.Equal(t, want, opened)
}

// Remove removes links, not their targets, and directories only if they are empty.
func TestEntryRemove(t *testing.T) {
	root, outside := dirtest.TempDir(t), dirtest.TempDir(t)
	dirtest.Make(t, outside, "kept/file")
	dirtest.Make(t, root, "file", "full/x", "empty/", "link -> "+filepath.Join(outside, "kept"))
	r := dir.NewReader(0)
	defer r.Close()
	require.NoError(t, list(r, dir.Root(root, root, 0), func(e *dir.Entry) {
		assert.NoError(t, e.Follow())
		if err := e.Remove(); string(e.Name) == "full" {
			assert.Error(t, err)
		} else {
			assert.NoError(t, err, string(e.Name))
		}
	}))
	assert.Equal(t, []string{"full"}, names(t, root))
	assert.FileExists(t, filepath.Join(outside, "kept", "file"))
}

// Nothing is known about the file system of a directory that was recalled, even if its Dir is
// recycled. So a listing below it may take long.
func TestRecallRecycled(t *testing.T) {
	root := dirtest.TempDir(t)
	for i := range 100 { // enough for the mount table to be read
		dirtest.Make(t, root, fmt.Sprintf("%d/file", i))
	}
	r := dir.NewReader(0)
	defer r.Close()
	_, err := r.Open(dir.Root(root, "", 0))
	require.NoError(t, err)
	var refs []dir.Ref
	for {
		batch, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		for i := range batch {
			refs = append(refs, batch[i].Ref())
		}
	}
	for _, ref := range refs {
		require.NoError(t, list(r, ref, func(*dir.Entry) {}))
	}

	other := dirtest.TempDir(t)
	dirtest.Make(t, other, "sub/below/file")
	_, batch := recalled(t, r, rootOf(other, ""))
	ref := batch[0].Ref()
	ended(t, r)
	_, batch = recalled(t, r, ref)
	calls := 0
	r.OnWait(func(bool) { calls++ })
	_, err = batch[0].Info(dir.Size)
	require.NoError(t, err)
	assert.Equal(t, 2, calls)
}
