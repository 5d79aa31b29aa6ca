//go:build !windows

// The names are those of Unix.

package walk_test

import (
	"bytes"
	"cmp"
	"fmt"
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
	"ldx/internal/walk"
)

// inSequence walks and returns the paths in the order in which they are used.
func inSequence(t *testing.T, roots []walk.Root, opt walk.Options, s walk.Sequence, use func(path string) walk.Action) {
	t.Helper()
	s.Use = func(r *walk.Result) walk.Action { return use(string(r.Whole())) }
	opt.Sequence = &s
	if opt.Report == nil {
		opt.Report = func(err error) { t.Error(err) }
	}
	walk.Walk(t.Context(), roots, opt, func() walk.Visitor {
		var path []byte
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				path = e.AppendPath([]byte("> "))
				return walk.Continue
			},
			Result: func() ([]byte, int) { return path, len(">") },
			Pause:  func(bool) walk.Action { return walk.Continue },
		}
	})
}

// odd makes a random tree with odd names in several directories.
func odd(t *testing.T, seed uint64) string {
	tree := dirtest.TempDir(t)
	dirtest.Random(t, tree, seed)
	for _, name := range []string{"a", "a.b", "a-b", "a b", "A", "a!", "a0", "\x01", "new\nline", "é", "~"} {
		dirtest.Make(t, tree, "deep/"+name+"/x/", "deep/"+name+"/"+name+"/"+name, "deep/"+name+"x")
	}
	return tree
}

// inOrder returns the paths below a root in the order of their names.
func inOrder(t *testing.T, root string, compare func(a, b string) int) (paths []string) {
	t.Helper()
	var below func(path string)
	below = func(path string) {
		entries, err := os.ReadDir(path)
		require.NoError(t, err)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compare(a.Name(), b.Name()) })
		for _, e := range entries {
			paths = append(paths, "> "+filepath.ToSlash(filepath.Join(path, e.Name())))
			if e.IsDir() {
				below(filepath.Join(path, e.Name()))
			}
		}
	}
	below(root)
	return paths
}

// byLength is an order of names that is not that of their bytes.
func byLength(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }

// Results are used in order, those of several roots in the order of these.
func TestSequence(t *testing.T) {
	for seed := range uint64(6) {
		trees := []string{odd(t, 2*seed+1), wide(t, 300, 3), odd(t, 2*seed)}
		file := filepath.Join(dirtest.TempDir(t), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		var roots []walk.Root
		var want, wantByLength []string
		for _, tree := range trees {
			roots = append(roots, root(tree)...)
			want = append(want, inOrder(t, tree, strings.Compare)...)
			wantByLength = append(wantByLength, inOrder(t, tree, byLength)...)
		}
		roots = append(roots, root(file)...)
		want, wantByLength = append(want, "> "+filepath.ToSlash(file)), append(wantByLength, "> "+filepath.ToSlash(file))
		reversed := slices.Clone(want)
		slices.Reverse(reversed)
		forWorkers(t, func(t *testing.T, workers int) {
			var got []string
			use := func(path string) walk.Action { got = append(got, path); return walk.Continue }
			inSequence(t, roots, everything(workers), walk.Sequence{}, use)
			require.Equal(t, want, got)
			got = nil
			inSequence(t, roots, everything(workers), walk.Sequence{Reversed: true}, use)
			require.Equal(t, reversed, got)
			got = nil
			compare := func(a, b []byte) int { return byLength(string(a), string(b)) }
			inSequence(t, roots, everything(workers), walk.Sequence{Compare: compare}, use)
			require.Equal(t, wantByLength, got)
		})
	}
}

// A walk ends when Use stops it: what was used are the first results.
func TestSequenceStops(t *testing.T) {
	tree := wide(t, 500, 3)
	want := inOrder(t, tree, strings.Compare)
	for _, n := range []int{1, 2, 77, 1000} {
		forWorkers(t, func(t *testing.T, workers int) {
			var got []string
			inSequence(t, root(tree), everything(workers), walk.Sequence{}, func(path string) walk.Action {
				if got = append(got, path); len(got) == n {
					return walk.Stop
				}
				return walk.Continue
			})
			require.Equal(t, want[:n], got)
		})
	}
}

// Links that are followed have their place too, also those that lead to a directory that was
// entered, and so do directories that cannot be opened.
func TestSequenceOfLinks(t *testing.T) {
	for _, name := range []string{"links", "loops"} {
		tree := dirtest.Tree(t, name)
		forWorkers(t, func(t *testing.T, workers int) {
			opt := everything(workers)
			opt.Follow = true
			found, errs, _ := collect(root(tree), opt)
			opt.Report = func(error) {}
			slices.SortFunc(found, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
			var got []string
			inSequence(t, root(tree), opt, walk.Sequence{}, func(path string) walk.Action {
				got = append(got, strings.TrimPrefix(path, "> "))
				return walk.Continue
			})
			assert.Equal(t, found, got, errs)
		})
	}
}

// Workers wait while results are used, or all results would be in memory when the reader of the
// output is slow.
func TestSequenceWaitsForUse(t *testing.T) {
	tree := dirtest.TempDir(t)
	long := strings.Repeat("n", 200)
	for i := range 200 {
		for j := range 50 {
			dirtest.Make(t, tree, fmt.Sprintf("%03d/%s%d =", i, long, j))
		}
	}
	const all = 200 * 51
	used, visited, atFirst := 0, make(chan struct{}, all), 0
	opt := everything(2)
	text := bytes.Repeat([]byte("x"), 8<<10)
	opt.Report = func(err error) { t.Error(err) }
	opt.Sequence = &walk.Sequence{Use: func(*walk.Result) walk.Action {
		if used++; used == 60 { // in 001, while the other worker goes on until it waits
			for len(visited) < all && !waitsForUse() {
				runtime.Gosched()
			}
			atFirst = len(visited)
		}
		return walk.Continue
	}}
	walk.Walk(t.Context(), root(tree), opt, func() walk.Visitor {
		return walk.Visitor{
			Visit:  func(*dir.Entry) walk.Action { visited <- struct{}{}; return walk.Continue },
			Result: func() ([]byte, int) { return text, 0 },
			Pause:  func(bool) walk.Action { return walk.Continue },
		}
	})
	assert.Equal(t, all, used)
	assert.Less(t, atFirst, all)
}

// waitsForUse reports whether a worker waits because another one uses results.
func waitsForUse() bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Contains(stacks, []byte("sync.(*Cond).Wait")) && bytes.Contains(stacks, []byte("(*sequence).replace"))
}
