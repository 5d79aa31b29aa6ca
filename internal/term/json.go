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
	for _, r := range string(text) {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case !misleading(r):
			b = utf8.AppendRune(b, r)
		default:
			b = appendEscape(b, r)
		}
	}
	return append(b, '"')
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
