package walk_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/walk"
)

// collect walks and returns the paths of the visited entries, sorted, and the errors.
func collect(roots []walk.Root, opt walk.Options) (paths []string, errs []error, stats walk.Stats) {
	var mu sync.Mutex
	opt.Report = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	}
	stats = walk.Walk(context.Background(), roots, opt, func() walk.Visitor {
		var mine []string
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				mine = append(mine, e.Path())
				return walk.Continue
			},
			Pause: func(bool) walk.Action {
				mu.Lock()
				defer mu.Unlock()
				paths = append(paths, mine...)
				mine = nil
				return walk.Continue
			},
		}
	})
	slices.Sort(paths)
	return paths, errs, stats
}

func root(path string) []walk.Root { return []walk.Root{{Path: path, Label: path}} }

func everything(workers int) walk.Options {
	return walk.Options{Workers: workers, MaxDepth: walk.Unlimited, Hidden: true}
}

// oracle returns the paths that filepath.WalkDir finds.
func oracle(t *testing.T, path string) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(path, func(p string, _ fs.DirEntry, err error) error {
		if p != path {
			paths = append(paths, filepath.ToSlash(p))
		}
		return err
	}))
	slices.Sort(paths)
	return paths
}

var workerCounts = []int{1, 2, 64}

func forWorkers(t *testing.T, f func(t *testing.T, workers int)) {
	for _, n := range workerCounts {
		t.Run(fmt.Sprint(n, " workers"), func(t *testing.T) { f(t, n) })
	}
}

func TestVisitsEverythingOnce(t *testing.T) {
	trees := map[string]string{
		"basic": dirtest.Tree(t, "basic"), "links": dirtest.Tree(t, "links"),
		"wide": wide(t, 300, 3), "wider than a queue": wide(t, 6000, 1), "random": dirtest.TempDir(t),
	}
	seed := rand.Uint64()
	t.Log("seed", seed)
	dirtest.Random(t, trees["random"], seed)
	for name, tree := range trees {
		want := oracle(t, tree)
		t.Run(name, func(t *testing.T) {
			forWorkers(t, func(t *testing.T, workers int) {
				got, errs, stats := collect(root(tree), everything(workers))
				assert.Empty(t, errs)
				assert.Equal(t, want, slashes(got))
				assert.EqualValues(t, len(want), stats.Entries)
			})
		})
	}
}

// wide makes a directory with n directories of m files each.
func wide(t *testing.T, n, m int) string {
	t.Helper()
	tree := dirtest.TempDir(t)
	for i := range n {
		sub := filepath.Join(tree, fmt.Sprint("directory-", i))
		require.NoError(t, os.Mkdir(sub, 0o755))
		for j := range m {
			require.NoError(t, os.WriteFile(filepath.Join(sub, fmt.Sprint("file-", j)), nil, 0o644))
		}
	}
	return tree
}

func slashes(paths []string) []string {
	for i := range paths {
		paths[i] = filepath.ToSlash(paths[i])
	}
	return paths
}

// One worker walks a tree that has work for one only.
func TestWorkersStartAsTheWorkGrows(t *testing.T) {
	_, _, stats := collect(root(wide(t, 5, 1)), everything(64))
	assert.Equal(t, 1, stats.Workers)
	_, _, stats = collect(root(wide(t, 500, 1)), everything(2))
	assert.Equal(t, 2, stats.Workers)
}

func TestDepthAndHidden(t *testing.T) {
	tree := dirtest.Tree(t, "basic")
	want := func(keep func(rel string) bool) (kept []string) {
		for _, p := range oracle(t, tree) {
			if rel, _ := filepath.Rel(tree, p); keep(filepath.ToSlash(rel)) {
				kept = append(kept, p)
			}
		}
		return kept
	}
	for depth := range 6 {
		opt := everything(2)
		opt.MaxDepth = depth
		got, errs, stats := collect(root(tree), opt)
		assert.Empty(t, errs)
		assert.Equal(t, want(func(rel string) bool { return strings.Count(rel, "/") < depth }), slashes(got))
		if depth == 1 {
			assert.EqualValues(t, 1, stats.Dirs, "at the limit nothing is opened")
		}
	}
	opt := everything(2)
	opt.Hidden = false
	got, _, stats := collect(root(tree), opt)
	assert.Equal(t, want(func(rel string) bool { return rel[0] != '.' && !strings.Contains(rel, "/.") }), slashes(got))
	assert.EqualValues(t, 3, stats.Hidden)

	got, _, _ = collect(root(filepath.Join(tree, ".config")), opt)
	assert.Len(t, got, 1, "a root is not hidden")
}

func TestPrune(t *testing.T) {
	tree := dirtest.Tree(t, "basic")
	visited := atomic.Int32{}
	walk.Walk(context.Background(), root(tree), everything(2), func() walk.Visitor {
		return walk.Visitor{
			Visit: func(*dir.Entry) walk.Action { visited.Add(1); return walk.Prune },
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	list, err := os.ReadDir(tree)
	require.NoError(t, err)
	assert.EqualValues(t, len(list), visited.Load())
}

// A directory for which Except is true is visited but not entered.
func TestExcept(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "in/file", "out/file", "in/out/file")
	opt := everything(2)
	opt.Except = func(e *dir.Entry) bool { return e.Depth() == 1 && string(e.Name) == "out" }
	paths, errs, _ := collect([]walk.Root{{Path: tree, Label: ""}}, opt)
	assert.Empty(t, errs)
	assert.Equal(t, []string{"in", "in/file", "in/out", "in/out/file", "out"}, paths)
}

func TestRoots(t *testing.T) {
	tree := dirtest.Tree(t, "links")
	t.Chdir(tree)
	require.NoError(t, os.Mkdir("-", 0o755))
	dirtest.Make(t, tree, "-/x")
	roots := func(paths ...string) (r []walk.Root) {
		for _, p := range paths {
			r = append(r, walk.Root{Path: p, Label: p})
		}
		return r
	}
	for _, row := range []struct {
		roots []string
		want  []string
		errs  int
	}{
		{[]string{"dir"}, []string{"dir/inner", "dir/sub", "dir/sub/below"}, 0},
		{[]string{"dir/"}, []string{"dir/inner", "dir/sub", "dir/sub/below"}, 0},
		{[]string{"dir//"}, []string{"dir//inner", "dir//sub", "dir//sub/below"}, 0},
		{[]string{"./dir/sub"}, []string{"./dir/sub/below"}, 0},
		{[]string{"dir/sub", "dir/sub"}, []string{"dir/sub/below", "dir/sub/below"}, 0},
		{[]string{"dir/sub", "-"}, []string{"-/x", "dir/sub/below"}, 0},
		{[]string{"to-dir"}, []string{"to-dir/inner", "to-dir/sub", "to-dir/sub/below"}, 0},
		{[]string{"to-file", "broken", "self", "file"}, []string{"broken", "file", "self", "to-file"}, 0},
		{[]string{"none", "dir/sub", "file/", "file/x"}, []string{"dir/sub/below"}, 3},
	} {
		t.Run(strings.Join(row.roots, " "), func(t *testing.T) {
			got, errs, _ := collect(roots(row.roots...), everything(2))
			assert.Equal(t, row.want, got)
			assert.Len(t, errs, row.errs)
			for _, err := range errs {
				var rootErr *walk.RootError
				assert.ErrorAs(t, err, &rootErr)
				var pathErr *fs.PathError
				assert.ErrorAs(t, err, &pathErr)
			}
		})
	}
}

// Each directory is entered once, by its own path rather than a link. The result does not
// depend on which worker is first.
func TestFollow(t *testing.T) {
	for tree, want := range map[string][]string{
		"links": {
			"/a", "/a/to-sub", "/broken", "/dir", "/dir/inner", "/dir/sub", "/dir/sub/below", "/file", "/self",
			"/to-dir", "/to-file", "/z", "/z/chain",
		},
		"loops": {
			"/one", "/one/two", "/one/two/here", "/one/two/three", "/one/two/three/leaf", "/one/two/top", "/one/up",
			"/x", "/x/to-y", "/y", "/y/leaf", "/y/to-x",
		},
	} {
		path := dirtest.Tree(t, tree)
		forWorkers(t, func(t *testing.T, workers int) {
			opt := everything(workers)
			opt.Follow = true
			got, errs, _ := collect([]walk.Root{{Path: path, Label: "/"}}, opt)
			assert.Empty(t, errs)
			assert.Equal(t, want, got)
		})
	}
}

// A directory outside the roots is entered by the shallowest link to it, then by the first.
func TestFollowOutside(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "out/in/leaf", "root/b -> ../out", "root/c -> ../out", "root/a/deeper -> ../../out",
		"root/a/inner -> ../../out/in", "out/back -> ../root")
	forWorkers(t, func(t *testing.T, workers int) {
		opt := everything(workers)
		opt.Follow = true
		got, errs, _ := collect([]walk.Root{{Path: filepath.Join(tree, "root")}}, opt)
		assert.Empty(t, errs)
		assert.Equal(t, []string{"a", "a/deeper", "a/inner", "a/inner/leaf", "b", "b/back", "b/in", "c"}, got)
	})
}

func TestStopLeavesNothingBehind(t *testing.T) {
	tree := wide(t, 500, 5)
	for i := range 30 {
		goroutines := runtime.NumGoroutine()
		var n, workers atomic.Int32 // there are more than 8 workers if one seems to hang
		walk.Walk(context.Background(), root(tree), everything(8), func() walk.Visitor {
			workers.Add(1)
			return walk.Visitor{
				Visit: func(*dir.Entry) walk.Action {
					if int(n.Add(1)) > i*20 {
						return walk.Stop
					}
					return walk.Continue
				},
				Pause: func(bool) walk.Action { return walk.Continue },
			}
		})
		assert.LessOrEqual(t, int(n.Load()), i*20+int(workers.Load()), "each worker stops at once")
		// A goroutine that has called Done may not have ended yet.
		for range 1_000_000 {
			if runtime.NumGoroutine() <= goroutines {
				break
			}
			runtime.Gosched()
		}
		assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	}
}

func TestContextEndsTheWalk(t *testing.T) {
	tree := wide(t, 2000, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var n atomic.Int32
	stopped := make(chan struct{})
	context.AfterFunc(ctx, func() { close(stopped) })
	walk.Walk(ctx, root(tree), everything(2), func() walk.Visitor {
		return walk.Visitor{
			Visit: func(*dir.Entry) walk.Action {
				if n.Add(1) == 2500 {
					cancel()
					<-stopped
				}
				return walk.Continue
			},
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	assert.GreaterOrEqual(t, int(n.Load()), 2500)
}

// While entries are made, renamed and removed, those that always exist are found, each once.
func TestChangingTree(t *testing.T) {
	tree := wide(t, 60, 40)
	want := oracle(t, tree)
	ctx, cancel := context.WithCancel(context.Background())
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			sub := filepath.Join(tree, fmt.Sprint("directory-", i%60))
			one, two := filepath.Join(sub, "tmp-1"), filepath.Join(tree, "tmp-2")
			_ = os.MkdirAll(filepath.Join(one, "tmp-x", "tmp-y"), 0o755)
			_ = os.WriteFile(filepath.Join(sub, fmt.Sprint("tmp-", i%7)), nil, 0o644)
			_ = os.Rename(one, two)
			_ = os.RemoveAll(two)
			_ = os.Remove(filepath.Join(sub, fmt.Sprint("tmp-", (i+3)%7)))
		}
	})
	defer writer.Wait()
	defer cancel()
	for i := range 60 {
		got, errs, _ := collect(root(tree), everything(workerCounts[i%3]))
		if runtime.GOOS != "windows" { // it does not open files that are being removed
			assert.Empty(t, errs)
		}
		got = slices.DeleteFunc(slashes(got), func(p string) bool { return strings.Contains(p, "/tmp-") })
		require.Equal(t, want, got)
	}
}

// A small tree of any shape is visited level by level.
func TestShallowFirst(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/b/c/d/e/f/g", "b/c/d/e/f", "c/d/e", "d/e/f/g/h", "e/f/g")
	deepest := 0
	walk.Walk(context.Background(), root(tree), everything(1), func() walk.Visitor {
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				assert.GreaterOrEqual(t, e.Depth(), deepest)
				deepest = e.Depth()
				return walk.Continue
			},
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	assert.Equal(t, 7, deepest)
}

// A directory with more directories than a queue holds is not listed to its end before they
// are: the queue stays short.
func TestLongListingIsSuspended(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only shared handles are kept open")
	}
	tree := wide(t, 10_000, 1)
	above, below, early := 0, 0, 0
	walk.Walk(context.Background(), root(tree), everything(1), func() walk.Visitor {
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				if e.Depth() == 1 {
					above++
					early = below
				} else {
					below++
				}
				return walk.Continue
			},
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	assert.Equal(t, []int{10_000, 10_000}, []int{above, below})
	assert.Greater(t, early, 2000, "so many were walked before the last was listed")
}

// A flat tree is walked by as many workers as a deep one.
func TestFlatTreeCallsAllWorkers(t *testing.T) {
	_, _, stats := collect(root(wide(t, 2000, 1)), everything(8))
	assert.GreaterOrEqual(t, stats.Workers, 8, "more if a call took so long that it seemed to hang")
}

// More workers than processors start only while workers wait for directories.
func TestWorkersStartForWaiting(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	waits := atomic.Int64{}
	opt, tree := everything(16), root(wide(t, 2000, 1))
	opt.Waits = waits.Load
	paths, _, stats := collect(tree, opt)
	assert.Less(t, stats.Workers, 16, "two, and one for each call that seemed to hang")
	assert.Len(t, paths, 4000)
	opt.Waits = func() int64 { return waits.Add(1) }
	runtime.GOMAXPROCS(2)
	_, _, stats = collect(tree, opt)
	assert.GreaterOrEqual(t, stats.Workers, 16)
	assert.Equal(t, 16, runtime.GOMAXPROCS(2), "who waits keeps its P")
	opt.Waits = func() int64 { return waits.Add(1) / 8 } // one directory in four
	_, _, stats = collect(tree, opt)
	assert.Less(t, stats.Workers, 16)
}

// Deep in a tree, a directory's children are listed right after it. So of two chains, one is
// walked to its end before the other; in the first levels they take turns.
func TestDeepChainsOneByOne(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/"+strings.Repeat("d/", 200), "b/"+strings.Repeat("d/", 200))
	var shallow, deep string
	opt := everything(1)
	walk.Walk(t.Context(), root(tree), opt, func() walk.Visitor {
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				chain := string(e.AppendBelow(nil)[:1])
				if e.Depth() < 50 {
					shallow += chain
				} else if e.Depth() > 100 {
					deep += chain
				}
				return walk.Continue
			},
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	changes := func(s string) (n int) {
		for i := 1; i < len(s); i++ {
			if s[i] != s[i-1] {
				n++
			}
		}
		return n
	}
	assert.Equal(t, 202, len(deep))
	assert.Equal(t, 1, changes(deep))
	assert.Greater(t, changes(shallow), 50)
}

// A link, or a second name of a file, is not a directory, and is not skipped.
func TestFollowFileRoots(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "f", "s -> f", "d/x", "t -> d")
	require.NoError(t, os.Link(filepath.Join(tree, "f"), filepath.Join(tree, "g")))
	t.Chdir(tree)
	opt := everything(2)
	opt.Follow = true
	var roots []walk.Root
	for _, name := range []string{"f", "g", "s", "d", "t"} {
		roots = append(roots, walk.Root{Path: name, Label: name})
	}
	got, errs, _ := collect(roots, opt)
	assert.Empty(t, errs)
	assert.Equal(t, []string{"d/x", "f", "g", "s"}, got)
}

// A directory can be reached through more links than the system follows in one path.
func TestFollowManyLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs symbolic links")
	}
	tree := dirtest.TempDir(t)
	var want []string
	path := ""
	for i := range 60 {
		dirtest.Make(t, tree, fmt.Sprintf("d%d/leaf", i), fmt.Sprintf("d%d/next -> ../d%d", i, i+1))
		want = append(want, path+"leaf", path+"next")
		path += "next/"
	}
	slices.Sort(want)
	forWorkers(t, func(t *testing.T, workers int) {
		opt := everything(workers)
		opt.Follow = true
		got, errs, _ := collect([]walk.Root{{Path: filepath.Join(tree, "d0")}}, opt)
		if runtime.GOOS == "linux" {
			assert.Empty(t, errs)
			assert.Equal(t, want, got)
		}
		assert.NotEmpty(t, got)
	})
}
