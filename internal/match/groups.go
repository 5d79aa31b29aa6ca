package match

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
	"golang.org/x/text/unicode/norm"
)

// Groups finds what groups of regular expressions match in texts that match. Texts are compared as
// by a Matcher, and what is found are their own bytes. It is safe for concurrent use once all groups
// are looked up.
type Groups struct {
	ors, ands []capturer
	used      []string // groups by name or number
	slow      atomic.Int64
}

// NewGroups returns the Groups of patterns that New takes, which must be regular expressions: of the
// first of ors that matches, and of ands those that have names. The error is an *Error.
func NewGroups(ors, ands []string, opt Options) (*Groups, error) {
	g := &Groups{}
	for _, list := range []struct {
		to       *[]capturer
		patterns []string
	}{{&g.ors, ors}, {&g.ands, ands}} {
		for _, pattern := range list.patterns {
			c, err := opt.newCapturer(pattern)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, c)
		}
	}
	return g, nil
}

// Names returns the names of all groups.
func (g *Groups) Names() (names []string) {
	for _, c := range slices.Concat(g.ors, g.ands) {
		for _, name := range c.names {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Len returns the highest number of a group.
func (g *Groups) Len() int {
	n := 0
	for _, c := range g.ors {
		n = max(n, len(c.names)-1)
	}
	return n
}

// LookUp returns the index, in what Find returns, of a group by its name or its number, which is
// that of its opening parenthesis. ok is false if there is none.
func (g *Groups) LookUp(name string) (i int, ok bool) {
	if n, err := strconv.Atoi(name); err == nil && (n < 1 || n > g.Len()) || err != nil && !slices.Contains(g.Names(), name) {
		return 0, false
	}
	if i = slices.Index(g.used, name); i < 0 {
		i = len(g.used)
		g.used = append(g.used, name)
	}
	return i, true
}

// Find returns what the groups that were looked up match in a text: nil for one that takes no part.
// The error is a *SlowError.
func (g *Groups) Find(text []byte) (found [][]byte, err error) {
	found = make([][]byte, len(g.used))
	c := compose(text)
	for i := range g.ors {
		ok, err := g.add(found, &g.ors[i], &c, true)
		if err != nil {
			return found, err
		}
		if ok {
			break
		}
	}
	for i := range g.ands {
		if _, err := g.add(found, &g.ands[i], &c, false); err != nil {
			return found, err
		}
	}
	return found, nil
}

// add adds what one expression matches, and reports whether it does. Groups without names count
// only if numbers is set.
func (g *Groups) add(found [][]byte, c *capturer, text *composition, numbers bool) (ok bool, err error) {
	spans, err := c.find(text.composed, &g.slow)
	if spans == nil || err != nil {
		return false, err
	}
	for i, name := range g.used {
		n, err := strconv.Atoi(name)
		switch {
		case err != nil:
			n = slices.Index(c.names, name)
		case !numbers:
			continue
		}
		if found[i] == nil && 0 < n && 2*n < len(spans) && spans[2*n] >= 0 {
			found[i] = text.original(spans[2*n], spans[2*n+1])
		}
	}
	return true, nil
}

// A capturer finds the groups of one expression.
type capturer struct {
	names []string // of groups, by number; "": it has none
	// find returns where the expression matches, and each of its groups: start and end; -1 if it takes
	// no part. It is nil if the text does not match.
	find func(text []byte, slow *atomic.Int64) ([]int, error)
}

func (opt Options) newCapturer(pattern string) (capturer, error) {
	p, wrong := opt.parse(pattern)
	if wrong != nil {
		return capturer{}, wrong
	}
	source, beyond := p.source, p.beyond
	pattern = norm.NFC.String(pattern)
	switch {
	case beyond != nil:
	case p.tree == nil:
		source = p.literal.source()
	case !strings.HasSuffix(source, pattern): // large counts are rewritten, with the groups in them
		if beyond, wrong = newBacktracker(pattern, opt.Fold); wrong != nil {
			return capturer{}, wrong
		}
	}
	if beyond != nil {
		return capturer{beyond.groupNames(), beyond.find}, nil
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return capturer{}, &Error{Pattern: pattern, Syntax: opt.Syntax, Reason: err.Error()}
	}
	find := func(text []byte, _ *atomic.Int64) ([]int, error) { return re.FindSubmatchIndex(text), nil }
	return capturer{re.SubexpNames(), find}, nil
}

// groupNames returns the names of the groups, by number; "" for those without.
func (b *backtracker) groupNames() []string {
	names := make([]string, slices.Max(b.re.GetGroupNumbers())+1)
	for n := range names {
		if name := b.re.GroupNameFromNumber(n); name != strconv.Itoa(n) {
			names[n] = name
		}
	}
	return names
}

// find is that of a capturer.
func (b *backtracker) find(text []byte, slow *atomic.Int64) ([]int, error) {
	var m *regexp2.Match
	_, err := b.limited(slow, func() (ok bool, took time.Duration, err error) {
		start := time.Now()
		m, err = b.re.FindStringMatch(string(text))
		return m != nil, time.Since(start), err
	})
	if m == nil || err != nil {
		return nil, err
	}
	spans := make([]int, 2*(slices.Max(b.re.GetGroupNumbers())+1))
	for n := range len(spans) / 2 {
		spans[2*n], spans[2*n+1] = -1, -1
		if g := m.GroupByNumber(n); g != nil && len(g.Captures) > 0 {
			from, size := g.ByteRange()
			spans[2*n], spans[2*n+1] = from, from+size
		}
	}
	return spans, nil
}

// A composition is a text in NFC, and where each of its characters comes from.
type composition struct {
	text, composed []byte
	parts          [][2]int // where each begins, in composed and in text; nil: the texts are the same
}

func compose(text []byte) composition {
	c := composition{text: text, composed: text}
	if norm.NFC.IsNormal(text) {
		return c
	}
	c.composed = nil
	for at := 0; at < len(text); {
		c.parts = append(c.parts, [2]int{len(c.composed), at})
		size := norm.NFC.NextBoundary(text[at:], true)
		c.composed = append(c.composed, norm.NFC.Bytes(text[at:at+size])...)
		at += size
	}
	c.parts = append(c.parts, [2]int{len(c.composed), len(text)})
	return c
}

// original returns the part of the text that became composed[from:to]: whole characters.
func (c *composition) original(from, to int) []byte {
	if c.parts == nil {
		return c.text[from:to:to]
	}
	first, exact := slices.BinarySearchFunc(c.parts, from, func(p [2]int, at int) int { return p[0] - at })
	if !exact {
		first--
	}
	if from == to {
		return c.text[c.parts[first][1]:][:0:0]
	}
	last, _ := slices.BinarySearchFunc(c.parts, to, func(p [2]int, at int) int { return p[0] - at })
	start, end := c.parts[first][1], c.parts[last][1]
	return c.text[start:end:end]
}
