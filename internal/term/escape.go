package term

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// AppendEscaped appends text so that a terminal shows it as text: control characters but
// tabs, invisible ones, those that change the direction of what follows, and bytes that are
// not UTF-8 are written as \x1B or \u{202E}.
func AppendEscaped(b, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if ' ' <= c && c < 0x7f || c == '\t' {
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\x%02X`, c)
		case r <= 0xff && misleading(r):
			b = fmt.Appendf(b, `\x%02X`, r)
		case misleading(r):
			b = fmt.Appendf(b, `\u{%04X}`, r)
		default:
			b = append(b, text[i:i+size]...)
		}
		i += size
	}
	return b
}

// Escape is AppendEscaped for a string.
func Escape(text string) string { return string(AppendEscaped(nil, []byte(text))) }

// misleading reports whether r is a control or a format character (Unicode's
// categories Cc and Cf, with the bidirectional ones of UAX #9), or a separator of
// lines.
func misleading(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == 0x180E || 0x2060 <= r && r <= 0x206f
}
