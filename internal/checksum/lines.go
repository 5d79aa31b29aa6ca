// Package checksum prints the SHA-256 of files, and checks files against what was printed. Its
// lines are those of sha256sum.
package checksum

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"ldx/internal/catalogue"
	"ldx/internal/term"
)

// A Form is how a result is printed.
type Form struct {
	JSON   bool // an object with path, size and sha256
	Null   bool // a NUL at the end, and paths as they are
	Escape bool // what a terminal would not show as text is escaped
}

// Append appends a result to b and returns the extended slice.
func (f Form) Append(b []byte, sum *catalogue.Sum, size int64, path []byte) []byte {
	if f.JSON {
		b = term.AppendJSON(append(b, '{'), "path", path)
		b = strconv.AppendInt(append(b, `,"size":`...), size, 10)
		b = hex.AppendEncode(append(b, `,"sha256":"`...), sum[:])
		return f.end(append(b, `"}`...))
	}
	escaped := !f.Null && needsEscape(path)
	if escaped {
		b = append(b, '\\')
	}
	b = append(hex.AppendEncode(b, sum[:]), "  "...)
	return f.end(f.appendPath(b, path, escaped))
}

func (f Form) end(b []byte) []byte {
	if f.Null {
		return append(b, 0)
	}
	return append(b, '\n')
}

// appendPath appends a path, which a line begins with a backslash for if it is escaped.
func (f Form) appendPath(b, path []byte, escaped bool) []byte {
	if escaped {
		path = appendEscaped(nil, path)
	}
	if f.Escape {
		return term.AppendEscaped(b, path)
	}
	return append(b, path...)
}

// needsEscape reports whether sha256sum escapes a path: it would not be one line, or looks as if
// it were escaped.
func needsEscape(path []byte) bool { return bytes.ContainsAny(path, "\\\n\r") }

func appendEscaped(b, path []byte) []byte {
	for _, c := range path {
		switch c {
		case '\\':
			b = append(b, `\\`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// unescape returns the path that was escaped; false if none is.
func unescape(text []byte) (path []byte, ok bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			if i++; i == len(text) {
				return nil, false
			}
			switch text[i] {
			case '\\':
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			default:
				return nil, false
			}
		}
		if c == 0 {
			return nil, false
		}
		path = append(path, c)
	}
	return path, true
}

// parseLine returns what a line says: sum and path, in the forms of sha256sum, its --tag and
// other programs. ok is false if it is no such line.
func parseLine(line []byte) (sum catalogue.Sum, path []byte, ok bool) {
	line = bytes.TrimLeft(line, " \t")
	line, escaped := bytes.CutPrefix(line, []byte{'\\'})
	var digits []byte
	if tagged, is := bytes.CutPrefix(line, []byte("SHA256 (")); is {
		at := bytes.LastIndex(tagged, []byte(") = "))
		if at < 0 {
			return sum, nil, false
		}
		path, digits = tagged[:at], tagged[at+len(") = "):]
	} else {
		n := hex.EncodedLen(len(sum))
		if len(line) < n+3 || line[n] != ' ' || line[n+1] != ' ' && line[n+1] != '*' {
			return sum, nil, false
		}
		digits, path = line[:n], line[n+2:]
	}
	if len(digits) != hex.EncodedLen(len(sum)) {
		return sum, nil, false
	}
	if _, err := hex.Decode(sum[:], digits); err != nil {
		return sum, nil, false
	}
	if escaped {
		path, ok = unescape(path)
		return sum, path, ok
	}
	return sum, path, len(path) > 0
}
