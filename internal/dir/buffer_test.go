//go:build !(ldx_fallback || solaris || illumos || aix || plan9 || js || wasip1)

package dir

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The room is aligned and large enough, keeps what was taken from it, and is that of
// the batch before once that is given up.
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
