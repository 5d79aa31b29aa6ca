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
			l := alternatives(sub)
			if l == nil {
				continue
			}
			if n := shortest(l); n > longest || n == longest && len(l) < len(found) {
				found, longest = l, n
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

// A search finds a literal by three adjacent bytes of it, the least common ones. It looks for them
// in eight places at once.
type search struct {
	text  []byte // in lowercase if fold is set, with a NUL after it if names end with it
	fold  bool
	at    int     // index of the three bytes
	lanes [3]lane // if there are fewer bytes, the others are any
}

// A lane has a byte eight times. The bits of fold are those in which the names may differ; they
// are set in both.
type lane struct{ bytes, fold uint64 }

// differ returns zero for each of the eight bytes that is the lane's.
func (l lane) differ(text []byte) uint64 { return (word(text) | l.fold) ^ l.bytes }

func newSearch(l *literal) search {
	s := search{text: bytes.Clone(l.lower), fold: l.fold}
	if l.at&atEnd != 0 {
		s.text = append(s.text, 0)
	}
	best := -1
	for i := range len(s.text) - len(s.lanes) + 1 {
		if rank := rarity(s.text[i]) + rarity(s.text[i+1]) + rarity(s.text[i+2]); rank > best {
			best, s.at = rank, i
		}
	}
	for i := range s.lanes {
		if s.lanes[i] = (lane{ones * 0xff, ones * 0xff}); i < len(s.text) {
			s.lanes[i] = s.lane(s.text[s.at+i])
		}
	}
	return s
}

// rarity returns the larger a number, the less common a byte is in names. A NUL is in each.
func rarity(b byte) int {
	switch rank := strings.IndexByte(common, lower(b)); {
	case b == 0:
		return 0
	case rank < 0:
		return len(common)
	default:
		return rank
	}
}

func (s *search) lane(b byte) lane {
	fold := uint64(0)
	if s.fold && 'a' <= b && b <= 'z' {
		fold = ones * 0x20
	}
	return lane{ones * uint64(b), fold}
}

// in reports whether the literal is in the names.
func (s *search) in(names []byte) bool {
	if len(s.text) <= 1 && (len(s.text) == 0 || s.text[0] == 0) {
		return true
	}
	const window = 10 // eight places
	a, b, c := s.lanes[0], s.lanes[1], s.lanes[2]
	rest := names
	for ; len(rest) >= window; rest = rest[8:] {
		w := (*[window]byte)(rest)
		x := a.differ(w[:8]) | b.differ(w[1:9]) | c.differ(w[2:])
		if (x-ones)&^x&highs != 0 && s.among(names, len(names)-len(rest)) {
			return true
		}
	}
	return s.among(names, len(names)-len(rest))
}

// among reports whether the literal is in the names, with the first of its rare bytes at one of
// ten places from i on.
func (s *search) among(names []byte, i int) bool {
	for end := min(i+10, len(names)); i < end; i++ {
		if s.isAt(names, i-s.at) {
			return true
		}
	}
	return false
}

// isAt reports whether the literal is at an index of the names, which may be out of range.
func (s *search) isAt(names []byte, i int) bool {
	if i < 0 || i+len(s.text) > len(names) {
		return false
	}
	text := names[i : i+len(s.text)]
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

// Absent reports whether none of the names, each with a NUL after it, matches. ascii says that they
// are in ASCII. It looks at all of them at once, and may return false if none does.
func (m *Matcher) Absent(names []byte, ascii bool) bool {
	if !ascii {
		return false
	}
	m.looked.Do(func() { m.look = m.newLook() }) // only recordings need it
	l := m.look
	if l == nil {
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
		if s = d.step(s, uint32(d.alphabet.ascii[b&0x7f])); s < verdicts {
			return true
		}
	}
	return d.step(s, d.end) != reject
}
