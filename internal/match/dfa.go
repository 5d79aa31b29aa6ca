package match

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A dfa runs a regular expression as a deterministic automaton. It builds a
// state when a text first leads to it: a new state takes some microseconds, a
// known one two nanoseconds a byte.
//
//	text      l        i        b        c        .
//	state  s0 ──▶ s1 ──▶ s2 ──▶ s3 ──▶ s3 ──▶ accept
//	                     │ each is a set of places in the program
//
// The automaton reads characters: ASCII by table, others decoded, so that
// invalid UTF-8 means what it does in package regexp. Characters that the
// program does not distinguish form a class, and share a column of the table.
//
// If every match ends at the end of the text, the expression runs backwards
// from there: the last bytes rule out most texts.
//
// Workers share the table. They read it without a lock, and build a missing
// state under the lock. The table does not grow; package regexp decides texts
// that need more states.
type dfa struct {
	prog     *syntax.Prog
	alphabet *alphabet
	reverse  bool // read texts from their end
	anchored bool // a match begins where reading begins
	words    bool // the program has assertions on word characters
	lines    bool // or on the beginning or end of a line

	start  uint32
	stride uint32          // number of entries of a state
	table  []atomic.Uint32 // entries of a state: the next state, or a verdict, by class,
	end    uint32          // by the end of the text,
	groups uint            // and by group of size classes
	size   int

	// A group is a number in the given base. Its digits are the classes in
	// ASCII and, as the highest digit, the end of the text, followed by zeros.
	base   uint
	unit   uint                  // value of the first digit
	digits [maxSize][256]uint16  // what a byte adds at each place
	tails  [maxSize]uint         // what the end of the text adds at each place
	joined *[maxSize][256]uint16 // digits for names that NULs separate; see inAny

	mu     sync.Mutex
	states []state           // a state's entries begin at its index times stride
	known  map[string]uint32 // the first entry of a state
	held   int               // total places in all states
	now    places            // of the state being built
	key    []byte
}

// A verdict is a table entry that is no state. The numbers are below those of
// all states' entries.
const (
	unknown uint32 = iota
	accept         // the text matches, whatever follows
	reject         // it does not match
	full           // there is no room for the next state

	verdicts
)

// A table has at least minTable entries of 4 bytes, and more for a large
// program, by instruction. Entries that are not used take no memory.
const (
	minTable   = 1 << 18
	tablePerOp = 8
	maxTable   = 1 << 24
)

// A state is the set of places in the program where a match may continue, and
// the context of the last character.
type state struct {
	places []uint32
	last   context
}

// A context is what assertions need to know of a character.
type context uint8

const (
	outside context = iota // there is no character
	wordChar
	newline
	other
)

// newDFA returns the dfa of a simplified expression.
func newDFA(tree *syntax.Regexp) *dfa {
	d := &dfa{known: map[string]uint32{}}
	d.anchored = beginsWith(tree, syntax.OpBeginText)
	back := reversed(tree)
	reversible := tree.Op != syntax.OpAlternate || len(tree.Sub) < 1000 // endings do not share a prefix tree
	if reversible && beginsWith(back, syntax.OpBeginText) && (!d.anchored || selective(back) && !selective(tree)) {
		tree, d.anchored, d.reverse = back, true, true
	}
	prog, err := syntax.Compile(tree)
	if err != nil {
		panic(err) // a parsed expression always compiles
	}
	d.prog = prog
	d.alphabet = newAlphabet(prog)
	for _, inst := range prog.Inst {
		if inst.Op == syntax.InstEmptyWidth {
			op := syntax.EmptyOp(inst.Arg)
			d.words = d.words || op&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
			d.lines = d.lines || op&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0
		}
	}
	d.now.in = make([]bool, len(prog.Inst))
	d.layOut()
	d.table = make([]atomic.Uint32, max(minTable, min(tablePerOp*len(prog.Inst), maxTable), 4*int(d.stride)))
	for range (verdicts + d.stride - 1) / d.stride { // reserve the verdicts' numbers
		d.states = append(d.states, state{})
	}
	d.start = d.stateOf(nil, outside)
	return d
}

const (
	maxSize   = 4   // of a group, in classes; a power of 2
	maxGroups = 256 // maximum groups for each state
)

// layOut computes the layout of a state's entries.
func (d *dfa) layOut() {
	d.base = uint(slices.Max(d.alphabet.ascii[:])) + 2
	d.size, d.unit = 1, 1
	limit := maxSize
	if d.reverse {
		limit = 2
	}
	for d.size < limit && d.unit*d.unit*d.base*d.base <= maxGroups {
		d.size *= 2
		d.unit = d.unit * d.unit * d.base
	}
	d.end = uint32(len(d.alphabet.sample))
	d.groups = uint(d.end) + 1
	d.stride = d.end + 1 + uint32(d.unit*d.base)
	for place, unit := 0, d.unit; place < d.size; place++ {
		for b, class := range d.alphabet.ascii {
			d.digits[place][b] = uint16(uint(class) * unit)
		}
		d.digits[place][0] = 0
		d.tails[place] = (d.base - 1) * unit
		unit /= d.base
	}
}

// selective reports whether the beginning of an expression rules out most
// texts.
func selective(tree *syntax.Regexp) bool {
	if tree.Op != syntax.OpConcat || len(tree.Sub) < 2 {
		return false
	}
	op := tree.Sub[1].Op
	return op == syntax.OpLiteral || op == syntax.OpCharClass
}

// match returns the verdict on a text in ASCII, or full. It reads a group of
// characters at a time: each step waits for the one before, some 7 cycles.
func (d *dfa) match(text []byte) (verdict uint32) {
	switch {
	case d.reverse:
		return d.matchBack(text)
	case d.size == 4:
		return d.matchFours(text)
	case d.size == 2:
		return d.matchTwos(text)
	}
	table, s := d.table[d.groups:], d.start
	for _, b := range text {
		group := uint(d.digits[0][b])
		next := table[group+uint(s)].Load()
		if next < verdicts {
			if next = d.settle(s, group, next); next < verdicts {
				return next
			}
		}
		s = next
	}
	return d.step(s, d.end)
}

func (d *dfa) matchTwos(text []byte) (verdict uint32) {
	table, digits, s, i := d.table[d.groups:], &d.digits, d.start, 1
	for ; i < len(text); i += 2 {
		group := uint(digits[0][text[i-1]]) + uint(digits[1][text[i]])
		next := table[group+uint(s)].Load()
		if next < verdicts {
			if next = d.settle(s, group, next); next < verdicts {
				return next
			}
		}
		s = next
	}
	if i > len(text) {
		return d.step(s, d.end)
	}
	group := uint(digits[0][text[i-1]]) + d.tails[1]
	return d.settle(s, group, table[group+uint(s)].Load())
}

func (d *dfa) matchFours(text []byte) (verdict uint32) {
	table, digits, s, i := d.table[d.groups:], &d.digits, d.start, 0
	for ; i+4 <= len(text); i += 4 {
		t := text[i : i+4 : i+4]
		group := uint(digits[0][t[0]]) + uint(digits[1][t[1]]) + uint(digits[2][t[2]]) + uint(digits[3][t[3]])
		next := table[group+uint(s)].Load()
		if next < verdicts {
			if next = d.settle(s, group, next); next < verdicts {
				return next
			}
		}
		s = next
	}
	left := len(text) - i
	group := d.tails[left&3]
	if len(text) >= 4 { // without a loop, whose length cannot be predicted; NULs add nothing
		last := uint64(binary.LittleEndian.Uint32(text[len(text)-4:])) >> (8 * (4 - left))
		group += uint(digits[0][byte(last)]) + uint(digits[1][byte(last>>8)]) + uint(digits[2][byte(last>>16)])
	} else {
		for j, b := range text {
			group += uint(digits[j&3][b])
		}
	}
	return d.settle(s, group, table[group+uint(s)].Load())
}

// matchBack is like match, from the end of the text. The first step rules out
// most texts.
func (d *dfa) matchBack(text []byte) (verdict uint32) {
	table, digits, s, i := d.table[d.groups:], &d.digits, d.start, len(text)
	for ; i >= d.size; i -= d.size {
		group := uint(digits[0][text[i-1]])
		if d.size > 1 {
			group += uint(digits[1][text[i-2]])
		}
		next := table[group+uint(s)].Load()
		if next < verdicts {
			if next = d.settle(s, group, next); next < verdicts {
				return next
			}
		}
		s = next
	}
	if i == 0 {
		return d.step(s, d.end)
	}
	group := uint(digits[0][text[0]]) + d.tails[1]
	return d.settle(s, group, table[group+uint(s)].Load())
}

// matchRunes is like match, for any text.
func (d *dfa) matchRunes(text []byte) (verdict uint32) {
	s := d.start
	for len(text) > 0 {
		var r rune
		var size int
		if d.reverse {
			r, size = utf8.DecodeLastRune(text)
			text = text[:len(text)-size]
		} else {
			r, size = utf8.DecodeRune(text)
			text = text[size:]
		}
		if s = d.step(s, d.alphabet.of(r)); s < verdicts {
			return s
		}
	}
	return d.step(s, d.end)
}

// step returns the next state or verdict for a class.
func (d *dfa) step(s, class uint32) uint32 {
	if next := d.table[s+class].Load(); next != unknown {
		return next
	}
	return d.extend(s, class)
}

// settle returns the next state or verdict for a group, given the table's
// entry. If the entry is unknown, settle computes it.
func (d *dfa) settle(s uint32, group uint, next uint32) uint32 {
	if next != unknown {
		return next
	}
	next = s
	for n, unit := group, d.unit; unit > 0 && next >= verdicts; unit /= d.base {
		class := uint32(n / unit)
		if n %= unit; class == uint32(d.base-1) {
			class = d.end
		}
		next = d.step(next, class)
	}
	d.table[d.groups+group+uint(s)].Store(next)
	return next
}

// extend computes a missing entry of the table.
func (d *dfa) extend(s, class uint32) uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	entry := &d.table[s+class]
	if next := entry.Load(); next != unknown { // another worker computed it meanwhile
		return next
	}
	next := d.after(d.states[s/d.stride], class)
	entry.Store(next)
	return next
}

// after returns the next state or verdict for a class. A match is found at the
// latest with the character after it, which assertions may need.
func (d *dfa) after(s state, class uint32) uint32 {
	r := rune(-1)
	if class < d.end {
		r = d.alphabet.sample[class]
	}
	if d.follow(s, syntax.EmptyOpContext(s.last.sample(), r)) {
		return accept
	}
	if r < 0 {
		return reject
	}
	var places []uint32
	for _, pc := range d.now.list {
		if inst := &d.prog.Inst[pc]; inst.Op >= syntax.InstRune && inst.MatchRune(r) {
			places = append(places, inst.Out)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	last := d.context(r)
	if d.follow(state{places, last}, 0) {
		return accept
	}
	if len(places) == 0 && d.anchored {
		return reject
	}
	return d.stateOf(places, last)
}

// follow sets d.now to the places that a state reaches without reading, and
// reports whether a match is among them.
func (d *dfa) follow(s state, holds syntax.EmptyOp) (match bool) {
	d.now.clear()
	for _, pc := range s.places {
		d.now.add(pc)
	}
	if s.last == outside || !d.anchored {
		d.now.add(uint32(d.prog.Start))
	}
	for done := 0; done != len(d.now.list); done++ { // the list grows meanwhile
		switch inst := &d.prog.Inst[d.now.list[done]]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			d.now.add(inst.Out)
			d.now.add(inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			d.now.add(inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				d.now.add(inst.Out)
			}
		}
	}
	return false
}

// matchesAll reports whether every text matches, before any of it is read.
func (d *dfa) matchesAll() bool {
	return d.follow(state{}, syntax.EmptyBeginText|syntax.EmptyBeginLine)
}

// gate returns the ASCII bytes that a match may begin with; for a reversed dfa,
// end with.
func (d *dfa) gate() *gate {
	var g gate
	for b, class := range d.alphabet.ascii {
		g[b] = d.step(d.start, uint32(class)) != reject
	}
	return &g
}

// stateOf returns the first entry of a state, which it adds if it is new. It
// returns full if there is no room.
func (d *dfa) stateOf(places []uint32, last context) uint32 {
	d.key = append(d.key[:0], byte(last))
	for _, pc := range places {
		d.key = binary.NativeEndian.AppendUint32(d.key, pc)
	}
	if s, known := d.known[string(d.key)]; known {
		return s
	}
	s := uint32(len(d.states)) * d.stride
	if d.held += len(places); d.held > len(d.table) || int(s+d.stride) > len(d.table) {
		return full
	}
	d.states = append(d.states, state{places, last})
	d.known[string(d.key)] = s
	return s
}

// context returns what the program's assertions need to know of a character.
func (d *dfa) context(r rune) context {
	switch {
	case d.words && syntax.IsWordChar(r):
		return wordChar
	case d.lines && r == '\n':
		return newline
	}
	return other
}

// sample returns a character with the context.
func (c context) sample() rune {
	return [...]rune{outside: -1, wordChar: 'w', newline: '\n', other: ' '}[c]
}

// places is a set of places in a program.
type places struct {
	list []uint32
	in   []bool
}

func (p *places) add(pc uint32) {
	if !p.in[pc] {
		p.in[pc] = true
		p.list = append(p.list, pc)
	}
}

func (p *places) clear() {
	for _, pc := range p.list {
		p.in[pc] = false
	}
	p.list = p.list[:0]
}
