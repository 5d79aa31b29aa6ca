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
		got, kind, next, n := parseDirent64(buf)
		require.Equal(t, name, string(got))
		assert.Equal(t, byte(8), kind)
		assert.Equal(t, int64(42), next)
		got, _, _, _ = parseDirent64(buf[n:])
		require.Equal(t, "next", string(got))
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
		_, _, _, size := parseDirent64(buf)
		assert.Zero(t, size, name)
	}
}

func FuzzParseDirent64(f *testing.F) {
	f.Add(append(dirent("a", 1, 4), dirent("bb", 2, 8)...))
	f.Add(dirent(strings.Repeat("\xff", 255), 1<<62, 0))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, buf []byte) {
		for len(buf) > 0 {
			name, _, _, size := parseDirent64(buf)
			if size == 0 {
				return
			}
			if size < 0 || size > len(buf) {
				t.Fatalf("a record of %d bytes in %d", size, len(buf))
			}
			if len(name) == 0 || cap(name) <= len(name) || name[:len(name)+1][len(name)] != 0 {
				t.Fatalf("the name %q has no NUL behind it", name)
			}
			buf = buf[size:]
		}
	})
}
