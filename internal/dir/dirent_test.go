package dir

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dirent encodes a record as the kernel does: padded with zeros to a multiple of 8 bytes.
func dirent(name string, next int64, kind byte) []byte {
	buf := make([]byte, (19+len(name)+1+7)&^7)
	binary.NativeEndian.PutUint64(buf[8:], uint64(next))
	binary.NativeEndian.PutUint16(buf[16:], uint16(len(buf)))
	buf[18] = kind
	copy(buf[19:], name)
	return buf
}

func TestParseDirent64(t *testing.T) {
	for size := 1; size <= 255; size++ { // each position of the NUL in the padding
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
	noEnd := dirent("12345", 1, 8)[:24]
	binary.NativeEndian.PutUint16(noEnd[16:], 24)
	tooLong := dirent("name", 1, 8)
	binary.NativeEndian.PutUint16(tooLong[16:], 25)
	for name, buf := range map[string][]byte{
		"nothing": {}, "half a head": whole[:10], "half a name": whole[:20],
		"no NUL": noEnd, "longer than the buffer": tooLong,
	} {
		_, _, _, size := parseDirent64(buf)
		assert.Zero(t, size, name)
	}
}

// A name ends at its first NUL.
func TestParseDirent64Names(t *testing.T) {
	for length := 1; length <= 40; length++ {
		for at := range length {
			raw := []byte(strings.Repeat("\xaf\x2e\x01\x80", 10)[:length])
			raw[at] = 0
			// Any bytes may follow a record.
			for _, after := range []string{"", strings.Repeat("\x00", 64), strings.Repeat("x", 64)} {
				name, kind, next, size := parseDirent64(append(dirent(string(raw), 77, 8), after...))
				assert.Equal(t, string(raw[:at]), string(name), "%q", raw)
				assert.EqualValues(t, 8, kind)
				assert.EqualValues(t, 77, next)
				assert.NotZero(t, size)
				assert.Zero(t, name[:len(name)+1][len(name)])
			}
		}
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
			if len(name) == 0 {
				buf = buf[size:]
				continue
			}
			if bytes.IndexByte(name, 0) >= 0 || cap(name) <= len(name) || name[:len(name)+1][len(name)] != 0 {
				t.Fatalf("the name %q has no NUL behind it", name)
			}
			buf = buf[size:]
		}
	})
}

var direntLayouts = []*direntLayout{&freebsdDirent, &openbsdDirent, &netbsdDirent, &dragonflyDirent, &linuxDirent}

// encode returns a record in the layout.
func (l *direntLayout) encode(file uint64, name string, kind byte) []byte {
	buf := make([]byte, (l.nameAt+len(name)+1+7)&^7)
	binary.NativeEndian.PutUint64(buf, file)
	switch l.bytes {
	case 1:
		buf[l.lengthAt] = byte(len(name))
	case 2:
		binary.NativeEndian.PutUint16(buf[l.lengthAt:], uint16(len(name)))
	}
	if l.sizeAt > 0 {
		binary.NativeEndian.PutUint16(buf[l.sizeAt:], uint16(len(buf)))
	}
	buf[l.kindAt] = kind
	copy(buf[l.nameAt:], name)
	return buf
}

func TestDirentLayouts(t *testing.T) {
	for i, l := range direntLayouts {
		for size := 1; size <= 255; size++ {
			name := strings.Repeat("x", size)
			buf := append(l.encode(5, name, dtRegular), l.encode(6, "next", dtDir)...)
			got, kind, n := l.parse(buf)
			require.Equal(t, name, string(got), "layout %d", i)
			assert.Equal(t, byte(dtRegular), kind)
			got, kind, n2 := l.parse(buf[n:])
			require.Equal(t, "next", string(got))
			assert.Equal(t, byte(dtDir), kind)
			assert.Equal(t, len(buf), n+n2)
		}
		name, _, size := l.parse(l.encode(0, "removed", dtRegular))
		assert.Empty(t, name)
		assert.NotZero(t, size)

		whole := l.encode(5, "a-longer-name", dtRegular)
		for cut := range whole {
			_, _, size := l.parse(whole[:cut])
			assert.Zero(t, size, "layout %d, %d bytes", i, cut)
		}
		if l.sizeAt > 0 && l.bytes > 0 {
			binary.NativeEndian.PutUint16(whole[l.sizeAt:], uint16(l.nameAt))
			_, _, size := l.parse(whole)
			assert.Zero(t, size, "a name behind the record")
		}
	}
}

func FuzzDirent(f *testing.F) {
	for i, l := range direntLayouts {
		f.Add(uint8(i), append(l.encode(1, "a", dtDir), l.encode(2, strings.Repeat("\xff", 255), 255)...))
	}
	f.Fuzz(func(t *testing.T, which uint8, buf []byte) {
		l := direntLayouts[int(which)%len(direntLayouts)]
		for len(buf) > 0 {
			name, _, size := l.parse(buf)
			if size == 0 {
				return
			}
			if size < 0 || size > len(buf) || len(name) >= size {
				t.Fatalf("%d bytes of %d, the name %q", size, len(buf), name)
			}
			buf = buf[size:]
		}
	})
}

func BenchmarkDirent(b *testing.B) {
	var buf []byte
	for _, name := range []string{".", "..", "main.go", "README.md", "a-somewhat-longer-name.test.js", "lib"} {
		buf = append(buf, freebsdDirent.encode(1, name, dtRegular)...)
	}
	b.ReportAllocs()
	for b.Loop() {
		for rest := buf; len(rest) > 0; {
			_, _, size := freebsdDirent.parse(rest)
			if size == 0 {
				b.Fatal("refused")
			}
			rest = rest[size:]
		}
	}
}
