package printer

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// appendEscaped appends text so that a terminal shows it as text: control
// characters, those that change the direction of what follows, those that are
// invisible, and bytes that are not UTF-8 are written as \x1B or \u{202E}.
func appendEscaped(b, text []byte) []byte {
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

// misleading reports whether r is a control or a format character (Unicode's
// categories Cc and Cf, with the bidirectional ones of UAX #9), or a separator of
// lines.
func misleading(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == 0x180E || 0x2060 <= r && r <= 0x206f
}

// appendURL appends a path as the URL of a file on a host, which may be ""
// (RFC 8089; a path that begins with a drive gets a slash before it).
func appendURL(b []byte, host string, path []byte) []byte {
	b = append(append(b, "file://"...), host...)
	if len(path) > 0 && path[0] != '/' {
		b = append(b, '/')
	}
	for _, c := range path {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '/', c == '-', c == '.', c == '_', c == '~', c == ':':
			b = append(b, c)
		default:
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}
