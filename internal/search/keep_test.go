package search_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/printer"
	"ldx/internal/search"
)

// Keep decides about each result once, also where a listing is suspended, and the results are
// whole.
func TestKeep(t *testing.T) {
	many := 6000
	if runtime.GOOS == "windows" {
		many = 500 // it takes long to make and to remove them
	}
	tree := dirtest.TempDir(t)
	var want []string
	for i := range many {
		dirtest.Make(t, tree, fmt.Sprintf("d%d/", i))
		if i%10 == 7 {
			want = append(want, fmt.Sprintf("d%d", i))
		}
	}
	slices.Sort(want)
	for _, workers := range []int{1, 4} {
		var out bytes.Buffer
		var asked atomic.Int64
		b := newSetup(tree, filter.Options{})
		b.Walk.Workers, b.Sink, b.KeepAtOnce = workers, search.AsFound(&recorder{w: &out}), 3
		b.KeepAs = printer.Paths
		b.Keep = func(path []byte) (bool, error) {
			asked.Add(1)
			return path[len(path)-1] == '7', nil
		}
		r := b.run(t)
		found := lines(out.String())
		slices.Sort(found)
		assert.Equal(t, want, found)
		assert.EqualValues(t, len(want), r.Matches)
		assert.EqualValues(t, many, asked.Load())
	}
}
