package index

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/walk"
)

// record walks the tree below root and adds all directories to w, whatever
// their age. With base, only those that are not as recorded there.
func record(t testing.TB, w *writer, root string) (added int) {
	w.slack = -time.Hour // what the tests make is young
	w.complete = !w.heals
	roots := []walk.Root{{Path: root, Label: root}}
	if w.base != nil {
		roots[0].Recording, roots[0].Node = w.base, rootNode
	}
	opt := walk.Options{
		Workers: max(2, runtime.GOMAXPROCS(0)), MaxDepth: walk.Unlimited, Hidden: true, Recorder: func() dir.Recorder { return w.recorder() },
		Report: func(err error) { t.Log(err) },
	}
	walk.Walk(context.Background(), roots, opt, func() walk.Visitor {
		return walk.Visitor{
			Visit: func(*dir.Entry) walk.Action { return walk.Continue },
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	for _, r := range w.recorders {
		added += len(r.payloads)
	}
	return added
}

// tick returns when the file system's clock has moved on, so that the next change is seen.
// Removing an entry leaves a stamp of the coarse clock, on tmpfs of Linux 6.18 too.
func tick(t testing.TB, root string) {
	path := filepath.Join(filepath.Dir(root), filepath.Base(root)+"-tick")
	defer func() { assert.NoError(t, os.Remove(path)) }()
	for first := (Stamp{}); ; {
		require.NoError(t, os.Mkdir(path, 0o755))
		now := stampOf(t, path)
		if first != (Stamp{}) && now.Changed != first.Changed {
			return
		} else if first == (Stamp{}) {
			first = now
		}
		require.NoError(t, os.Remove(path))
	}
}

// entriesOf returns the names and types in a directory, sorted.
func entriesOf(t testing.TB, path string) (list []string) {
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name()+"\x00"+e.Type().String())
	}
	slices.Sort(list)
	return list
}

// anyDir returns a directory for Append.
func anyDir(t testing.TB) (d *dir.Dir, closeReader func()) {
	r := dir.NewReader(0)
	d, err := r.Open(dir.Root(".", ".", 0))
	require.NoError(t, err)
	return d, r.Close
}

// fresh reports whether the directory with the stamp now still has what is recorded for n.
func fresh(rec *Recording, n Node, now Stamp) bool {
	s, proves := rec.Stamp(n)
	return proves && s == now && sound(rec, n)
}

// sound reports whether what is recorded for n is not damaged.
func sound(rec *Recording, n Node) bool {
	d, ok := rec.directory(n)
	return ok && rec.whole(n, &d)
}

// recalled returns the recorded entries of n, as entriesOf does, and the nodes of directories.
func recalled(t testing.TB, rec *Recording, n Node) (list []string, nodes map[string]Node) {
	d, closeReader := anyDir(t)
	defer closeReader()
	nodes = map[string]Node{}
	var batch []dir.Entry
	for at, err := (dir.Position{}), error(nil); err != io.EOF; {
		batch, err = rec.Append(n, d, batch, &at, nil)
		if err != io.EOF {
			require.NoError(t, err)
		}
	}
	for i := range batch {
		e := &batch[i]
		list = append(list, string(e.Name)+"\x00"+e.Type.String())
		if e.Node != 0 {
			nodes[string(e.Name)] = e.Node
			require.Equal(t, fs.ModeDir, e.Type)
			require.Equal(t, e.Node, rec.child(n, e.Name))
		}
	}
	slices.Sort(list)
	return list, nodes
}

// compare requires that each directory below root that is fresh has the entries of the file
// system, and returns the number of directories and of those that are not fresh. With
// unverified, the stamps are not asked: everything that is not damaged must be right.
func compare(t testing.TB, rec *Recording, root string, unverified bool) (all, read int) {
	var visit func(n Node, path string)
	visit = func(n Node, path string) {
		all++
		want := entriesOf(t, path)
		var nodes map[string]Node
		isFresh := n != 0 && (fresh(rec, n, stampOf(t, path)) || unverified && sound(rec, n))
		if isFresh {
			var got []string
			got, nodes = recalled(t, rec, n)
			require.Equal(t, want, got, path)
		} else {
			read++
		}
		for _, e := range want {
			if name, ok := isDirectory(e); ok {
				child := nodes[name]
				if !isFresh {
					child = rec.child(n, []byte(name))
				}
				visit(child, filepath.Join(path, name))
			}
		}
	}
	visit(rec.node(root), root)
	return all, read
}

func isDirectory(e string) (name string, ok bool) {
	i := slices.Index([]byte(e), 0)
	return e[:i], e[i+1:] == fs.ModeDir.String()
}

// update brings a recording up to date and returns the number of directories that were read.
func update(t testing.TB, s Store, root string) int { return updateAs(t, s, root, false) }

// heal is like update, by what a search reads.
func heal(t testing.TB, s Store, root string) int { return updateAs(t, s, root, true) }

func updateAs(t testing.TB, s Store, root string, heals bool) (added int) {
	rec, err := s.Open(root)
	require.NoError(t, err)
	defer rec.Close()
	w := newUpdate(rec)
	w.heals = heals
	added = record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	return added
}

// requireWhole requires that a recording has all directories as they are.
func requireWhole(t testing.TB, s Store, root string) {
	rec, err := s.Open(root)
	require.NoError(t, err)
	defer rec.Close()
	_, read := compare(t, rec, root, true)
	require.Zero(t, read)
}

// write takes the lock and writes w.
func write(t testing.TB, s Store, root string, w *writer) error {
	lock, err := s.lock(root)
	require.NoError(t, err)
	defer lock.Close()
	return lock.write(w)
}

// open opens a recording until the test ends.
func open(t testing.TB, s Store, root string) *Recording {
	rec, err := s.Open(root)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, rec.Close()) })
	return rec
}

// needStamps skips the test where directories have no stamps, and in qemu-user, whose times have
// no parts of a second.
func needStamps(t testing.TB) {
	if now := stampOf(t, dirtest.TempDir(t)); !dir.HasStamps || now.Modified%1e9 == 0 && now.Changed%1e9 == 0 {
		t.Skip("directories have no stamps here, or coarse ones")
	}
}

// stampOf returns the stamp that a Reader has of a directory.
func stampOf(t testing.TB, path string) Stamp {
	r, seen := dir.NewReader(0), &stampRecorder{}
	defer r.Close()
	r.OnRecord(seen)
	_, err := r.Open(dir.Root(path, path, 0))
	for err == nil {
		_, err = r.Next()
	}
	require.Equal(t, io.EOF, err)
	return seen.stamp
}

// A stampRecorder keeps the stamp of the last directory.
type stampRecorder struct{ stamp Stamp }

func (*stampRecorder) Node(int) Node { return 1 }

func (r *stampRecorder) Record(l *dir.Listing, _ *dir.Dir) { r.stamp = l.Stamp }

// recorded makes a tree from a seed and a recording of it.
func recorded(t testing.TB, seed uint64) (root string, s Store) {
	needStamps(t)
	root, s = dirtest.TempDir(t), NewStore(filepath.Join(dirtest.TempDir(t), "state", "ldx"))
	dirtest.Random(t, root, seed)
	w := newWriter(root, nil)
	record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	return root, s
}
