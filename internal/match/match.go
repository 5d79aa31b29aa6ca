// Package match decides which names match a pattern, in the fastest way that is
// correct for the pattern:
//
//	literal.go    one literal: compared, or searched for
//	set.go        any number of literals: one Aho-Corasick automaton
//	dfa.go        any other regular expression: an automaton built as it is used
//	names.go      all names of a directory at once, to find that none matches
//	backtrack.go  anything beyond regular expressions: regexp2, with a time limit
//	groups.go     what groups match in a text that matches
//
// expression.go translates patterns of every syntax to regular expressions;
// repeat.go limits their size; error.go locates what is wrong with one; prog.go
// prepares them for dfa.go.
package match

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Syntax is a way to write a pattern.
type Syntax uint8

// The syntaxes.
const (
	// Regexp is a regular expression as in package regexp. It may match
	// anywhere, and its dot matches a newline. It may also have look-around,
	// back-references, atomic groups and possessive quantifiers.
	Regexp Syntax = iota
	// Glob matches the whole text: * any characters, ? one, [a-z] one in a set,
	// {a,b} either, \ makes the next character a literal.
	Glob
	// Fixed is a literal anywhere in the text.
	Fixed
	// Exact is a literal that is the whole text.
	Exact
	// Suffix is a literal at the end of the text, after at least one character.
	Suffix
)

// Options configures the meaning of patterns.
type Options struct {
	Syntax Syntax
	Fold   bool // a letter matches its simple Unicode foldings
	// Path declares the texts to be paths. Then * and ? in a glob do not match
	// a slash, and ** as a whole element matches any number of elements.
	Path bool
}

// A Matcher reports whether a text (a name or a path) matches any of its
// patterns. It is safe for concurrent use.
//
// Texts are bytes. In a text that is not UTF-8 each invalid byte counts as the
// character U+FFFD, as in package regexp. The normal forms of a character (NFC,
// NFD) are equal.
type Matcher struct {
	all    bool // every text but the empty one matches
	dotted bool // only texts that begin with a dot match

	// Necessary conditions shared by all matching texts, as far as they are
	// known.
	minLen int // in bytes
	begins *gate
	ends   *gate
	rare   *letters
	need   []byte // a literal, in texts in ASCII

	single *literal // the only pattern, for texts in ASCII
	set    *set
	dfa    *dfa
	beyond []*backtracker
	tree   *syntax.Regexp // the expression of dfa
	source string         // the same for package regexp

	literals []literal // the patterns that are literals
	looked   sync.Once
	look     *look // built by Absent; nil: none

	compiled sync.Once
	re       *regexp.Regexp // built by regexp

	slow atomic.Int64 // nanoseconds spent on slow texts in beyond
}

// New returns a Matcher for texts that match any of the patterns. The error is
// an *Error.
func New(patterns []string, opt Options) (*Matcher, error) {
	m := &Matcher{dotted: len(patterns) > 0}
	var (
		literals []literal
		trees    []parsed
	)
	for i, pattern := range patterns {
		p, err := opt.parse(pattern)
		switch {
		case err != nil:
			err.Index = i
			return nil, err
		case p.beyond != nil:
			m.beyond = append(m.beyond, p.beyond)
		case p.literal != nil && (p.literal.fold == opt.Fold || len(patterns) == 1):
			literals = append(literals, *p.literal)
		default:
			trees = append(trees, p)
		}
		m.dotted = m.dotted && p.dotted()
	}
	if len(literals) == 1 && len(trees)+len(m.beyond) == 0 {
		m.single = &literals[0]
		if l := m.single; l.fold && l.at == 0 && !strings.ContainsRune(l.text, utf8.RuneError) { // an automaton is faster
			m.single, literals = nil, nil
			trees = append(trees, parsed{tree: l.tree(), source: "(?i)" + regexp.QuoteMeta(l.text)})
		}
	}
	if len(literals) > 0 {
		m.set = newSet(literals)
	}
	if len(trees) > 0 {
		if err := m.planTrees(trees); err != nil {
			reason := fmt.Sprintf("%d patterns are too large together; give fewer, or lower the counts in {}", len(trees))
			return nil, &Error{Syntax: opt.Syntax, Reason: reason}
		}
	}
	m.findCommon()
	m.literals = literals
	return m, nil
}

// A gate is the set of ASCII bytes that may be at one end of a matching text.
type gate [utf8.RuneSelf]bool

// findCommon derives cheap necessary conditions shared by all matching texts,
// if there is only one literal or automaton.
func (m *Matcher) findCommon() {
	switch l := m.single; {
	case l != nil && l.at == 0:
		m.rare = newLetters(l.tree())
	case l != nil && l.at&atEnd != 0:
		m.ends = l.gate(len(l.lower) - 1)
	case l != nil:
		m.begins = l.gate(0)
	case m.dfa == nil || m.set != nil || m.beyond != nil:
		return
	case m.dfa.reverse:
		m.ends = m.dfa.gate()
	case m.dfa.anchored:
		m.begins = m.dfa.gate()
	default:
		m.need, m.rare = needed(m.tree), newLetters(m.tree)
	}
	if m.dfa != nil {
		m.minLen = minLen(m.tree)
	}
}

// ruledOut reports whether a text, in ASCII or not, fails a condition shared by
// all matching texts. Normalization does not change a last character in ASCII,
// nor a first one unless the next character may combine with it.
func (m *Matcher) ruledOut(text []byte) bool {
	if len(text) == 0 || len(text) < m.minLen {
		return len(text) > 0
	}
	switch first, last := text[0], text[len(text)-1]; {
	case m.ends != nil:
		return last < utf8.RuneSelf && !m.ends[last]
	case m.begins != nil:
		return first < utf8.RuneSelf && !m.begins[first] && (len(text) == 1 || text[1] < utf8.RuneSelf)
	}
	return m.rare != nil && m.rare.missing(text)
}

// planTrees compiles the expressions to one automaton. It returns an error if
// they are too large together.
func (m *Matcher) planTrees(trees []parsed) error {
	if slices.ContainsFunc(trees, func(p parsed) bool { return isAll(p.tree) }) {
		m.all = true
		return nil
	}
	all := trees[0]
	if len(trees) > 1 {
		var err error
		if all, err = union(trees); err != nil {
			return err
		}
	}
	m.tree, m.source = all.tree.Simplify(), all.source
	m.dfa = newDFA(m.tree)
	m.all = m.dfa.matchesAll()
	return nil
}

// All reports whether the patterns match every text but the empty one.
func (m *Matcher) All() bool { return m.all }

// Dotted reports whether the patterns match only texts that begin with a dot.
func (m *Matcher) Dotted() bool { return m.dotted }

// Match reports whether one of the patterns matches the text. It returns a
// *SlowError if matching takes too long.
func (m *Matcher) Match(text []byte) (bool, error) {
	switch {
	case m.all:
		return true, nil
	case m.ruledOut(text):
		return false, nil
	case !isASCII(text):
		return m.matchUnicode(text)
	case m.single != nil:
		return m.single.match(text), nil
	case m.set != nil && m.set.match(text):
		return true, nil
	}
	if m.dfa != nil && (m.need == nil || bytes.Contains(text, m.need)) {
		switch m.dfa.match(text) {
		case accept:
			return true, nil
		case full:
			if m.regexp().Match(text) {
				return true, nil
			}
		}
	}
	if m.beyond != nil {
		return m.matchBeyond(text)
	}
	return false, nil
}

// composed holds buffers for texts to be converted to NFC.
var composed = sync.Pool{New: func() any { return new([]byte) }}

// matchUnicode is like Match, for a text beyond ASCII.
func (m *Matcher) matchUnicode(text []byte) (bool, error) {
	if !norm.NFC.IsNormal(text) {
		buf := composed.Get().(*[]byte)
		defer composed.Put(buf)
		*buf = norm.NFC.Append((*buf)[:0], text...)
		text = *buf
	}
	if m.set != nil && m.set.match(text) {
		return true, nil
	}
	if m.dfa != nil {
		switch m.dfa.matchRunes(text) {
		case accept:
			return true, nil
		case full:
			if m.regexp().Match(text) {
				return true, nil
			}
		}
	}
	return m.matchBeyond(text)
}

func (m *Matcher) matchBeyond(text []byte) (bool, error) {
	for _, b := range m.beyond {
		if ok, err := b.match(text, &m.slow); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// regexp returns the fallback for a DFA without room. It is compiled when first
// needed: that takes longer than most searches.
func (m *Matcher) regexp() *regexp.Regexp {
	m.compiled.Do(func() { m.re = regexp.MustCompile(m.source) })
	return m.re
}

// isASCII reports whether a text is in ASCII and has no NUL (no name has one).
// It has few branches: as names differ in length, branches are mispredicted.
func isASCII(text []byte) bool {
	var set uint64 // the high bit is set for each other byte
	switch n := len(text); {
	case n < 8:
		for _, b := range text {
			set |= uint64(b-1) | uint64(b)
		}
	case n <= 32:
		a, b, c, d := word(text), word(text[min(8, n-8):]), word(text[max(n, 16)-16:]), word(text[n-8:])
		set = a | b | c | d | (a - ones) | (b - ones) | (c - ones) | (d - ones)
	default:
		set = word(text[n-8:]) | (word(text[n-8:]) - ones)
		for ; len(text) > 8; text = text[8:] {
			set |= word(text) | (word(text) - ones)
		}
	}
	return set&highs == 0
}
