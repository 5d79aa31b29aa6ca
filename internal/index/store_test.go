package index

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"

	"ldx/internal/state"
)

func TestDefaultStore(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Setenv("LOCALAPPDATA", `C:\Local`)
		s, err := DefaultStore()
		require.NoError(t, err)
		assert.Equal(t, `C:\Local\ldx`, s.path)
		return
	}
	t.Setenv("HOME", "/home/me")
	t.Setenv("XDG_STATE_HOME", "/state")
	s, err := DefaultStore()
	require.NoError(t, err)
	assert.Equal(t, "/state/ldx", s.path)
	t.Setenv("XDG_STATE_HOME", "relative")
	s, err = DefaultStore()
	require.NoError(t, err)
	want := "/home/me/.local/state/ldx"
	if runtime.GOOS == "darwin" {
		want = "/home/me/Library/Application Support/ldx"
	}
	assert.Equal(t, want, s.path)
}

// The files are for their owner alone.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access lists")
	}
	root, s := small(t)
	logged(t, root, s)
	entries, err := os.ReadDir(s.path)
	require.NoError(t, err)
	require.Len(t, entries, 3)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), info.Mode(), e.Name())
	}
	info, err := os.Stat(s.path)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
}

// Files of other users, or that others may write, are not used.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	root, s := small(t)
	logged(t, root, s)
	snap, log := s.file(root, snapshotExt), s.file(root, logExt)

	require.NoError(t, os.Chown(log, 65534, -1))
	assert.Zero(t, open(t, s, root).Info().LogSize)
	require.NoError(t, os.Chown(log, 0, -1))
	assert.NotZero(t, open(t, s, root).Info().LogSize)

	require.NoError(t, os.Chown(snap, 65534, -1))
	_, err := s.Open(root)
	assert.ErrorIs(t, err, ErrOwner)
	require.NoError(t, os.Chown(snap, 0, -1))
	require.NoError(t, os.Chmod(snap, 0o620))
	_, err = s.Open(root)
	assert.ErrorIs(t, err, ErrOwner)

	require.NoError(t, os.Chown(s.path, 65534, -1))
	_, err = s.lock(root)
	assert.ErrorIs(t, err, ErrOwner)
}

// A link in place of a snapshot is not followed, nor is anything but a file opened.
func TestNotAFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not every user may make links on Windows")
	}
	root, s := small(t)
	path := s.file(root, snapshotExt)
	require.NoError(t, os.Rename(path, path+"2"))
	require.NoError(t, os.Symlink(path+"2", path))
	_, err := s.Open(root)
	assert.Error(t, err)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	_, err = s.Open(root)
	assert.ErrorIs(t, err, ErrOwner)
}

func TestVersions(t *testing.T) {
	root, s := small(t)
	logged(t, root, s)
	snap, log := contents(t, s, root)
	write := func(extension string, data []byte) {
		require.NoError(t, os.WriteFile(s.file(root, extension), data, 0o600))
	}
	for _, v := range []uint32{0, version + 1, 1 << 31} {
		other := append([]byte{}, snap...)
		binary.LittleEndian.PutUint32(other[8:], v)
		write(snapshotExt, other)
		_, err := s.Open(root)
		assert.ErrorIs(t, err, ErrVersion)
	}
	for _, data := range [][]byte{nil, {0}, []byte("#!/bin/sh\n"), log} {
		write(snapshotExt, data)
		_, err := s.Open(root)
		assert.ErrorIs(t, err, ErrDamaged)
	}
	write(snapshotExt, snap)
	for _, data := range [][]byte{nil, {0}, snap, log[:state.LogHeaderSize-1], logHeader(0)} {
		write(logExt, data)
		rec := open(t, s, root)
		assert.Zero(t, rec.Info().LogSize)
		compare(t, rec, root, false)
	}
}

func TestFind(t *testing.T) {
	s := NewStore(filepath.Join(dirtest.TempDir(t), "none"))
	_, err := s.find("/")
	assert.ErrorIs(t, err, fs.ErrNotExist)

	root, s := small(t)
	for _, path := range []string{root, filepath.Join(root, "a", "b"), filepath.Join(root, "none")} {
		rec, err := s.find(path)
		require.NoError(t, err)
		assert.Equal(t, root, rec.Info().Root)
		require.NoError(t, rec.Close())
	}
	_, err = s.find(filepath.Dir(root))
	assert.ErrorIs(t, err, fs.ErrNotExist)

	lock, err := s.lock(root)
	require.NoError(t, err)
	require.NoError(t, lock.drop())
	require.NoError(t, lock.Close())
	_, err = s.find(root)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// One writer at a time; a writer that has seen an older recording writes nothing.
func TestWriters(t *testing.T) {
	root, s := small(t)
	lock, err := s.lock(root)
	require.NoError(t, err)
	_, err = s.lock(root)
	assert.ErrorIs(t, err, ErrLocked)
	other, err := s.lock(filepath.Dir(root))
	require.NoError(t, err)
	require.NoError(t, other.Close())
	require.NoError(t, lock.Close())

	old := open(t, s, root)
	tick(t, root)
	dirtest.Make(t, root, "a/new/x")
	first, second := newUpdate(old), newUpdate(old)
	require.NotZero(t, record(t, first, root))
	require.NotZero(t, record(t, second, root))
	require.NoError(t, write(t, s, root, first))
	assert.ErrorIs(t, write(t, s, root, second), ErrStale)
	rewrite(t, s, root)
	assert.ErrorIs(t, write(t, s, root, first), ErrStale)
	_, read := compare(t, open(t, s, root), root, true)
	assert.Zero(t, read)
	compare(t, old, root, false) // the old mapping is still there
}

// While one goroutine writes again and again, others always find a whole recording.
func TestReadersAndWriter(t *testing.T) {
	root, s := small(t)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				rec, err := s.Open(root)
				if assert.NoError(t, err) {
					assert.NotZero(t, rec.node(filepath.Join(root, "a", "d")))
					assert.NoError(t, rec.Close())
				}
			}
		})
	}
	for range 50 {
		w := newWriter(root, nil)
		record(t, w, root)
		require.NoError(t, write(t, s, root, w))
		rec := open(t, s, root)
		for range 3 {
			n := newUpdate(rec)
			n.recorder().add(&listing{node: n.newNode(), directory: directory{parent: rootNode}})
			_ = write(t, s, root, n) // the second is stale
		}
	}
	close(done)
	readers.Wait()
}
