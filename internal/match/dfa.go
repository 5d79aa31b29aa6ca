package match

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A dfa runs a regular expression as a deterministic automaton, whose states are
// made when a text first leads to them: a new state costs some microseconds, a
// known one two nanoseconds a byte.
//
//	text      l        i        b        c        .
//	state  s0 ──▶ s1 ──▶ s2 ──▶ s3 ──▶ s3 ──▶ accept
//	                     │ each is a set of places in the program
//
// The automaton reads characters: those of ASCII by table, others decoded, so that
// what is not UTF-8 is what it is for package regexp. Classes of characters that
// the program does not tell apart share a column of the table.
//
// An expression whose every match ends where the text does is run backwards from
// there, since most texts are then ruled out by their last bytes.
//
// Workers share the table. They read it without a lock; one that is led to a state
// that is not there yet makes it under the lock. The table does not grow; a text
// that leads further is for package regexp to decide.
type dfa struct {
	prog     *syntax.Prog
	alphabet *alphabet
	reverse  bool // the text is read from its end
	anchored bool // a match begins where reading does
	words    bool // the program asks whether word characters are on either side
	lines    bool // or the beginning or end of a line

	start  uint32
	stride uint32          // entries of a state
	table  []atomic.Uint32 // of a state: the next one, or a verdict, by class,
	end    uint32          // by the text's end,
	groups uint            // and by group of size classes
	size   int

	// A group is a number whose digits are classes. There are so many as there are
	// in ASCII and, as the last, the text's end, behind which all are 0.
	letters uint
	unit    uint                 // what the first digit counts
	digits  [maxSize][256]uint16 // what a byte counts at each place
	tails   [maxSize]uint        // what the text's end counts at each place

	mu     sync.Mutex
	states []state           // by number; a state's entries begin at its number times stride
	known  map[string]uint32 // where the entries of a state begin
	held   int               // places in all states
	now    places            // while a state is made
	key    []byte
}

// A verdict is what a table has where no state can be: below the first state's
// entries.
const (
	unknown uint32 = iota
	accept         // there is a match, whatever follows
	reject         // there is none
	full           // there is no room for the next state

	verdicts
)

// The table of a dfa has so many entries of 4 bytes, and for a large program some
// for each of its instructions. What is not used is never touched.
const (
	tableLeast  = 1 << 18
	tablePerOp  = 8
	tableAtMost = 1 << 24
)

// A state is the places in the program where a match that has begun may go on, and
// what the last character was.
type state struct {
	places []uint32
	last   context
}

// A context is what assertions may want to know of a character.
type context uint8

const (
	outside context = iota // there is none
	wordChar
	newline
	other
)

// newDFA returns the dfa of an expression that has been simplified.
func newDFA(tree *syntax.Regexp) *dfa {
	d := &dfa{known: map[string]uint32{}}
	d.anchored = beginsWith(tree, syntax.OpBeginText)
	back := reversed(tree)
	few := tree.Op != syntax.OpAlternate || len(tree.Sub) < 1000 // endings have no common tree
	if few && beginsWith(back, syntax.OpBeginText) && (!d.anchored || selective(back) && !selective(tree)) {
		tree, d.anchored, d.reverse = back, true, true
	}
	prog, err := syntax.Compile(tree)
	if err != nil {
		panic(err) // it does not fail
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
	d.table = make([]atomic.Uint32, max(tableLeast, min(tablePerOp*len(prog.Inst), tableAtMost), 4*int(d.stride)))
	for range (verdicts + d.stride - 1) / d.stride { // verdicts have no entries
		d.states = append(d.states, state{})
	}
	d.start = d.stateOf(nil, outside)
	return d
}

const (
	maxSize   = 4   // of a group; a power of 2
	maxGroups = 256 // that a state may have
)

// layOut finds out where the entries of a state are.
func (d *dfa) layOut() {
	d.letters = uint(slices.Max(d.alphabet.ascii[:])) + 2
	d.size, d.unit = 1, 1
	most := maxSize
	if d.reverse {
		most = 2
	}
	for d.size < most && d.unit*d.unit*d.letters*d.letters <= maxGroups {
		d.size *= 2
		d.unit = d.unit * d.unit * d.letters
	}
	d.end = uint32(len(d.alphabet.sample))
	d.groups = uint(d.end) + 1
	d.stride = d.end + 1 + uint32(d.unit*d.letters)
	for place, unit := 0, d.unit; place < d.size; place++ {
		for b, class := range d.alphabet.ascii {
			d.digits[place][b] = uint16(uint(class) * unit)
		}
		d.digits[place][0] = 0
		d.tails[place] = (d.letters - 1) * unit
		unit /= d.letters
	}
}

// selective reports whether an expression rules most texts out by their beginning.
func selective(tree *syntax.Regexp) bool {
	if tree.Op != syntax.OpConcat || len(tree.Sub) < 2 {
		return false
	}
	op := tree.Sub[1].Op
	return op == syntax.OpLiteral || op == syntax.OpCharClass
}

// match returns whether a text in ASCII matches, or full. Each step waits for the
// one before, some 7 cycles, so it takes a group of characters at a step.
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
	if len(text) >= 4 { // there is no telling how many are left: so without a loop; 0 counts nothing
		last := uint64(binary.LittleEndian.Uint32(text[len(text)-4:])) >> (8 * (4 - left))
		group += uint(digits[0][byte(last)]) + uint(digits[1][byte(last>>8)]) + uint(digits[2][byte(last>>16)])
	} else {
		for j, b := range text {
			group += uint(digits[j&3][b])
		}
	}
	return d.settle(s, group, table[group+uint(s)].Load())
}

// matchBack is match from the text's end. Most texts are ruled out by the first
// step.
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

// matchRunes is match for any text.
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

// step returns where a class leads to from a state.
func (d *dfa) step(s, class uint32) uint32 {
	if next := d.table[s+class].Load(); next != unknown {
		return next
	}
	return d.extend(s, class)
}

// settle returns where a group leads to. If that is unknown, it finds it out.
func (d *dfa) settle(s uint32, group uint, next uint32) uint32 {
	if next != unknown {
		return next
	}
	next = s
	for n, unit := group, d.unit; unit > 0 && next >= verdicts; unit /= d.letters {
		class := uint32(n / unit)
		if n %= unit; class == uint32(d.letters-1) {
			class = d.end
		}
		next = d.step(next, class)
	}
	d.table[d.groups+group+uint(s)].Store(next)
	return next
}

// extend finds out what step is to return from now on.
func (d *dfa) extend(s, class uint32) uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	entry := &d.table[s+class]
	if next := entry.Load(); next != unknown { // made meanwhile
		return next
	}
	next := d.after(d.states[s/d.stride], class)
	entry.Store(next)
	return next
}

// after returns where a class leads to. A match is found at the latest by the
// character after it, which its assertions may ask for.
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

// follow puts all places into d.now that a state leads to without reading, and
// reports whether there is a match among them.
func (d *dfa) follow(s state, holds syntax.EmptyOp) (match bool) {
	d.now.clear()
	for _, pc := range s.places {
		d.now.add(pc)
	}
	if s.last == outside || !d.anchored {
		d.now.add(uint32(d.prog.Start))
	}
	for done := 0; done != len(d.now.list); done++ { // the list grows
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

// matchesAll reports whether there is a match in any text, before it is read.
func (d *dfa) matchesAll() bool {
	return d.follow(state{}, syntax.EmptyBeginText|syntax.EmptyBeginLine)
}

// gate returns the bytes in ASCII that a match may begin with, or end with if it is
// read backwards.
func (d *dfa) gate() *gate {
	var g gate
	for b, class := range d.alphabet.ascii {
		g[b] = d.step(d.start, uint32(class)) != reject
	}
	return &g
}

// stateOf returns where the entries of a state begin, which it makes if it is not
// known, or full.
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

// context returns what assertions of the program may want to know of a character.
func (d *dfa) context(r rune) context {
	switch {
	case d.words && syntax.IsWordChar(r):
		return wordChar
	case d.lines && r == '\n':
		return newline
	}
	return other
}

// sample returns a character of the context.
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
