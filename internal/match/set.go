package match

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"
)

// A set finds any of some literals in a text in one pass, whatever their
// number. It is the automaton of Aho and Corasick (1975). A node is a prefix of
// a literal; the current node is the longest one that the text read so far ends
// with. Nodes are numbered by depth, so that a node's children are adjacent,
// and take 17 bytes each. Nodes near the root, where the automaton is most of
// the time, have a table of next nodes.
type set struct {
	fold  bool
	nodes []node
	first []uint32 // by node: its first child; children end where the next node's begin
	label []byte   // by node: the byte that leads to it

	class   [256]uint16 // by byte; 0: in no literal
	classes int
	near    []uint32 // next node, by node below shallow and class
	shallow uint32
}

type node struct {
	fail  uint32 // the longest other node that this one ends with
	depth uint32
	ends  ends
}

// ends is the set of kinds of literals that end at a node.
type ends uint8

const (
	endsAnywhere ends = 1 << iota
	endsAtEnd         // at the end of the text
	fromStart         // at the beginning of the text
	whole             // the whole text
)

// tableSize is the maximum number of entries in near.
const tableSize = 1 << 19

// newSet returns the set of the literals. All of them fold, or none does.
func newSet(literals []literal) *set {
	s := &set{fold: literals[0].fold}
	keywords := make([]keyword, len(literals))
	for i, l := range literals {
		keywords[i] = keyword{s.folded(l.text), endsOf[l.at]}
	}
	slices.SortFunc(keywords, func(a, b keyword) int { return bytes.Compare(a.text, b.text) })
	s.grow(keywords)
	s.classify()
	s.link()
	return s
}

// A keyword is a literal in the bytes that the automaton reads.
type keyword struct {
	text []byte
	ends ends
}

var endsOf = [...]ends{0: endsAnywhere, atStart: fromStart, atEnd: endsAtEnd, atStart | atEnd: whole}

func (s *set) folded(text string) []byte {
	if !s.fold {
		return []byte(text)
	}
	b := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError {
			b = append(b, text[:size]...)
		} else {
			b = utf8.AppendRune(b, foldRune(r))
		}
		text = text[size:]
	}
	return b
}

// grow builds the nodes level by level. As the keywords are sorted, those with
// a common prefix are adjacent.
func (s *set) grow(keywords []keyword) {
	type span struct{ from, to int } // indexes in keywords
	level := []span{{0, len(keywords)}}
	maxNodes := 1 // without common prefixes
	for _, k := range keywords {
		maxNodes += len(k.text)
	}
	s.nodes, s.label, s.first = make([]node, 1, maxNodes), make([]byte, 1, maxNodes), make([]uint32, 0, maxNodes+1)
	for depth := 0; len(level) > 0; depth++ {
		var below []span
		at := len(s.nodes) - len(level)
		for i, sp := range level {
			for ; sp.from < sp.to && len(keywords[sp.from].text) == depth; sp.from++ {
				s.nodes[at+i].ends |= keywords[sp.from].ends
			}
			s.first = append(s.first, uint32(len(s.nodes)))
			for sp.from < sp.to {
				b := keywords[sp.from].text[depth]
				to := sp.from + sort.Search(sp.to-sp.from, func(i int) bool { return keywords[sp.from+i].text[depth] > b })
				s.nodes = append(s.nodes, node{depth: uint32(depth + 1)})
				s.label = append(s.label, b)
				below = append(below, span{sp.from, to})
				sp.from = to
			}
		}
		level = below
	}
	s.first = append(s.first, uint32(len(s.nodes)))
}

// classify numbers the bytes that are in keywords. Where letters fold, keywords
// have the uppercase one.
func (s *set) classify() {
	for _, b := range s.label[1:] {
		if s.class[b] == 0 {
			s.classes++
			s.class[b] = uint16(s.classes)
		}
	}
	for b := byte('a'); s.fold && b <= 'z'; b++ {
		s.class[b] = s.class[b-('a'-'A')]
	}
	s.classes++
}

// link sets the nodes' failure links and fills the table. When a node's turn
// comes, both are known for all nodes at lower depths.
func (s *set) link() {
	s.shallow = min(uint32(len(s.nodes)), uint32(tableSize/s.classes))
	s.near = make([]uint32, int(s.shallow)*s.classes)
	for n := range uint32(len(s.nodes)) {
		fail := s.nodes[n].fail
		s.nodes[n].ends |= s.nodes[fail].ends & (endsAnywhere | endsAtEnd)
		var row []uint32
		if n < s.shallow {
			row = s.near[int(n)*s.classes:][:s.classes]
			copy(row, s.near[int(fail)*s.classes:]) // the root's own row is empty
		}
		for child := s.first[n]; child < s.first[n+1]; child++ {
			if n > 0 {
				s.nodes[child].fail = s.next(fail, s.label[child])
			}
			if row != nil {
				row[s.class[s.label[child]]] = child
			}
		}
	}
}

// next returns the next node for a byte.
func (s *set) next(n uint32, b byte) uint32 {
	class := s.class[b]
	for n >= s.shallow {
		for child := s.first[n]; child < s.first[n+1]; child++ {
			if s.class[s.label[child]] == class {
				return child
			}
		}
		n = s.nodes[n].fail
	}
	return s.near[int(n)*s.classes+int(class)]
}

// match reports whether the text has one of the literals.
func (s *set) match(text []byte) bool {
	var (
		at      uint32 // a node
		read    uint32 // bytes
		encoded [utf8.UTFMax]byte
	)
	for len(text) > 0 {
		piece := text[:1]
		if s.fold && text[0] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text)
			if piece = text[:size]; r != utf8.RuneError {
				piece = utf8.AppendRune(encoded[:0], foldRune(r))
			}
			text = text[size:]
		} else {
			text = text[1:]
		}
		for _, b := range piece {
			at = s.next(at, b)
			read++
		}
		if n := &s.nodes[at]; n.ends != 0 && (n.ends&endsAnywhere != 0 || n.ends&fromStart != 0 && n.depth == read) {
			return true
		}
	}
	n := &s.nodes[at]
	return n.ends&endsAtEnd != 0 || n.ends&whole != 0 && n.depth == read
}
