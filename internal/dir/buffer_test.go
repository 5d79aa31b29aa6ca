//go:build !(ldx_fallback || solaris || illumos || aix || plan9 || js || wasip1)

package dir

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// Space is aligned and large enough, does not overlap what was taken, and is reused once the
// batch before is given up.
func TestBuffers(t *testing.T) {
	var b buffers
	first := &b.space(true)[0]
	for round := range 3 {
		var taken [][]byte
		for i := range 20 {
			room := b.space(i == 0)
			if i == 0 {
				require.Same(t, first, &room[0], "round %d", round)
			}
			require.GreaterOrEqual(t, len(room), bufferSize/2)
			require.Zero(t, uintptr(unsafe.Pointer(&room[0]))%8)
			part := b.take(1 + i*bufferSize/60)
			for j := range part {
				part[j] = byte(i)
			}
			taken = append(taken, part)
		}
		for i, part := range taken {
			for _, c := range part {
				if c != byte(i) {
					t.Fatalf("part %d was overwritten", i)
				}
			}
		}
	}
	room := b.space(false)
	b.take(len(room))
	assert.NotEmpty(t, b.space(false), "the last byte was taken")
}

// The names are the same with buffers of any size; a smaller one needs more calls.
func TestSetBuffer(t *testing.T) {
	root := dirtest.TempDir(t)
	var want []string
	for i := range 3000 {
		want = append(want, fmt.Sprint("a-rather-long-name-to-fill-the-buffer-", i))
	}
	dirtest.Make(t, root, want...)
	slices.Sort(want)
	lists := func(size int) int64 {
		r := NewReader(0)
		defer r.Close()
		r.SetBuffer(size)
		_, err := r.Open(Root(root, root, 0))
		require.NoError(t, err)
		var got []string
		for {
			batch, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			for i := range batch {
				got = append(got, string(batch[i].Name))
			}
		}
		slices.Sort(got)
		require.Equal(t, want, got)
		return r.Calls().List
	}
	const bytes, minBuffer = 3000 * 40, 4 << 10 // bytes of names alone
	small := lists(minBuffer)
	assert.GreaterOrEqual(t, small, int64(bytes/minBuffer))
	assert.Less(t, lists(4<<20), small/4) // a signal may cut a listing short
}
