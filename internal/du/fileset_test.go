package du

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/dir"
)

// Dense and sparse inode numbers, of several devices, against a map.
func TestFileSet(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	set, want := newFileSet(), map[dir.ID]bool{}
	for range 200_000 {
		id := dir.ID{Device: r.Uint64N(3), Inode: 1 + r.Uint64N(50_000)}
		if r.IntN(4) == 0 {
			id.Inode = r.Uint64() >> r.UintN(40)
		}
		assert.Equal(t, !want[id], set.add(id), id)
		want[id] = true
	}
}

// Of those who add the same file at a time, one is the first.
func TestFileSetConcurrently(t *testing.T) {
	const workers, files = 8, 20_000
	set, first := newFileSet(), atomic.Int64{}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range uint64(files) {
				if set.add(dir.ID{Device: 1, Inode: i * 7}) {
					first.Add(1)
				}
			}
		})
	}
	group.Wait()
	assert.EqualValues(t, files, first.Load())
}
