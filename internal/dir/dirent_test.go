package dir

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dirent encodes a record as the kernel does: padded to 8 bytes, zeros behind.
func dirent(name string, next int64, kind byte) []byte {
	buf := make([]byte, (19+len(name)+1+7)&^7)
	binary.NativeEndian.PutUint64(buf[8:], uint64(next))
	binary.NativeEndian.PutUint16(buf[16:], uint16(len(buf)))
	buf[18] = kind
	copy(buf[19:], name)
	return buf
}

func TestParseDirent64(t *testing.T) {
	for size := 1; size <= 255; size++ { // each place of the NUL in the padding
		name := strings.Repeat("x", size)
		buf := append(dirent(name, 42, 8), dirent("next", 43, 4)...)
		rec, n, ok := parseDirent64(buf)
		require.True(t, ok)
		assert.Equal(t, name, string(rec.name))
		assert.Equal(t, int64(42), rec.next)
		assert.Equal(t, byte(8), rec.kind)
		rec, _, ok = parseDirent64(buf[n:])
		require.True(t, ok)
		assert.Equal(t, "next", string(rec.name))
	}
}

func TestParseDirent64Refuses(t *testing.T) {
	whole := dirent("name", 1, 8)
	noName := dirent("", 1, 8)
	noEnd := dirent("12345", 1, 8)[:24]
	binary.NativeEndian.PutUint16(noEnd[16:], 24)
	tooLong := dirent("name", 1, 8)
	binary.NativeEndian.PutUint16(tooLong[16:], 25)
	for name, buf := range map[string][]byte{
		"nothing": {}, "half a head": whole[:10], "half a name": whole[:20],
		"no name": noName, "no NUL": noEnd, "longer than the buffer": tooLong,
	} {
		_, _, ok := parseDirent64(buf)
		assert.False(t, ok, name)
	}
}

func FuzzParseDirent64(f *testing.F) {
	f.Add(append(dirent("a", 1, 4), dirent("bb", 2, 8)...))
	f.Add(dirent(strings.Repeat("\xff", 255), 1<<62, 0))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, buf []byte) {
		for len(buf) > 0 {
			rec, n, ok := parseDirent64(buf)
			if !ok {
				return
			}
			if n <= 0 || n > len(buf) {
				t.Fatalf("a record of %d bytes in %d", n, len(buf))
			}
			if len(rec.name) == 0 || cap(rec.name) <= len(rec.name) || rec.name[:len(rec.name)+1][len(rec.name)] != 0 {
				t.Fatalf("the name %q has no NUL behind it", rec.name)
			}
			buf = buf[n:]
		}
	})
}
