package index

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/walk"
)

func stampOf(t testing.TB, path string) Stamp {
	info, err := os.Lstat(path)
	require.NoError(t, err)
	return stampOfInfo(info)
}

// record walks the tree below root and adds all directories to w, as stable and trusted.
func record(t testing.TB, w *Writer, root string) {
	type place struct {
		parent Node
		name   string
	}
	var mu sync.Mutex
	places := map[Node]place{}
	suspended := map[*dir.Dir]*Listing{}
	first := w.Node()
	opt := walk.Options{
		Workers: max(2, runtime.GOMAXPROCS(0)), MaxDepth: walk.Unlimited, Hidden: true,
		Report: func(err error) { t.Log(err) },
	}
	walk.Walk(context.Background(), []walk.Root{{Path: root, Label: root}}, opt, func() walk.Visitor {
		out := w.Recorder()
		own := &Listing{}
		l := own
		return walk.Visitor{
			Begin: func(d *dir.Dir) {
				mu.Lock()
				defer mu.Unlock()
				if s := suspended[d]; s != nil {
					delete(suspended, d)
					l = s
					return
				}
				l.Reset()
				l.Node = Node(d.Tag)
				if d.Depth == 0 {
					l.Node = first
				}
				p := places[l.Node]
				l.Parent, l.Name = p.parent, []byte(p.name)
				l.Stamp, l.Stable, l.Trusted = stampOf(t, filepath.Join(root, string(d.AppendBelow(nil)))), true, true
			},
			Visit: func(e *dir.Entry) walk.Action {
				l.Append(e.Name, e.Type)
				if e.Type == fs.ModeDir {
					e.Tag = uint32(w.Node())
					mu.Lock()
					places[Node(e.Tag)] = place{l.Node, string(e.Name)}
					mu.Unlock()
				}
				return walk.Continue
			},
			Pause: func(bool) walk.Action { return walk.Continue },
			End: func(d *dir.Dir, err error) {
				switch {
				case errors.Is(err, walk.ErrSuspended):
					mu.Lock()
					suspended[d] = l
					mu.Unlock()
					l = &Listing{}
				case err == nil:
					out.Add(l)
				}
			},
		}
	})
}

// tick returns when the file system's clock has moved on, so that the next change is seen.
// Removing an entry leaves a stamp of the coarse clock, on tmpfs of Linux 6.18 too.
func tick(t testing.TB, root string) {
	path := filepath.Join(filepath.Dir(root), filepath.Base(root)+"-tick")
	defer func() { assert.NoError(t, os.Remove(path)) }()
	for first := (Stamp{}); ; {
		require.NoError(t, os.WriteFile(path, nil, 0o644))
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

// recalled returns the recorded entries of n, as entriesOf does, and the nodes of directories.
func recalled(t testing.TB, rec *Recording, n Node, path string) (list []string, nodes map[string]Node) {
	r := dir.NewReader(0)
	defer r.Close()
	batch, err := rec.Append(n, r.Enter(dir.Root(path, path, 0)), nil)
	require.NoError(t, err)
	nodes = map[string]Node{}
	for i := range batch {
		e := &batch[i]
		list = append(list, string(e.Name)+"\x00"+e.Type.String())
		if e.Tag != 0 {
			nodes[string(e.Name)] = Node(e.Tag)
			require.Equal(t, fs.ModeDir, e.Type)
			require.Equal(t, Node(e.Tag), rec.Child(n, e.Name))
		}
	}
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
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
		fresh := n != 0 && (rec.Fresh(n, stampOf(t, path)) || unverified && rec.Check(n) == nil)
		if fresh {
			var got []string
			got, nodes = recalled(t, rec, n, path)
			require.Equal(t, want, got, path)
		} else {
			read++
		}
		for _, e := range want {
			if name, ok := isDirectory(e); ok {
				child := nodes[name]
				if !fresh {
					child = rec.Child(n, []byte(name))
				}
				visit(child, filepath.Join(path, name))
			}
		}
	}
	visit(rec.Root(root), root)
	return all, read
}

func isDirectory(e string) (name string, ok bool) {
	i := slices.Index([]byte(e), 0)
	return e[:i], e[i+1:] == fs.ModeDir.String()
}

// update adds the directories that are not fresh to w.
func update(t testing.TB, w *Writer, root string) (added int) {
	out := w.Recorder()
	var visit func(n, parent Node, name, path string)
	visit = func(n, parent Node, name, path string) {
		list := entriesOf(t, path)
		stamp := stampOf(t, path)
		if n == 0 || !w.base.Fresh(n, stamp) {
			if added++; n == 0 {
				n = w.Node()
			}
			l := Listing{Node: n, Parent: parent, Name: []byte(name), Stamp: stamp, Stable: true, Trusted: true}
			entries, err := os.ReadDir(path)
			require.NoError(t, err)
			for _, e := range entries {
				l.Append([]byte(e.Name()), e.Type())
			}
			out.Add(&l)
		}
		for _, e := range list {
			if name, ok := isDirectory(e); ok {
				visit(w.base.Child(n, []byte(name)), n, name, filepath.Join(path, name))
			}
		}
	}
	visit(rootNode, 0, "", root)
	return added
}

// write takes the lock and writes w.
func write(t testing.TB, s Store, root string, w *Writer) error {
	lock, err := s.Lock(root)
	require.NoError(t, err)
	defer lock.Close()
	return lock.Write(w)
}

// open opens a recording until the test ends.
func open(t testing.TB, s Store, root string) *Recording {
	rec, err := s.Open(root)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, rec.Close()) })
	return rec
}

// recorded makes a tree from a seed and a recording of it.
func recorded(t testing.TB, seed uint64) (root string, s Store) {
	root, s = dirtest.TempDir(t), NewStore(filepath.Join(dirtest.TempDir(t), "state", "ldx"))
	dirtest.Random(t, root, seed)
	w := NewWriter(root)
	record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	return root, s
}
