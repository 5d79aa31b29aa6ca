package match

import (
	"bytes"
	"regexp/syntax"
	"strings"
)

// A look tests the names of a whole directory at once. If every matching name has one of some
// literals, it searches for these. Otherwise it runs the automaton over all names as one text.
type look struct {
	literals []search
	dfa      *dfa
}

// maxSearches is the number of literals above which testing each name takes less time.
const maxSearches = 4

// newLook returns the look of a Matcher; nil if each name has to be tested.
func (m *Matcher) newLook() *look {
	if m.beyond != nil || m.all {
		return nil
	}
	l, literals := &look{}, m.literals
	if m.tree != nil {
		switch more := alternatives(m.tree); {
		case more != nil:
			literals = append(literals[:len(literals):len(literals)], more...)
		case len(literals) == 0 && m.dfa.floats():
			l.dfa = m.dfa
			m.dfa.joinNames()
		default:
			return nil
		}
	}
	if len(literals) > maxSearches {
		return nil
	}
	for i := range literals {
		l.literals = append(l.literals, newSearch(&literals[i]))
	}
	return l
}

// alternatives returns literals such that every matching text has at least one of them. It
// returns nil if there are no such literals.
func alternatives(tree *syntax.Regexp) (found []literal) {
	switch tree.Op {
	case syntax.OpLiteral:
		return []literal{*newLiteral(string(tree.Rune), 0, tree.Flags&syntax.FoldCase != 0)}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		longest := 0
		for _, sub := range tree.Sub {
			if l := alternatives(sub); l != nil && shortest(l) > longest {
				found, longest = l, shortest(l)
			}
		}
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			l := alternatives(sub)
			if l == nil {
				return nil
			}
			found = append(found, l...)
		}
	}
	return found
}

func shortest(literals []literal) int {
	n := len(literals[0].lower)
	for i := range literals {
		n = min(n, len(literals[i].lower))
	}
	return n
}

// floats reports whether a match does not depend on where it is in a text.
func (d *dfa) floats() bool {
	if d.anchored {
		return false
	}
	for i := range d.prog.Inst {
		if d.prog.Inst[i].Op == syntax.InstEmptyWidth {
			return false
		}
	}
	return true
}

// A search finds a literal by its rarest byte.
type search struct {
	text []byte // in lowercase if fold is set, with a NUL after it if names end with it
	fold bool
	at   int     // index of the rarest byte
	rare [2]byte // that byte, in lowercase and in uppercase
}

func newSearch(l *literal) search {
	s := search{text: bytes.Clone(l.lower), fold: l.fold}
	best := -2
	for i, b := range s.text {
		rank := strings.IndexByte(common, lower(b))
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			best, s.at = rank, i
		}
	}
	if l.at&atEnd != 0 {
		s.text = append(s.text, 0)
	}
	if len(l.lower) > 0 {
		b := s.text[s.at]
		s.rare = [2]byte{b, b}
		if s.fold && 'a' <= b && b <= 'z' {
			s.rare[1] = b - ('a' - 'A')
		}
	}
	return s
}

// in reports whether the literal is in the names.
func (s *search) in(names []byte) bool {
	if len(s.text) <= 1 && (len(s.text) == 0 || s.text[0] == 0) {
		return true
	}
	return s.inCase(names, s.rare[0]) || s.rare[1] != s.rare[0] && s.inCase(names, s.rare[1])
}

// inCase is like in, with the rarest byte in one case.
func (s *search) inCase(names []byte, rare byte) bool {
	after := len(s.text) - s.at
	for from := s.at; from+after <= len(names); from++ {
		i := bytes.IndexByte(names[from:], rare)
		if i < 0 {
			return false
		}
		if from += i; from+after <= len(names) && s.equal(names[from-s.at:from+after]) {
			return true
		}
	}
	return false
}

func (s *search) equal(text []byte) bool {
	if !s.fold {
		return string(text) == string(s.text)
	}
	for i, b := range text {
		if lower(b) != s.text[i] {
			return false
		}
	}
	return true
}

// Absent reports whether none of the names, each with a NUL after it, matches. It looks at all
// of them at once, and may return false if none does.
func (m *Matcher) Absent(names []byte) bool {
	m.looked.Do(func() { m.look = m.newLook() }) // only recordings need it
	l := m.look
	if l == nil || !allASCII(names) {
		return false
	}
	for i := range l.literals {
		if l.literals[i].in(names) {
			return false
		}
	}
	return l.dfa == nil || !l.dfa.inAny(names)
}

// joinNames lays out what inAny reads with: a NUL is a slash, which is in no name.
func (d *dfa) joinNames() {
	d.joined = &[maxSize][256]uint16{}
	for place := range d.joined {
		d.joined[place] = d.digits[place]
		d.joined[place][0] = d.digits[place]['/']
	}
}

// inAny reads names in ASCII, each with a NUL after it, as one text, and reports whether there
// may be a match. floats must be true.
func (d *dfa) inAny(names []byte) bool {
	table, joined, s, i := d.table[d.groups:], d.joined, d.start, 0
	switch d.size {
	case 4:
		for ; i+4 <= len(names); i += 4 {
			t := names[i : i+4 : i+4]
			group := uint(joined[0][t[0]]) + uint(joined[1][t[1]]) + uint(joined[2][t[2]]) + uint(joined[3][t[3]])
			next := table[group+uint(s)].Load()
			if next < verdicts {
				if next = d.settle(s, group, next); next < verdicts {
					return true
				}
			}
			s = next
		}
	case 2:
		for ; i+2 <= len(names); i += 2 {
			group := uint(joined[0][names[i]]) + uint(joined[1][names[i+1]])
			next := table[group+uint(s)].Load()
			if next < verdicts {
				if next = d.settle(s, group, next); next < verdicts {
					return true
				}
			}
			s = next
		}
	}
	for _, b := range names[i:] {
		if b == 0 {
			b = '/'
		}
		if s = d.step(s, uint32(d.alphabet.ascii[b])); s < verdicts {
			return true
		}
	}
	return d.step(s, d.end) != reject
}

// allASCII reports whether all bytes are below 0x80.
func allASCII(text []byte) bool {
	var set uint64
	for ; len(text) >= 32; text = text[32:] {
		set |= word(text) | word(text[8:]) | word(text[16:]) | word(text[24:])
	}
	for ; len(text) >= 8; text = text[8:] {
		set |= word(text)
	}
	var last [8]byte
	copy(last[:], text)
	set |= word(last[:])
	return set&highs == 0
}
