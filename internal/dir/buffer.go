//go:build !((linux && ldx_fallback) || solaris || illumos || aix || plan9 || js || wasip1)

package dir

import "cmp"

// buffers are what one worker's batches are read into, and keep what the entries of
// a batch alias.
type buffers struct {
	bufs [][]byte // 8-byte aligned, as the allocator does for any of this size
	used int      // so many hold the batch
	room []byte   // and the last of these has so much room
	size int      // of each; 0: bufferSize
}

func (b *buffers) setBuffer(size int) { b.size = size }

// space returns room for the next read: at least half of a buffer, and 8-byte
// aligned. With fresh set the batches before may be overwritten.
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

// take returns the first n bytes of that room, which are in use from now on.
func (b *buffers) take(n int) []byte {
	taken := b.room[:n]
	b.room = b.room[min((n+7)&^7, len(b.room)):]
	return taken
}
