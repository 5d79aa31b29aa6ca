package walk_test

import (
	"errors"
	"fmt"
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

// A journal records the calls of the visitors of a walk, by directory.
type journal struct {
	mu               sync.Mutex
	begun, suspended map[string]int
	ended            map[string]error
	left             []string
}

func newJournal() *journal {
	return &journal{begun: map[string]int{}, suspended: map[string]int{}, ended: map[string]error{}}
}

func below(d *dir.Dir) string { return string(d.AppendBelow(nil)) }

func (j *journal) visitor(t *testing.T) walk.Visitor {
	var listing *dir.Dir // of this worker
	return walk.Visitor{
		Begin: func(d *dir.Dir) {
			assert.Nil(t, listing)
			listing = d
			j.mu.Lock()
			defer j.mu.Unlock()
			j.begun[below(d)]++
		},
		Visit: func(e *dir.Entry) walk.Action {
			assert.Same(t, listing, e.Dir)
			return walk.Continue
		},
		End: func(d *dir.Dir, err error) {
			assert.Same(t, listing, d)
			listing = nil
			j.mu.Lock()
			defer j.mu.Unlock()
			if errors.Is(err, walk.ErrSuspended) {
				j.suspended[below(d)]++
				return
			}
			_, ended := j.ended[below(d)]
			assert.False(t, ended, below(d))
			j.ended[below(d)] = err
		},
		Leave: func(d *dir.Dir) {
			j.mu.Lock()
			defer j.mu.Unlock()
			_, ended := j.ended[below(d)]
			assert.True(t, ended, below(d))
			j.left = append(j.left, below(d))
		},
		Pause: func(bool) walk.Action { return walk.Continue },
	}
}

// Begin and End are called once for each directory, unless it is suspended; for empty ones
// too. Leave is called after those of all directories below.
func TestEvents(t *testing.T) {
	many := 10_000
	if runtime.GOOS == "windows" {
		many = 500 // it takes long to make and to remove them
	}
	trees := map[string]string{"suspended": wide(t, many, 0)}
	for seed := range uint64(4) {
		root := dirtest.TempDir(t)
		dirtest.Random(t, root, seed)
		trees[fmt.Sprint("seed ", seed)] = root
	}
	for name, tree := range trees {
		t.Run(name, func(t *testing.T) {
			var dirs []string
			require.NoError(t, filepath.WalkDir(tree, func(path string, e fs.DirEntry, err error) error {
				if rel, _ := filepath.Rel(tree, path); err == nil && e.IsDir() {
					dirs = append(dirs, filepath.ToSlash(rel)+"/")
				}
				return err
			}))
			dirs[0] = ""
			forWorkers(t, func(t *testing.T, workers int) {
				j := newJournal()
				walk.Walk(t.Context(), root(tree), everything(workers), func() walk.Visitor { return j.visitor(t) })
				assert.Equal(t, slices.Sorted(slices.Values(dirs)), slices.Sorted(slices.Values(j.left)))
				order := map[string]int{}
				for i, d := range j.left {
					order[d] = i
				}
				for _, d := range dirs {
					assert.Equal(t, 1+j.suspended[d], j.begun[d], d)
					assert.NoError(t, j.ended[d])
					if d != "" {
						assert.Less(t, order[d], order[parentOf(d)], d)
					}
				}
				if name == "suspended" && workers == 1 && runtime.GOOS == "linux" {
					assert.NotZero(t, j.suspended[""])
				}
			})
		})
	}
}

// parentOf returns the parent of a directory. Both end in a slash; the root is "".
func parentOf(path string) string {
	if path = filepath.ToSlash(filepath.Dir(filepath.Clean(path))); path == "." {
		return ""
	}
	return path + "/"
}

// Leave may remove the directory: so a tree can be deleted with any number of workers.
func TestLeaveRemoves(t *testing.T) {
	forWorkers(t, func(t *testing.T, workers int) {
		outside := dirtest.TempDir(t)
		dirtest.Make(t, outside, "kept")
		tree := dirtest.TempDir(t)
		dirtest.Random(t, tree, 7)
		for i := range 200 {
			dirtest.Make(t, tree, fmt.Sprintf("a/b%d/c%d/file", i%10, i))
		}
		if os.Symlink(outside, filepath.Join(tree, "a", "link")) != nil {
			t.Log("without a link")
		}
		opt := everything(workers)
		opt.Report = func(err error) { t.Error(err) }
		walk.Walk(t.Context(), root(tree), opt, func() walk.Visitor {
			return walk.Visitor{
				Visit: func(e *dir.Entry) walk.Action {
					if e.Type != fs.ModeDir {
						assert.NoError(t, e.Remove())
					}
					return walk.Continue
				},
				Leave: func(d *dir.Dir) {
					if d.Depth == 0 {
						assert.Error(t, d.Remove(), "a root")
						return
					}
					assert.NoError(t, d.Remove())
				},
				Pause: func(bool) walk.Action { return walk.Continue },
			}
		})
		left, err := os.ReadDir(tree)
		require.NoError(t, err)
		assert.Empty(t, left)
		assert.FileExists(t, filepath.Join(outside, "kept"))
	})
}

// Leave is not called after a walk was stopped.
func TestNothingIsLeftAfterStop(t *testing.T) {
	tree := wide(t, 100, 3)
	stopped := false
	walk.Walk(t.Context(), root(tree), everything(1), func() walk.Visitor {
		return walk.Visitor{
			Visit: func(e *dir.Entry) walk.Action {
				if e.Depth() == 2 {
					stopped = true
					return walk.Stop
				}
				return walk.Continue
			},
			Leave: func(d *dir.Dir) { assert.False(t, stopped, below(d)) },
			Pause: func(bool) walk.Action { return walk.Continue },
		}
	})
	assert.True(t, stopped)
}

// The Dir of a directory gets the Tag that Visit sets for its entry.
func TestTags(t *testing.T) {
	tree := wide(t, 300, 2)
	forWorkers(t, func(t *testing.T, workers int) {
		var mu sync.Mutex
		names := []string{""}
		walk.Walk(t.Context(), root(tree), everything(workers), func() walk.Visitor {
			return walk.Visitor{
				Begin: func(d *dir.Dir) {
					mu.Lock()
					defer mu.Unlock()
					assert.Equal(t, names[d.Tag], below(d))
				},
				Visit: func(e *dir.Entry) walk.Action {
					assert.Zero(t, e.Tag)
					mu.Lock()
					defer mu.Unlock()
					e.Tag = uint32(len(names))
					names = append(names, string(e.AppendBelow(nil))+"/")
					return walk.Continue
				},
				Pause: func(bool) walk.Action { return walk.Continue },
			}
		})
	})
}
