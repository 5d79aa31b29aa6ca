package du

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Excludes are globs for paths to leave out, as du has them: a glob must match a path, or its end
// after a slash. A * and a ? match slashes too; a backslash makes the next character literal.
type Excludes []string

// ParseExcludes reads globs, one a line. Blank lines are left out, and blanks at the end of others.
func ParseExcludes(text []byte) (globs Excludes) {
	for line := range bytes.Lines(text) {
		if glob := bytes.TrimRight(line, " \t\v\f\r\n"); len(glob) > 0 {
			globs = append(globs, string(glob))
		}
	}
	return globs
}

// Match reports whether a path is to be left out.
func (x Excludes) Match(path []byte) bool {
	return slices.ContainsFunc(x, func(glob string) bool {
		for i := range path {
			if (i == 0 || path[i-1] == '/' && path[i] != '/') && matchGlob(glob, path[i:]) {
				return true
			}
		}
		return false
	})
}

// matchGlob reports whether a glob matches all of text, as fnmatch(3) does without flags. Of the
// stars only the last one is tried again, so it takes no more than the product of both lengths.
func matchGlob(glob string, text []byte) bool {
	star, from := -1, 0 // in glob, after the last *; in text, where what follows it begins
	at, i := 0, 0
	for i < len(text) {
		if at < len(glob) && glob[at] == '*' {
			at++
			star, from = at, i
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 { // a byte that is no text stands for itself
			r = -rune(text[i])
		}
		if n, ok := matchOne(glob[at:], r); ok {
			at, i = at+n, i+size
			continue
		}
		if star < 0 {
			return false
		}
		_, size = utf8.DecodeRune(text[from:])
		from += size
		at, i = star, from
	}
	for at < len(glob) && glob[at] == '*' {
		at++
	}
	return at == len(glob)
}

// matchOne reports whether what a glob begins with matches a character, and how long that is.
func matchOne(glob string, r rune) (n int, ok bool) {
	if glob == "" {
		return 0, false
	}
	switch glob[0] {
	case '?':
		return 1, true
	case '[':
		if n, ok := matchClass(glob, r); n > 0 {
			return n, ok
		}
	}
	n, want := literal(glob)
	return n, n > 0 && want == r
}

// literal returns the character that text begins with, or the one after a backslash, and the length
// of both; 0 if nothing comes after the backslash.
func literal(text string) (n int, r rune) {
	escape := 0
	if text[0] == '\\' {
		if escape = 1; len(text) == 1 {
			return 0, 0
		}
	}
	r, n = utf8.DecodeRuneInString(text[escape:])
	if r == utf8.RuneError && n == 1 {
		r = -rune(text[escape])
	}
	return escape + n, r
}

// matchClass reports whether a bracket expression, which a glob begins with, matches a character,
// and how long it is; 0 if it does not end.
func matchClass(glob string, r rune) (n int, ok bool) {
	at := 1
	not := at < len(glob) && (glob[at] == '!' || glob[at] == '^')
	if not {
		at++
	}
	for first := true; at < len(glob); first = false {
		if glob[at] == ']' && !first {
			return at + 1, ok != not
		}
		if size, in := matchNamedClass(glob[at:], r); size > 0 {
			at, ok = at+size, ok || in
			continue
		}
		size, low := literal(glob[at:])
		if size == 0 {
			return 0, false
		}
		at += size
		high := low
		if at+1 < len(glob) && glob[at] == '-' && glob[at+1] != ']' {
			if size, high = literal(glob[at+1:]); size == 0 {
				return 0, false
			}
			at += 1 + size
		}
		ok = ok || low <= r && r <= high
	}
	return 0, false
}

// matchNamedClass reports whether a class such as [:alpha:] matches a character, and how long its
// name is; 0 if there is none.
func matchNamedClass(glob string, r rune) (n int, ok bool) {
	for _, class := range []struct {
		name string
		has  func(rune) bool
	}{
		{"[:alnum:]", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }},
		{"[:alpha:]", unicode.IsLetter},
		{"[:blank:]", func(r rune) bool { return r == ' ' || r == '\t' }},
		{"[:cntrl:]", unicode.IsControl},
		{"[:digit:]", func(r rune) bool { return '0' <= r && r <= '9' }},
		{"[:graph:]", func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }},
		{"[:lower:]", unicode.IsLower},
		{"[:print:]", unicode.IsPrint},
		{"[:punct:]", func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }},
		{"[:space:]", unicode.IsSpace},
		{"[:upper:]", unicode.IsUpper},
		{"[:xdigit:]", func(r rune) bool {
			return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
		}},
	} {
		if len(glob) >= len(class.name) && glob[:len(class.name)] == class.name {
			return len(class.name), class.has(r)
		}
	}
	return 0, false
}
