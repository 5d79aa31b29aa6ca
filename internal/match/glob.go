package match

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// globExpression translates a glob to a regular expression. An unclosed "[" is
// a literal, as in a shell.
func globExpression(glob string, path bool) (string, *Error) {
	g := globber{glob: glob, path: path}
	g.WriteString(`\A`)
	for g.at < len(glob) {
		if err := g.next(); err != nil {
			return "", err
		}
	}
	if n := len(g.braces); n > 0 {
		return "", g.wrong(g.braces[n-1], 1, `a { is not closed; write \{ for a literal {`)
	}
	g.WriteString(`\z`)
	return g.String(), nil
}

type globber struct {
	strings.Builder
	glob   string
	path   bool
	at     int
	braces []int // offsets of the open ones

	unclosed bool // no "]" follows that closes a set, except that of a [:name:]
}

func (g *globber) wrong(at, size int, format string, args ...any) *Error {
	return &Error{Pattern: g.glob, Syntax: Glob, At: at, Len: size, Reason: fmt.Sprintf(format, args...)}
}

// next translates the next part of the glob.
func (g *globber) next() *Error {
	c := g.glob[g.at]
	g.at++
	switch {
	case c == '*':
		g.stars()
	case c == '?':
		g.WriteString(g.notSlash())
	case c == '[':
		return g.set()
	case c == '{':
		g.braces = append(g.braces, g.at-1)
		g.WriteString("(?:")
	case c == '}' && len(g.braces) > 0:
		g.braces = g.braces[:len(g.braces)-1]
		g.WriteByte(')')
	case c == ',' && len(g.braces) > 0:
		g.WriteByte('|')
	case c == '\\' && g.at == len(g.glob):
		return g.wrong(g.at-1, 1, `it ends in a single \; write \\ for a literal \`)
	default:
		if c != '\\' {
			g.at--
		}
		_, size := utf8.DecodeRuneInString(g.glob[g.at:])
		g.WriteString(regexp.QuoteMeta(g.glob[g.at : g.at+size]))
		g.at += size
	}
	return nil
}

func (g *globber) notSlash() string {
	if g.path {
		return "[^/]"
	}
	return "."
}

// stars translates "*", "**" and more. In a path, two or more that are a whole
// element match slashes too; with a slash after them they also match nothing.
func (g *globber) stars() {
	from := g.at - 1
	for g.at < len(g.glob) && g.glob[g.at] == '*' {
		g.at++
	}
	before, behind := "/", "/"
	if len(g.braces) > 0 {
		before, behind = "/{,", "/,}"
	}
	rest := g.glob[g.at:]
	begins := from == 0 || strings.IndexByte(before, g.glob[from-1]) >= 0
	ends := rest == "" || strings.IndexByte(behind, rest[0]) >= 0
	switch {
	case !g.path:
		g.WriteString(".*")
	case g.at-from < 2 || !begins || !ends:
		g.WriteString("[^/]*")
	case strings.HasPrefix(rest, "/"):
		g.at++
		g.WriteString("(?:.*/)?")
	default:
		g.WriteString(".*")
	}
}

// set translates "[...]".
func (g *globber) set() *Error {
	open := g.at - 1
	end := g.setEnd()
	if end < 0 {
		g.WriteString(`\[`)
		return nil
	}
	g.WriteByte('[')
	if c := g.glob[g.at]; c == '!' || c == '^' {
		g.at++
		g.WriteByte('^')
		if g.path {
			g.WriteByte('/')
		}
	}
	for g.at < end {
		if n := classLen(g.glob[g.at:end]); n > 0 {
			g.WriteString(g.glob[g.at : g.at+n])
			g.at += n
			continue
		}
		from := g.at
		lo := g.setRune()
		hi := lo
		if g.glob[g.at] == '-' && g.at+1 < end {
			g.at++
			hi = g.setRune()
		}
		if lo > hi {
			return g.wrong(from, g.at-from, "the range %s is backwards", g.glob[from:g.at])
		}
		g.setRange(lo, hi)
	}
	if g.at != end {
		return g.wrong(open, end-open, "a range has no end")
	}
	g.at++
	g.WriteByte(']')
	return nil
}

// setRange adds a range to a set. In a path sets have no slash.
func (g *globber) setRange(lo, hi rune) {
	switch {
	case !g.path || hi < '/' || lo > '/':
		fmt.Fprintf(g, `\x{%X}-\x{%X}`, lo, hi)
	case lo == hi: // a set must not be empty: a NUL is in no path
		g.WriteString(`\x00`)
	case lo == '/':
		g.setRange('0', hi)
	case hi == '/':
		g.setRange(lo, '.')
	default:
		g.setRange(lo, '.')
		g.setRange('0', hi)
	}
}

// setRune reads one character of a set.
func (g *globber) setRune() rune {
	if g.glob[g.at] == '\\' {
		g.at++
	}
	r, size := utf8.DecodeRuneInString(g.glob[g.at:])
	g.at += size
	return r
}

// setEnd returns the offset of the bracket that closes a set, or -1. A "]" that
// comes first is a member.
func (g *globber) setEnd() int {
	if g.unclosed && classLen(g.glob[g.at-1:]) == 0 {
		return -1
	}
	i := g.at
	if i < len(g.glob) && (g.glob[i] == '!' || g.glob[i] == '^') {
		i++
	}
	for first := i; i < len(g.glob); i++ {
		switch c := g.glob[i]; {
		case c == ']' && i > first:
			return i
		case c == '\\':
			i++
		case classLen(g.glob[i:]) > 0:
			i += classLen(g.glob[i:]) - 1
		}
	}
	g.unclosed = true
	return -1
}
