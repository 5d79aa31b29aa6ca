// Package glob matches names and paths against globs. It matches bytes, in time
// linear in the text for any glob. A Set matches against thousands of globs at
// once.
//
//	?  *       one byte, any number of bytes; in a path, no slash
//	[a-z]      a byte in a set: ranges, [!x] or [^x], [[:alpha:]], \ before any byte
//	**         in a path, as a whole element: any number of elements
//	{a,b}      either; only with Shell
//	\          the next byte stands for itself
//
// The rules are git's (wildmatch.c and dir.c), surprising ones included;
// syntax.go names those.
package glob

import (
	"bytes"
	"math/bits"
)

// Options configures the meaning of a glob.
type Options struct {
	// Path matches the glob against a path. Otherwise the text is a name,
	// without a slash.
	Path bool
	// Fold ignores the case of ASCII letters.
	Fold bool
	// Shell gives "{a,b}" its meaning, and makes an unclosed "[" a literal. In
	// git's globs braces are literals, and an unclosed "[" is an error.
	Shell bool
}

// A Glob is a compiled glob. It is safe for concurrent use.
//
// Match compares from the ends: first the literals there, then the instructions
// that take one byte each. What is left in the middle is usually a lone "*".
type Glob struct {
	path, fold  bool
	kind        kind
	head, tail  []byte // literals that every match begins and ends with; in lowercase if fold is set
	front, back []inst // then these instructions take a byte each
	prog        []inst // matches the middle
	need        []byte // a literal in the middle; empty if fold is set
	minMiddle   int    // minimum length of the middle
	sets        []byteSet
	known       known
}

// A kind is a way to match the middle.
type kind uint8

const (
	nothing kind = iota // the middle is empty
	name                // the middle has no slash if path is set
	program             // prog matches the middle
)

// Compile compiles a glob. It returns an error if the glob is invalid; git lets
// such a glob match nothing.
func Compile(pattern string, opt Options) (*Glob, error) {
	c := compiler{Options: opt, pattern: pattern, prog: make([]inst, 0, len(pattern)+2), joined: -1}
	if err := c.compile(); err != nil {
		return nil, err
	}
	return c.glob(), nil
}

// Match reports whether the glob matches the whole text.
func (g *Glob) Match(text []byte) bool {
	minLen := len(g.head) + len(g.front) + len(g.back) + len(g.tail)
	if len(text) < minLen || !g.equal(text[:len(g.head)], g.head) || !g.equal(text[len(text)-len(g.tail):], g.tail) {
		return false
	}
	text = text[len(g.head) : len(text)-len(g.tail)]
	if !g.takeAll(g.front, text) || !g.takeAll(g.back, text[len(text)-len(g.back):]) {
		return false
	}
	text = text[len(g.front) : len(text)-len(g.back)]
	switch g.kind {
	case nothing:
		return len(text) == 0
	case name:
		return !g.path || bytes.IndexByte(text, '/') < 0
	}
	return len(text) >= g.minMiddle && bytes.Contains(text, g.need) && g.run(text)
}

// takeAll reports whether each instruction takes the byte of text at its index.
func (g *Glob) takeAll(prog []inst, text []byte) bool {
	for i := range prog {
		b := text[i]
		if g.fold {
			b = lower(b)
		}
		if !g.takes(&prog[i], b) {
			return false
		}
	}
	return true
}

// equal compares text with a literal of the same length.
func (g *Glob) equal(text, literal []byte) bool {
	if !g.fold {
		return string(text) == string(literal)
	}
	for i, b := range text {
		if lower(b) != literal[i] {
			return false
		}
	}
	return true
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// An inst is an instruction. A glob's program is a nondeterministic automaton:
// state i is before instruction i, and the state after the last instruction
// accepts. An instruction leads to the next one or further on, never back, so
// one pass over the states in ascending order follows all transitions on a
// byte.
type inst struct {
	op   op
	byte byte  // of opByte
	arg  int32 // opSet: index in sets; opSplit and opJump: distance to the target
}

type op uint8

const (
	opByte         op = iota // takes one byte, as do the next three
	opSet                    // takes a byte in a set
	opAny                    // takes any byte
	opNotSlash               // takes any byte but a slash
	opManyAny                // takes any number of bytes
	opManyNotSlash           // takes any number of bytes but slashes
	opSplit                  // goes to the next instruction and to the target
	opJump                   // goes to the target
)

// run reports whether the program matches all of text.
func (g *Glob) run(text []byte) bool {
	words := len(g.prog)/64 + 1
	var small [8]uint64
	states := small[:]
	if 2*words > len(small) {
		states = make([]uint64, 2*words)
	}
	now, then := states[:words], states[words:2*words]
	now[0] = 1
	for _, b := range text {
		if g.fold {
			b = lower(b)
		}
		if !g.step(now, then, b) {
			return false
		}
		now, then = then, now
	}
	return g.accepts(now)
}

// step takes one byte: it moves from the states in now, which it empties, to
// those in then. It reports whether there are any.
func (g *Glob) step(now, then []uint64, b byte) bool {
	alive := false
	for w := range now {
		for now[w] != 0 {
			i := w<<6 + bits.TrailingZeros64(now[w])
			now[w] &= now[w] - 1
			if i == len(g.prog) {
				break
			}
			in := &g.prog[i]
			next := i + 1
			switch in.op {
			case opSplit:
				add(now, next)
				add(now, i+int(in.arg))
				continue
			case opJump:
				add(now, i+int(in.arg))
				continue
			case opManyAny:
				add(now, next)
				next = i
			case opManyNotSlash:
				add(now, next)
				if b == '/' {
					continue
				}
				next = i
			default:
				if !g.takes(in, b) {
					continue
				}
			}
			add(then, next)
			alive = true
		}
	}
	return alive
}

// takes reports whether an instruction that takes one byte takes b.
func (g *Glob) takes(in *inst, b byte) bool {
	switch in.op {
	case opByte:
		return b == in.byte
	case opSet:
		return g.sets[in.arg].has(b)
	case opNotSlash:
		return b != '/'
	}
	return true
}

// accepts reports whether a state in now leads to the accepting state without
// another byte.
func (g *Glob) accepts(now []uint64) bool {
	for w := range now {
		for now[w] != 0 {
			i := w<<6 + bits.TrailingZeros64(now[w])
			now[w] &= now[w] - 1
			if i == len(g.prog) {
				return true
			}
			switch in := &g.prog[i]; in.op {
			case opSplit:
				add(now, i+1)
				add(now, i+int(in.arg))
			case opJump:
				add(now, i+int(in.arg))
			case opManyAny, opManyNotSlash:
				add(now, i+1)
			}
		}
	}
	return false
}

func add(states []uint64, i int) { states[i>>6] |= 1 << (i & 63) }

// A byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) remove(b byte)   { s[b>>6] &^= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}
