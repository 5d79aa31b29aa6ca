// Package match turns a pattern into the quickest matcher that is right for it.
package match

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Case says when upper and lower case are the same.
type Case uint8

// The ways to compare letters.
const (
	Smart       Case = iota // Sensitive if the pattern has an uppercase letter, else Insensitive
	Sensitive               // a letter matches itself
	Insensitive             // a letter matches any of its simple Unicode foldings
)

// A Matcher tells which names a pattern matches. It is safe for concurrent use.
type Matcher struct {
	all      bool   // every name that is not empty
	literal  []byte // where set, found without the expression; in lower case if fold is
	fold     bool
	simple   bool // no letter of literal folds to one beyond ASCII
	anchored anchor
	re       *regexp.Regexp // nil where it is never needed
}

type anchor uint8

const (
	atStart anchor = 1 << iota
	atEnd
)

// New returns the Matcher of a regular expression in RE2 syntax, which may match
// anywhere in a name; a dot matches a newline too. The error is a *syntax.Error.
func New(pattern string, c Case) (*Matcher, error) {
	fold := c == Insensitive || c == Smart && !hasUpper(pattern)
	flags := syntax.Perl | syntax.DotNL
	if fold {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	m := new(Matcher)
	if m.plan(tree.Simplify()) {
		return m, nil
	}
	prefix := "(?s)"
	if fold {
		prefix = "(?is)"
	}
	m.re, err = regexp.Compile(prefix + pattern)
	return m, err
}

// plan finds out whether the expression can be done without. The plan for a
// literal that folds is good for names in ASCII only.
func (m *Matcher) plan(tree *syntax.Regexp) (complete bool) {
	switch tree.Op {
	case syntax.OpEmptyMatch, syntax.OpAnyChar:
		m.all = true
		return true
	case syntax.OpLiteral:
		return m.planLiteral(tree)
	case syntax.OpConcat:
		subs := tree.Sub
		var anchored anchor
		if subs[0].Op == syntax.OpBeginText {
			anchored |= atStart
			subs = subs[1:]
		}
		if n := len(subs) - 1; n >= 0 && subs[n].Op == syntax.OpEndText {
			anchored |= atEnd
			subs = subs[:n]
		}
		if len(subs) == 1 && subs[0].Op == syntax.OpLiteral {
			m.anchored = anchored
			return m.planLiteral(subs[0])
		}
	}
	return false
}

func (m *Matcher) planLiteral(tree *syntax.Regexp) (complete bool) {
	text := string(tree.Rune)
	if strings.ContainsRune(text, utf8.RuneError) {
		return false // regexp has it match bytes that are no UTF-8
	}
	m.fold = tree.Flags&syntax.FoldCase != 0
	m.simple = true
	if m.fold {
		for _, r := range tree.Rune {
			if r >= utf8.RuneSelf {
				return false
			}
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				m.simple = m.simple && f < utf8.RuneSelf
			}
		}
		text = strings.ToLower(text)
	}
	m.literal = []byte(text)
	return m.simple
}

// All reports whether the pattern matches every name, an empty one aside.
func (m *Matcher) All() bool { return m.all }

// Match reports whether the pattern matches the name.
func (m *Matcher) Match(name []byte) bool {
	switch {
	case m.all:
		return true
	case m.literal == nil, !m.simple && !isASCII(name):
		return m.re.Match(name)
	case m.fold:
		return m.matchFold(name)
	}
	switch m.anchored {
	case atStart:
		return bytes.HasPrefix(name, m.literal)
	case atEnd:
		return bytes.HasSuffix(name, m.literal)
	case atStart | atEnd:
		return bytes.Equal(name, m.literal)
	}
	return bytes.Contains(name, m.literal)
}

// matchFold looks for the literal in any case of its ASCII letters.
func (m *Matcher) matchFold(name []byte) bool {
	first, last := 0, len(name)-len(m.literal) // where it may begin
	if m.anchored&atEnd != 0 {
		first = last
	}
	if m.anchored&atStart != 0 {
		last = min(last, 0)
	}
	if first < 0 {
		return false
	}
	for ; first <= last; first++ {
		if lower(name[first]) == m.literal[0] && equalFold(name[first:first+len(m.literal)], m.literal) {
			return true
		}
	}
	return false
}

// equalFold compares a name with one of the same length in lower case.
func equalFold(name, lowered []byte) bool {
	for i, c := range name {
		if lower(c) != lowered[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

func isASCII(name []byte) bool {
	for _, c := range name {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hasUpper reports whether a regular expression has an uppercase letter that
// stands for itself: not one of an escape (\W, \pL, \x{1F}), of a group's name or
// of a flag.
func hasUpper(pattern string) bool {
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, `\Q`):
			quoted, _, _ := strings.Cut(rest[2:], `\E`)
			if strings.ContainsFunc(quoted, unicode.IsUpper) {
				return true
			}
			i += len(`\Q`) + len(quoted)
		case rest[0] == '\\':
			i += escapeLen(rest)
		case strings.HasPrefix(rest, "(?"):
			end := strings.IndexAny(rest, ">:)")
			if end < 0 {
				return false
			}
			i += end
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if unicode.IsUpper(r) {
				return true
			}
			i += size
		}
	}
	return false
}

// escapeLen returns the length of the escape that s begins with.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	size := 2
	switch s[1] {
	case 'p', 'P', 'x':
		if len(s) > 2 && s[2] == '{' {
			if end := strings.IndexByte(s, '}'); end >= 0 {
				return end + 1
			}
		}
		if s[1] == 'x' {
			return min(4, len(s))
		}
		return min(3, len(s))
	}
	return size
}
