package dir

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Names on Windows are any 16-bit units, UTF-16 or not. As bytes they are WTF-8
// (https://simonsapin.github.io/wtf-8): UTF-8, except that a surrogate without its other
// half has the three bytes that UTF-8 would give its number. Nothing is lost, so the units
// need not be kept.

// appendWTF8 appends little-endian units as WTF-8 to b and returns the extended slice. A unit
// takes at most three bytes.
func appendWTF8(b, units []byte) []byte {
	for len(units) >= 2 {
		unit := rune(binary.LittleEndian.Uint16(units))
		units = units[2:]
		switch {
		case unit < utf8.RuneSelf:
			b = append(b, byte(unit))
		case !utf16.IsSurrogate(unit):
			b = utf8.AppendRune(b, unit)
		default:
			if len(units) >= 2 {
				if r := utf16.DecodeRune(unit, rune(binary.LittleEndian.Uint16(units))); r != utf8.RuneError {
					b = utf8.AppendRune(b, r)
					units = units[2:]
					continue
				}
			}
			b = append(b, 0xe0|byte(unit>>12), 0x80|byte(unit>>6)&0xbf, 0x80|byte(unit)&0xbf)
		}
	}
	return b
}

// appendUnits appends the units of a WTF-8 name to u and returns the extended slice. A byte
// makes at most one unit. A byte that is not WTF-8 becomes U+FFFD.
func appendUnits(u []uint16, name []byte) []uint16 {
	for len(name) > 0 {
		if name[0] < utf8.RuneSelf {
			u = append(u, uint16(name[0]))
			name = name[1:]
			continue
		}
		r, size := utf8.DecodeRune(name)
		if size == 1 && isLoneSurrogate(name) {
			u = append(u, uint16(name[0]&0xf)<<12|uint16(name[1]&0x3f)<<6|uint16(name[2]&0x3f))
			name = name[3:]
			continue
		}
		u = utf16.AppendRune(u, r)
		name = name[size:]
	}
	return u
}

// isLoneSurrogate reports whether name begins with the three bytes of a lone surrogate.
func isLoneSurrogate(name []byte) bool {
	return len(name) >= 3 && name[0] == 0xed && name[1]&0xe0 == 0xa0 && name[2]&0xc0 == 0x80
}
