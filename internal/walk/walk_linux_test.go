package walk_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/walk"
)

// counter is a visitor that only counts.
func counter(n *atomic.Int64) func() walk.Visitor {
	return func() walk.Visitor {
		return walk.Visitor{
			Visit: func(*dir.Entry) walk.Action { n.Add(1); return walk.Continue },
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	}
}

// A chain of directories far longer than the longest path is walked to the end.
func TestDeepChain(t *testing.T) {
	const depth = 20_000
	tree := dirtest.TempDir(t)
	dirtest.Deep(t, tree, "d", depth)
	forWorkers(t, func(t *testing.T, workers int) {
		longest := atomic.Int64{}
		n := atomic.Int64{}
		opt := everything(workers)
		opt.Report = func(err error) { t.Errorf("%.80s", err) }
		walk.Walk(context.Background(), root(tree), opt, func() walk.Visitor {
			return walk.Visitor{
				Visit: func(e *dir.Entry) walk.Action {
					n.Add(1)
					if e.Depth() == depth {
						longest.Store(int64(len(e.Path())))
					}
					return walk.Continue
				},
				Pause: func(bool) walk.Action { return walk.Continue },
			}
		})
		assert.EqualValues(t, depth, n.Load())
		assert.EqualValues(t, len(tree)+2*depth, longest.Load())
	})
}

// A directory with many entries, some of them directories. .ci/run sets the number to a
// million.
func TestHugeDirectory(t *testing.T) {
	files, dirs := 30_000, 10_000
	if os.Getenv("LDX_LARGE") != "" {
		files, dirs = 980_000, 20_000
	}
	tree := dirtest.TempDir(t)
	fd, err := unix.Open(tree, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	for i := range files {
		require.NoError(t, unix.Mknodat(fd, fmt.Sprintf("file-number-%d", i), unix.S_IFREG|0o644, 0))
	}
	for i := range dirs {
		require.NoError(t, unix.Mkdirat(fd, fmt.Sprintf("dir-%d", i), 0o755))
	}
	forWorkers(t, func(t *testing.T, workers int) {
		var n atomic.Int64
		stats := walk.Walk(context.Background(), root(tree), everything(workers), counter(&n))
		assert.EqualValues(t, files+dirs, n.Load())
		assert.EqualValues(t, dirs+1, stats.Dirs)
	})
}

func TestNamesAreBytes(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, dirtest.WeirdNames()...)
	for _, name := range dirtest.WeirdNames() {
		dirtest.Make(t, filepath.Join(tree, "below"), name+"/"+name)
	}
	got, errs, _ := collect(root(tree), everything(2))
	assert.Empty(t, errs)
	assert.Equal(t, oracle(t, tree), got)
}

// The walk closes all descriptors, also when it is stopped early.
func TestNoDescriptorIsLeft(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(list)
	}
	tree := wide(t, 5000, 1)
	var n atomic.Int64
	walk.Walk(context.Background(), root(tree), everything(4), counter(&n))
	before := count()
	for stopAt := int64(0); stopAt < 12_000; stopAt += 1500 {
		n.Store(0)
		for _, follow := range []bool{false, true} {
			opt := everything(4)
			opt.Follow = follow
			walk.Walk(context.Background(), root(tree), opt, func() walk.Visitor {
				return walk.Visitor{
					Visit: func(*dir.Entry) walk.Action {
						if n.Add(1) > stopAt {
							return walk.Stop
						}
						return walk.Continue
					},
					Pause: func(bool) walk.Action { return walk.Continue },
				}
			})
		}
	}
	assert.Equal(t, before, count())
}

// A walk of /proc ends, although directories come and go there and some cannot be read.
func TestProc(t *testing.T) {
	var n, errs atomic.Int64
	opt := everything(2)
	opt.OneFileSystem = true
	opt.Report = func(err error) {
		errs.Add(1)
		assert.False(t, strings.Contains(err.Error(), "no such"), err)
	}
	walk.Walk(context.Background(), root("/proc"), opt, counter(&n))
	assert.Greater(t, n.Load(), int64(1000))
}

// The mount point is visited but not entered.
func TestOneFileSystem(t *testing.T) {
	opt := everything(2)
	opt.OneFileSystem, opt.MaxDepth = true, 2
	got, _, _ := collect(root("/"), opt)
	assert.Contains(t, got, "/proc")
	assert.NotContains(t, got, "/proc/self")
	opt.OneFileSystem = false
	got, _, _ = collect(root("/"), opt)
	assert.Contains(t, got, "/proc/self")

	// Each root has its own device.
	tree := dirtest.Tree(t, "basic")
	opt = everything(2)
	opt.OneFileSystem = true
	got, _, _ = collect([]walk.Root{{Path: tree, Label: "tree"}, {Path: "/proc/sys", Label: "sys"}}, opt)
	assert.Contains(t, got, "tree/src/lib/lib.go")
	assert.Contains(t, got, "sys/kernel/random/uuid")
}

// A root may be longer than the longest path, and have repeated slashes where it is cut.
func TestLongRoot(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/b/leaf")
	for _, n := range []int{10, 4090, 4096 - len(tree), 4097 - len(tree), 10_000} {
		long := tree + strings.Repeat("/", n) + "a"
		for _, xdev := range []bool{false, true} {
			opt := everything(1)
			opt.OneFileSystem = xdev
			got, errs, _ := collect([]walk.Root{{Path: long}}, opt)
			assert.Empty(t, errs)
			assert.Equal(t, []string{"b", "b/leaf"}, got)
		}
		got, errs, _ := collect([]walk.Root{{Path: long + "/b/leaf", Label: "leaf"}}, everything(1))
		assert.Empty(t, errs)
		assert.Equal(t, []string{"leaf"}, got)
		_, errs, _ = collect([]walk.Root{{Path: tree + "/none" + strings.Repeat("/", n) + "etc"}}, everything(1))
		assert.Len(t, errs, 1)
	}
}

// An entry that is removed after it was listed is not an error.
func TestVanishingIsNoError(t *testing.T) {
	tree := wide(t, 20, 0)
	ctx, cancel := context.WithCancel(context.Background())
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			sub := filepath.Join(tree, fmt.Sprint("directory-", i%20), "tmp")
			_ = os.Mkdir(sub, 0o755)
			_ = os.Remove(sub)
		}
	})
	defer writer.Wait()
	defer cancel()
	for i := range 150 {
		opt := everything(workerCounts[i%3])
		opt.Follow, opt.OneFileSystem = i%2 == 0, i%2 == 1
		_, errs, _ := collect(root(tree), opt)
		require.Empty(t, errs)
	}
}
