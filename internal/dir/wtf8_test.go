package dir

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// units returns the bytes of 16-bit units.
func units(u ...uint16) (b []byte) {
	for _, unit := range u {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

func TestWTF8(t *testing.T) {
	for want, u := range map[string][]byte{
		"":                         nil,
		"a.txt":                    units('a', '.', 't', 'x', 't'),
		"ünï-日本-😀":                 units(utf16.Encode([]rune("ünï-日本-😀"))...),
		"\xed\xa0\x80":             units(0xd800),
		"\xed\xbf\xbf":             units(0xdfff),
		"a\xed\xa0\xbdb":           units('a', 0xd83d, 'b'),
		"\xed\xb8\x80\xed\xa0\xbd": units(0xde00, 0xd83d), // in the wrong order
		"\xed\xa0\xbd😀":            units(0xd83d, 0xd83d, 0xde00),
		"\uffff\U0010ffff":         units(0xffff, 0xdbff, 0xdfff),
	} {
		assert.Equal(t, want, string(appendWTF8(nil, u)))
		assert.Equal(t, u, units(appendUnits(nil, []byte(want))...))
	}
	assert.Equal(t, []uint16{'a', 0xfffd, 0xfffd, 0xfffd, 'b'}, appendUnits(nil, []byte("a\xff\xed\xa0b")), "bytes that are no name")
	assert.Equal(t, []uint16{0xfffd, 'A', 0xfffd}, appendUnits(nil, []byte("\xedA\x80")), "not even three bytes of one")
}

// FuzzWTF8 checks that all units convert back to themselves, and UTF-16 to UTF-8.
func FuzzWTF8(f *testing.F) {
	f.Add([]byte("a\x00b\x00"))
	f.Add(units(0xd800, 0xdc00, 0xdc00, 0xd800))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:len(b)&^1]
		name := appendWTF8(nil, b)
		if len(name) > len(b)/2*3 {
			t.Fatalf("%d bytes for %d units", len(name), len(b)/2)
		}
		again := appendUnits(nil, name)
		if string(units(again...)) != string(b) {
			t.Fatalf("%x became %q and %x", b, name, again)
		}
		if runes := utf16.Decode(again); utf8.Valid(name) && string(runes) != string(name) {
			t.Fatalf("%q is not %q", name, string(runes))
		}
		appendUnits(nil, b) // any bytes: no panic
	})
}

func BenchmarkWTF8(b *testing.B) {
	name := units(utf16.Encode([]rune("a-somewhat-longer-näme.test.js"))...)
	buf, back := []byte(nil), []uint16(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = appendWTF8(buf[:0], name)
		back = appendUnits(back[:0], buf)
	}
}
