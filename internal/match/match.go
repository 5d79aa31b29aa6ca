// Package match tells which names a pattern matches, in the quickest way that is
// right for it:
//
//	literal.go    one literal: compared, or searched for
//	set.go        any number of literals: one Aho-Corasick automaton
//	dfa.go        any other regular expression: an automaton made as it is used
//	backtrack.go  what is beyond regular expressions: regexp2, with a time limit
//
// expression.go reads patterns, however they are written, as regular expressions;
// repeat.go limits their size; error.go finds what is wrong with one; prog.go makes
// of them what dfa.go runs.
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
	all    bool // every text that is not empty
	dotted bool // none but what begins with a dot

	// What all that match have in common, as far as it is known.
	least  int // bytes
	begins *gate
	ends   *gate
	rare   *letters
	need   []byte // in a text in ASCII

	single *literal // all there is, for a text in ASCII
	set    *set
	dfa    *dfa
	beyond []*backtracker
	tree   *syntax.Regexp // of dfa
	source string         // and for package regexp

	compiled sync.Once
	re       *regexp.Regexp // see regexp

	slow atomic.Int64 // nanoseconds that slow texts took in beyond
}

// New returns the Matcher of what any of the patterns matches. The error is an
// *Error.
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
		if l := m.single; l.fold && l.at == 0 && !strings.ContainsRune(l.text, utf8.RuneError) { // an automaton is quicker
			m.single, literals = nil, nil
			trees = append(trees, parsed{tree: l.tree(), source: "(?i)" + regexp.QuoteMeta(l.text)})
		}
	}
	if len(literals) > 0 {
		m.set = newSet(literals)
	}
	if len(trees) > 0 {
		if err := m.planTrees(trees); err != nil {
			return nil, &Error{Syntax: opt.Syntax, Reason: fmt.Sprintf("%d patterns are too large together; give fewer, or lower the counts in {}", len(trees))}
		}
	}
	m.findCommon()
	return m, nil
}

// A gate is the bytes in ASCII that may be at one end of a text that matches.
type gate [utf8.RuneSelf]bool

// findCommon finds what all texts have in common that match, if there is but one
// literal or automaton.
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
		m.least = least(m.tree)
	}
}

// ruledOut reports whether a text, in ASCII or not, lacks what all have in common. A
// last character that is in ASCII is what it is, and so is a first one unless the
// next may be composed with it.
func (m *Matcher) ruledOut(text []byte) bool {
	if len(text) == 0 || len(text) < m.least {
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

// planTrees has the expressions be run as one. The error is that they are too large
// for that.
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
		if ok, err := b.match(text, &m.slow); ok || err != nil {
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
