package term

import (
	"encoding/base64"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends a member of a JSON object, "name":"text". A text that is not UTF-8 is
// in base64, and has a name that ends in _b64. What a terminal would not show as text is
// escaped.
func AppendJSON(b []byte, name string, text []byte) []byte {
	if !utf8.Valid(text) {
		b = append(append(append(b, '"'), name...), `_b64":"`...)
		return append(base64.StdEncoding.AppendEncode(b, text), '"')
	}
	b = append(append(append(b, '"'), name...), `":"`...)
	done := 0 // bytes that are appended
	for i := 0; i < len(text); {
		c := text[i]
		if ' ' <= c && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, text[done:i]...)
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', c)
		case !misleading(r):
			b = append(b, text[i:i+size]...)
		default:
			b = appendEscape(b, r)
		}
		i += size
		done = i
	}
	return append(append(b, text[done:]...), '"')
}

func appendEscape(b []byte, r rune) []byte {
	for _, short := range [...]struct {
		r      rune
		letter byte
	}{{'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\b', 'b'}, {'\f', 'f'}} {
		if r == short.r {
			return append(b, '\\', short.letter)
		}
	}
	for _, unit := range utf16.AppendRune(nil, r) {
		b = fmt.Appendf(b, `\u%04x`, unit)
	}
	return b
}
