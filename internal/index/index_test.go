package index

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/state"
)

func seeds(t *testing.T, rounds uint64) (first, last uint64) {
	first = dirtest.Setting(t, "LDX_SEED", rand.Uint64N(1<<32))
	return first, first + dirtest.Setting(t, "LDX_ROUNDS", rounds)
}

// A recording gives the entries of each directory, until the directory changes.
func TestRoundTrip(t *testing.T) {
	first, last := seeds(t, 20)
	for seed := first; seed < last; seed++ {
		t.Run(fmt.Sprintf("LDX_SEED=%d", seed), func(t *testing.T) {
			root, s := recorded(t, seed)
			rec := open(t, s, root)
			all, read := compare(t, rec, root, false)
			assert.Zero(t, read, "of %d", all)
			assert.Equal(t, all, rec.Info().Directories)
			assert.False(t, rec.due())
		})
	}
}

func TestNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("these names cannot be made on Windows")
	}
	root, s := dirtest.TempDir(t), NewStore(dirtest.TempDir(t))
	for _, name := range dirtest.WeirdNames() {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "x", name, name), 0o755))
	}
	require.NoError(t, os.Chmod(s.path, 0o700))
	w := newWriter(root, nil)
	record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	rec := open(t, s, root)
	_, read := compare(t, rec, root, true)
	assert.Zero(t, read)
	for _, name := range dirtest.WeirdNames() {
		assert.NotZero(t, rec.node(filepath.Join(root, "x", name, name)), name)
	}
	assert.Zero(t, rec.node(filepath.Join(root, "none")))
	assert.Zero(t, rec.node(root+"x"))
	assert.Zero(t, rec.node(filepath.Dir(root)))
}

// A recording is brought up to date by its log, again and again, and written anew with it.
func TestUpdate(t *testing.T) {
	first, last := seeds(t, 20)
	for seed := first; seed < last; seed++ {
		t.Run(fmt.Sprintf("LDX_SEED=%d", seed), func(t *testing.T) {
			root, s := recorded(t, seed)
			r := rand.New(rand.NewPCG(seed, 2))
			for round := range 6 {
				tick(t, root)
				for i := range 1 + r.IntN(8) {
					change(t, r, root, fmt.Sprint(round, "-", i))
				}
				compare(t, open(t, s, root), root, false)
				update(t, s, root)
				requireWhole(t, s, root)
			}
			rewrite(t, s, root)
			rec := open(t, s, root)
			all, read := compare(t, rec, root, true)
			assert.Zero(t, read)
			assert.Equal(t, all, rec.Info().Directories)
			assert.Zero(t, rec.Info().LogSize)
		})
	}
}

func rewrite(t *testing.T, s Store, root string) {
	lock, err := s.lock(root)
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, lock.rewrite())
}

// change makes one random change below root.
func change(t *testing.T, r *rand.Rand, root, name string) {
	var dirs []string
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if e.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	}))
	pick := func() string { return dirs[r.IntN(len(dirs))] }
	parent, other := pick(), pick()
	switch r.IntN(5) {
	case 0:
		require.NoError(t, os.WriteFile(filepath.Join(parent, name), nil, 0o644))
	case 1:
		require.NoError(t, os.MkdirAll(filepath.Join(parent, name, "sub", "sub"), 0o755))
	case 2:
		if parent != root {
			require.NoError(t, os.RemoveAll(parent))
		}
	case 3: // fails if one is in the other
		_ = os.Rename(parent, filepath.Join(other, name))
	case 4: // a file takes the place of a directory
		if parent != root {
			require.NoError(t, os.RemoveAll(parent))
			require.NoError(t, os.WriteFile(parent, nil, 0o644))
		}
	}
}

// A directory that was renamed or moved within its parent is read again, and so is its parent,
// but nothing below.
func TestRenamed(t *testing.T) {
	root, s := small(t)
	for _, name := range []string{"renamed", "renamed again"} {
		dirtest.Make(t, root, "p/old/a/b/", "p/old/c/", "p/other/")
		update(t, s, root)
		tick(t, root)
		require.NoError(t, os.Rename(filepath.Join(root, "p", "old"), filepath.Join(root, "p", name)))
		assert.Equal(t, 2, update(t, s, root))
		requireWhole(t, s, root)
	}
}

// Two directories that have changed places are not taken for each other.
func TestSwapped(t *testing.T) {
	root, s := small(t)
	tick(t, root)
	for _, names := range [][2]string{{"a", "swap"}, {"f", "a"}, {"swap", "f"}} {
		require.NoError(t, os.Rename(filepath.Join(root, names[0]), filepath.Join(root, names[1])))
	}
	assert.NotZero(t, update(t, s, root))
	requireWhole(t, s, root)
}

// A directory that could not be read is recorded by a search once it can. One that was left out
// is not.
func TestUnread(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every directory")
	}
	root, s := small(t)
	closed := filepath.Join(root, "a", "closed")
	require.NoError(t, os.MkdirAll(filepath.Join(closed, "sub"), 0o755))
	require.NoError(t, os.Chmod(closed, 0))
	w := newWriter(root, nil)
	record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	require.NoError(t, os.Chmod(closed, 0o755))
	rec := open(t, s, root)
	n := rec.node(closed)
	require.NotZero(t, n)
	_, proves := rec.Stamp(n)
	require.False(t, proves)
	assert.Equal(t, 2, heal(t, s, root))
	requireWhole(t, s, root)
}

// A directory that vanished while its parent was recorded is recorded once it is there again.
func TestVanished(t *testing.T) {
	needStamps(t)
	root, s := dirtest.TempDir(t), NewStore(filepath.Join(dirtest.TempDir(t), "ldx"))
	dirtest.Make(t, root, "gone/")
	w := newWriter(root, nil)
	w.slack, w.complete = -time.Hour, true
	r := dir.NewReader(0)
	defer r.Close()
	r.OnRecord(w.recorder())
	_, err := r.Open(dir.Root(root, root, 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	gone := batch[0].Ref()
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	require.NoError(t, os.Remove(filepath.Join(root, "gone")))
	_, err = r.Open(gone)
	require.True(t, dir.Vanished(err), err)
	require.NoError(t, write(t, s, root, w))

	dirtest.Make(t, root, "gone/sub/", "other/")
	assert.Equal(t, 4, heal(t, s, root))
	requireWhole(t, s, root)
}

// A root that was replaced by another directory is recorded again.
func TestRootReplaced(t *testing.T) {
	root, s := small(t)
	tick(t, root)
	require.NoError(t, os.Rename(root, root+"-away"))
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(root+"-away")) })
	dirtest.Make(t, filepath.Dir(root), filepath.Base(root)+"/a/b/c", filepath.Base(root)+"/new/x")
	for _, want := range []int{4, 0} { // the root, a, a/b, new
		assert.Equal(t, want, update(t, s, root))
	}
	requireWhole(t, s, root)
}

// A stamp shows each change of names, also if mtime is put back.
func TestFresh(t *testing.T) {
	root, s := recorded(t, 1)
	rec := open(t, s, root)
	now := stampOf(t, root)
	assert.True(t, fresh(rec, rootNode, now))
	for _, other := range []Stamp{
		{Device: now.Device + 1, Inode: now.Inode, Modified: now.Modified, Changed: now.Changed},
		{Device: now.Device, Inode: now.Inode + 1, Modified: now.Modified, Changed: now.Changed},
		{Device: now.Device, Inode: now.Inode, Modified: now.Modified - 1, Changed: now.Changed},
		{Device: now.Device, Inode: now.Inode, Modified: now.Modified, Changed: now.Changed + 1},
	} {
		assert.False(t, fresh(rec, rootNode, other))
	}
	assert.False(t, fresh(rec, 0, now))
	assert.False(t, fresh(rec, 1<<31, now))

	for _, flags := range []uint32{0, stable, trusted} {
		w := newWriter("/x", nil)
		w.recorder().add(&listing{node: w.newNode(), directory: directory{flags: flags, stamp: now}})
		s := NewStore(filepath.Join(dirtest.TempDir(t), "ldx"))
		require.NoError(t, write(t, s, "/x", w))
		rec := open(t, s, "/x")
		assert.False(t, fresh(rec, rootNode, now))
		assert.True(t, sound(rec, rootNode))
	}
}

func TestStable(t *testing.T) {
	began := time.Unix(1000, 0)
	old, young := began.Add(-4*time.Second).UnixNano(), began.Add(-2*time.Second).UnixNano()
	assert.True(t, Stamp{Modified: old, Changed: old}.Stable(began, state.Slack))
	assert.False(t, Stamp{Modified: old, Changed: young}.Stable(began, state.Slack))
	assert.False(t, Stamp{Modified: young, Changed: old}.Stable(began, state.Slack))
	assert.False(t, Stamp{Modified: old, Changed: began.Add(time.Hour).UnixNano()}.Stable(began, state.Slack))
}

func TestTrusted(t *testing.T) {
	for _, name := range []string{"ext4", "xfs", "btrfs", "tmpfs", "zfs", "apfs"} {
		assert.Equal(t, keepsTimes, trustOf(name), name)
	}
	for _, name := range []string{"", "vfat", "fuse", "nfs", "overlay", "9p"} {
		assert.Equal(t, keepsNames, trustOf(name), name)
	}
	if runtime.GOOS != "linux" {
		return
	}
	for path, want := range map[string]string{"/proc": "proc", "/sys": "sysfs", "/dev/shm": "tmpfs"} {
		r := dir.NewReader(0)
		d, err := r.Open(dir.Root(path, path, 0))
		require.NoError(t, err)
		got, err := d.FileSystem()
		assert.NoError(t, err)
		assert.Equal(t, want, got, path)
		r.Close()
	}
}

// Recalling allocates nothing, and opening a number of times that does not grow with the tree.
func TestAllocations(t *testing.T) {
	root, s := recorded(t, 3)
	rec := open(t, s, root)
	d, closeReader := anyDir(t)
	defer closeReader()
	now := stampOf(t, root)
	batch := make([]dir.Entry, 0, 1000)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if !fresh(rec, rootNode, now) {
			t.Error("not fresh")
		}
		if _, err := rec.Append(rootNode, d, batch, new(dir.Position), nil); err != io.EOF {
			t.Error(err)
		}
	}))
	assert.Less(t, testing.AllocsPerRun(10, func() {
		rec, err := s.Open(root)
		if err == nil {
			err = rec.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}), 25.0)
}
