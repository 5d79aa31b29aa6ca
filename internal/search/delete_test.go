package search_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/search"
)

// A dry Deleter counts and deletes nothing; another one deletes only what it has counted. What is
// in a directory comes first.
func TestDeleter(t *testing.T) {
	for _, workers := range []int{1, 4} {
		tree := dirtest.TempDir(t)
		size := int64(0)
		for i := range 500 {
			name := fmt.Sprintf("d%d/e%d/f%d", i%7, i%60, i)
			dirtest.Make(t, tree, name)
			info, err := os.Stat(filepath.Join(tree, name))
			require.NoError(t, err)
			size += info.Size()
		}
		deleter := func(opt search.Deletion) *search.Deleter {
			d := search.NewDeleter(opt)
			b := newSetup(tree, filter.Options{})
			b.Walk.Workers, b.Sink = workers, d
			b.run(t)
			if opt.Only == nil {
				assert.Empty(t, b.errs)
			}
			return d
		}
		counted := deleter(search.Deletion{Dry: true})
		dirs, err := filepath.Glob(tree + "/d*/e*")
		require.NoError(t, err)
		assert.EqualValues(t, []int64{500, int64(len(dirs)) + 7, size}, []int64{counted.Files(), counted.Dirs(), counted.Bytes()})

		dirtest.Make(t, tree, "d0/late")
		var mu sync.Mutex
		var order []string
		deleted := deleter(search.Deletion{Only: counted, Each: func(path []byte) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, string(path))
			return nil
		}})
		assert.EqualValues(t, []int64{500, int64(len(dirs)) + 6}, []int64{deleted.Files(), deleted.Dirs()})
		for i, path := range order {
			below := func(p string) bool { return p != path && strings.HasPrefix(p, path) }
			assert.False(t, strings.HasSuffix(path, "/") && slices.ContainsFunc(order[i:], below), path)
		}
		left, err := filepath.Glob(tree + "/*/*")
		require.NoError(t, err)
		assert.Equal(t, []string{filepath.Join(tree, "d0", "late")}, left)
	}
}

// An error of Each ends the deletion.
func TestDeleterStops(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a", "b", "c")
	full := errors.New("the disk is full")
	b := newSetup(tree, filter.Options{})
	b.Walk.Workers = 1
	b.Sink = search.NewDeleter(search.Deletion{Each: func([]byte) error { return full }})
	_, err := search.Run(t.Context(), b.Options)
	assert.ErrorIs(t, err, full)
	left, err := os.ReadDir(tree)
	require.NoError(t, err)
	assert.Len(t, left, 2)
}
