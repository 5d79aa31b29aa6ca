//go:build !((linux && ldx_fallback) || solaris || illumos || aix || plan9 || js || wasip1)

package dir

import "cmp"

// buffers hold the records of one worker's batch. The entries of the batch alias them.
type buffers struct {
	bufs [][]byte // 8-byte aligned, as the allocator does for any of this size
	used int      // number of bufs that hold the batch
	room []byte   // free space in the last of these
	size int      // of each; 0: bufferSize
}

func (b *buffers) setBuffer(size int) { b.size = size }

// space returns a buffer for the next read: at least half of the full size, and 8-byte
// aligned. With fresh set, earlier batches may be overwritten.
func (b *buffers) space(fresh bool) []byte {
	if fresh {
		b.used, b.room = 0, nil
	}
	size := cmp.Or(b.size, bufferSize)
	if len(b.room) < size/2 {
		if b.used == len(b.bufs) {
			b.bufs = append(b.bufs, make([]byte, size))
		}
		b.room = b.bufs[b.used]
		b.used++
	}
	return b.room
}

// take returns the first n bytes of that buffer and keeps them for the batch.
func (b *buffers) take(n int) []byte {
	taken := b.room[:n]
	b.room = b.room[min((n+7)&^7, len(b.room)):]
	return taken
}
