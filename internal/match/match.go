// Package match tells which names a pattern matches, in the quickest way that is
// right for it:
//
//	literal.go    one literal: compared, or searched for
//	set.go        any number of literals: one Aho-Corasick automaton
//	dfa.go        any other regular expression: an automaton made as it is used
//	backtrack.go  what is beyond regular expressions: regexp2, with a time limit
//
// expression.go reads patterns, however they are written, as regular expressions;
// prog.go makes of these what dfa.go runs.
package match

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Syntax says how a pattern is written.
type Syntax uint8

// The ways to write a pattern.
const (
	// Regexp is a regular expression as package regexp has it, which may match
	// anywhere and whose dot matches a newline too. Look-around, back-references,
	// atomic groups and possessive quantifiers are understood as well.
	Regexp Syntax = iota
	// Glob matches the whole text: * is any characters, ? one, [a-z] one of a
	// set, {a,b} either; \ takes the meaning from the next.
	Glob
	// Fixed is a literal, found anywhere.
	Fixed
	// Exact is a literal that is the whole text.
	Exact
	// Suffix is a literal at the end, with something before it.
	Suffix
)

// Options says what patterns mean.
type Options struct {
	Syntax Syntax
	Fold   bool // a letter matches any of its simple Unicode foldings
	// Path says that the texts are paths. In a glob neither * nor ? matches a
	// slash then, and ** as a whole element matches any number of elements.
	Path bool
}

// A Matcher tells which texts (names or paths) any of some patterns matches. It
// is safe for concurrent use.
//
// Texts are bytes. Where they are not UTF-8, each wrong byte counts as the
// character U+FFFD, as for package regexp. Characters that Unicode can write in
// several ways (NFC, NFD) are the same in any of them.
type Matcher struct {
	all    bool     // every text that is not empty
	dotted bool     // none but what begins with a dot
	single *literal // all there is, for a text in ASCII
	set    *set
	dfa    *dfa
	need   []byte   // what dfa finds has this somewhere
	least  int      // and so many bytes
	rare   *letters // of single or dfa
	beyond []*backtracker
	source string // what dfa finds, for package regexp
	begins *gate
	ends   *gate

	compiled sync.Once
	re       *regexp.Regexp // see regexp
}

// New returns the Matcher of what any of the patterns matches. The error is an
// *Error.
func New(patterns []string, opt Options) (*Matcher, error) {
	m := &Matcher{dotted: len(patterns) > 0}
	var (
		literals []literal
		trees    []*syntax.Regexp
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
			trees = append(trees, p.tree)
		}
		m.dotted = m.dotted && p.dotted()
	}
	if len(literals) == 1 && len(trees)+len(m.beyond) == 0 {
		if tree := literals[0].tree(); tree != nil { // whose automaton is quicker
			literals = nil
			trees = append(trees, tree)
		} else {
			m.single = &literals[0]
			m.rare = newLetters(&syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(m.single.text)})
		}
	}
	if len(literals) > 0 {
		m.set = newSet(literals)
	}
	if len(trees) > 0 {
		if err := m.planTrees(trees); err != nil {
			return nil, &Error{Syntax: opt.Syntax, Reason: fmt.Sprintf("%d patterns are too large together", len(trees))}
		}
	}
	m.addGates()
	return m, nil
}

// A gate is the bytes in ASCII that may be at one end of a text that matches.
type gate [utf8.RuneSelf]bool

// addGates finds the gates of a single literal or an automaton.
func (m *Matcher) addGates() {
	switch {
	case m.set != nil && m.single == nil || m.beyond != nil:
	case m.single != nil && m.single.at&atEnd != 0:
		m.ends = m.single.gate(len(m.single.lower) - 1)
	case m.single != nil && m.single.at&atStart != 0:
		m.begins = m.single.gate(0)
	case m.dfa != nil && m.dfa.reverse:
		m.ends = m.dfa.gate()
	case m.dfa != nil && m.dfa.anchored:
		m.begins = m.dfa.gate()
	}
}

// closed reports whether a gate rules the text out, whether it is in ASCII or not.
// A last character that is in ASCII is what it is, and so is a first one unless the
// next may be composed with it.
func (m *Matcher) closed(text []byte) bool {
	if m.ends != nil {
		b := text[len(text)-1]
		return b < utf8.RuneSelf && !m.ends[b]
	}
	b := text[0]
	return m.begins != nil && b < utf8.RuneSelf && !m.begins[b] && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

// planTrees has the expressions be run as one. The error is that they are too large
// for that.
func (m *Matcher) planTrees(trees []*syntax.Regexp) error {
	for _, tree := range trees {
		m.all = m.all || tree.Op == syntax.OpAnyChar
	}
	tree, err := union(trees)
	if err != nil {
		return err
	}
	m.source = tree.String()
	m.dfa = newDFA(tree)
	m.all = m.all || m.dfa.matchesAll()
	m.least = least(tree)
	if !m.dfa.anchored {
		m.need, m.rare = needed(tree), newLetters(tree)
	}
	return nil
}

// All reports whether the patterns match every text, an empty one aside.
func (m *Matcher) All() bool { return m.all }

// Dotted reports whether the patterns match nothing but what begins with a dot.
func (m *Matcher) Dotted() bool { return m.dotted }

// Match reports whether one of the patterns matches the text. The error, a
// *SlowError, is that it took too long to tell.
func (m *Matcher) Match(text []byte) (bool, error) {
	switch {
	case m.all:
		return true, nil
	case len(text) > 0 && m.closed(text):
		return false, nil
	case !isASCII(text):
		return m.matchUnicode(text)
	case m.single != nil:
		if m.single.at == 0 && m.rare != nil && m.rare.missing(text) {
			return false, nil
		}
		return m.single.match(text), nil
	case m.set != nil && m.set.match(text):
		return true, nil
	}
	if m.dfa != nil && m.mayMatch(text) {
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

// mayMatch rules out texts in ASCII that the automaton need not read.
func (m *Matcher) mayMatch(text []byte) bool {
	return len(text) >= m.least && (m.rare == nil || !m.rare.missing(text)) && (m.need == nil || bytes.Contains(text, m.need))
}

// composed has buffers for texts in another form than NFC.
var composed = sync.Pool{New: func() any { return new([]byte) }}

// matchUnicode is Match for a text beyond ASCII.
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
		if ok, err := b.match(text); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// regexp returns what runs the expressions when the DFA has grown too large. It
// is made when it is needed, for that takes longer than most searches.
func (m *Matcher) regexp() *regexp.Regexp {
	m.compiled.Do(func() { m.re = regexp.MustCompile(m.source) })
	return m.re
}

// isASCII reports whether a text is in ASCII and has no NUL, as no name has one.
// It has few branches: that names differ in length makes them dear.
func isASCII(text []byte) bool {
	var set uint64 // has the high bit of each byte that is not
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
