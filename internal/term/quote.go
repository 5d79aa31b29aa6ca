package term

import (
	"strings"
	"unicode/utf8"
)

// AppendShell appends a text as bash, zsh and other shells take it for one word, in a line: as it is
// if nothing in it is special, else in '...', or in $'...' if parts of it do not show.
func AppendShell(b, text []byte) []byte {
	const plain = 0
	form := byte(plain)
	for rest := text; len(rest) > 0 && form != '$'; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case hides(r, size):
			form = '$'
		case !isWord(r):
			form = '\''
		}
		rest = rest[size:]
	}
	switch {
	case form == '$':
		return append(appendEscapes(append(b, "$'"...), text, '\''), '\'')
	case form == plain && len(text) > 0 && text[0] != '=': // =word is zsh's
		return append(b, text...)
	}
	b = append(b, '\'')
	for _, c := range text {
		if c == '\'' {
			b = append(b, `'\'`...)
		}
		b = append(b, c)
	}
	return append(b, '\'')
}

// AppendC appends a text as a string of C, in "...".
func AppendC(b, text []byte) []byte {
	return append(appendEscapes(append(b, '"'), text, '"'), '"')
}

// isWord reports whether a character means nothing to a shell.
func isWord(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return strings.ContainsRune("_-./:,+@%=", r)
}

// hides reports whether a character is one that AppendEscaped replaces, or an invalid byte.
func hides(r rune, size int) bool { return r == utf8.RuneError && size == 1 || misleading(r) }

// appendEscapes appends a text with backslashes before quote and \, and with what does not show as
// octal numbers of three digits.
func appendEscapes(b, text []byte, quote byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case hides(r, size):
			for _, c := range text[:size] {
				b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
			}
		case text[0] == quote, text[0] == '\\':
			b = append(b, '\\', text[0])
		default:
			b = append(b, text[:size]...)
		}
		text = text[size:]
	}
	return b
}
