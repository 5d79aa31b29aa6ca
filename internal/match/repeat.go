package match

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// The size of an expression is limited, so that a short one with counts or
// classes does not take seconds and gigabytes. It is checked before compiling.
const (
	maxExtra    = 1 << 18 // instructions in excess of sizePerByte, of 40 bytes each
	sizePerByte = 4       // instructions; an expression without counts or classes has fewer
	maxClasses  = 1000    // Unicode classes such as \pL
)

// size returns the number of instructions that an expression compiles to. A
// class counts for more if it has many ranges.
func size(tree *syntax.Regexp) int {
	n := 0
	for _, sub := range tree.Sub {
		n += size(sub)
	}
	switch tree.Op {
	case syntax.OpConcat:
		return n
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass:
		return 1 + len(tree.Rune)/16
	case syntax.OpAlternate:
		return n + len(tree.Sub) - 1
	case syntax.OpCapture:
		return n + 2
	case syntax.OpRepeat: // with a branch for each optional copy
		return n*max(tree.Min, tree.Max, 1) + max(tree.Max-tree.Min, 1)
	}
	return n + 1
}

// maxCount is the largest count that package regexp allows, and the largest
// product of nested counts.
const maxCount = 1000

// parseCounts parses an expression with counts beyond maxCount. It rewrites
// each such repetition to a sequence of smaller ones: x{2500} becomes
// (?:(?:x){1000}(?:x){1000}(?:x){500}). source is the rewritten expression.
func parseCounts(expression string, flags syntax.Flags) (tree *syntax.Regexp, source string, err *syntaxError) {
	if err := parseWithout(expression, flags); err != nil {
		return nil, "", err
	}
	w := writer{limit: maxExtra + sizePerByte*len(expression)}
	if !w.write(expression) {
		return nil, "", tooLarge(expression)
	}
	source = string(w.out)
	tree, err = parseTree(source, flags)
	if err != nil {
		err = &syntaxError{code: err.code, expr: expression}
	}
	return tree, source, err
}

// parseWithout returns what is wrong with an expression other than its large
// counts. It parses the expression with {1} for each count.
func parseWithout(expression string, flags syntax.Flags) *syntaxError {
	type cut struct{ at, size int }
	var (
		short strings.Builder
		cuts  []cut
		from  int
	)
	for e := range elements(expression) {
		if c := countAt(expression, e); c.size > 0 && e.at >= from && c.valid() {
			short.WriteString(expression[from:e.at] + "{1}")
			cuts = append(cuts, cut{short.Len(), c.size - len("{1}")})
			from = e.at + c.size
		}
	}
	short.WriteString(expression[from:])
	_, err := parseTree(short.String(), flags)
	if err == nil {
		return nil
	}
	origin := func(at int) int {
		moved := at
		for _, c := range cuts {
			if c.at <= at {
				moved += c.size
			}
		}
		return moved
	}
	at, end := origin(err.at), origin(err.at+len(err.expr))
	return &syntaxError{err.code, expression[at:end], at}
}

// A count is the {min,max} of a repetition.
type count struct {
	min, max int // max is -1 if there is no maximum
	size     int // in bytes; 0: there is no count
}

func (c count) valid() bool { return c.max < 0 || c.min <= c.max }

// countAt returns the count that begins at an element of an expression.
func countAt(expression string, e element) count {
	if e.inSet || e.text != "{" {
		return count{}
	}
	rest := expression[e.at+1:]
	text := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789,"))]
	low, high, ranged := strings.Cut(text, ",")
	c := count{min: number(low), max: number(high), size: len(text) + len("{}")}
	switch {
	case !strings.HasPrefix(rest[len(text):], "}"), c.min < 0, high != "" && c.max < 0:
		return count{}
	case !ranged:
		c.max = c.min
	}
	return c
}

// number returns the number in text, or -1. Large numbers are capped.
func number(text string) int {
	if text == "" || len(text) > 1 && text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return -1
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return math.MaxInt32
	}
	return int(n)
}

// A writer rewrites an expression. The last part written that can be repeated
// is an atom; a group becomes one when it is closed.
type writer struct {
	out   []byte
	size  int // approximate number of instructions
	limit int
	open  []atom // groups
	last  atom
}

// An atom is a part of the rewritten expression.
type atom struct {
	from, to int
	size     int // writer.size before the atom
	count    int // product of nested counts
}

// write rewrites an expression, and reports whether it is within the limit.
func (w *writer) write(expression string) bool {
	from, set := 0, false // from: end of the rewritten part; set: in a set
	for e := range elements(expression) {
		if e.at < from {
			continue
		}
		from = e.at + len(e.text)
		c := countAt(expression, e)
		switch {
		case c.size > 0:
			from = e.at + c.size
			if strings.HasPrefix(expression[from:], "?") { // laziness does not change what matches
				from++
			}
			if !w.repeat(c) {
				return false
			}
		case set:
			w.extend(e.text, 0)
		case strings.HasPrefix(e.text, `\Q`):
			for _, r := range strings.TrimSuffix(e.text[len(`\Q`):], `\E`) {
				w.add(regexp.QuoteMeta(string(r)))
			}
		case e.opensGroup():
			w.begin(e.text)
		case e.text == ")":
			w.end()
		case e.text == "|":
			w.out = append(w.out, '|')
			w.size++
		case strings.Contains("*+?", e.text):
			w.extend(e.text, 1)
		case strings.HasPrefix(e.text, "(?"): // flags are not an atom
			w.out = append(w.out, e.text...)
		default:
			w.add(e.text)
		}
		set = e.inSet && !e.last
	}
	return true
}

// add writes an atom.
func (w *writer) add(text string) {
	w.nest()
	w.last = atom{from: len(w.out), size: w.size, count: 1}
	w.extend(text, 1)
}

// extend appends to the last atom.
func (w *writer) extend(text string, size int) {
	w.out = append(w.out, text...)
	w.last.to = len(w.out)
	w.size += size
}

// nest raises the open group's count to that of the last atom in it.
func (w *writer) nest() {
	if n := len(w.open); n > 0 {
		w.open[n-1].count = max(w.open[n-1].count, w.last.count)
	}
}

func (w *writer) begin(opening string) {
	w.nest()
	w.open = append(w.open, atom{from: len(w.out), size: w.size, count: 1})
	w.last = atom{}
	w.out = append(w.out, opening...)
}

func (w *writer) end() {
	w.nest()
	w.last = w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.extend(")", 0)
}

// repeat writes a repetition of the last atom, and reports whether it is within
// the limit.
func (w *writer) repeat(c count) bool {
	n := max(c.min, c.max, 1)
	size := max(w.size-w.last.size, 1)
	if n > (w.limit-w.last.size)/size {
		return false
	}
	w.size = w.last.size + n*size
	if n <= maxCount/w.last.count {
		w.extend(c.String(), 0)
		w.last.count *= n
		return true
	}
	at, maxTimes := w.last, maxCount/w.last.count
	if n/maxTimes*(at.to-at.from) > sizePerByte*w.limit {
		return false
	}
	sequence := c.sequence("(?:"+string(w.out[at.from:at.to])+")", maxTimes)
	w.out = slices.Replace(w.out, at.from, at.to, []byte(sequence)...)
	w.last.to = at.from + len(sequence)
	w.last.count *= maxTimes
	return true
}

// sequence returns a sequence of repetitions of an atom, of at most maxTimes
// each.
func (c count) sequence(atom string, maxTimes int) string {
	var b strings.Builder
	b.WriteString("(?:")
	for left := c.min; left > 0; left -= maxTimes {
		part := count{min: min(left, maxTimes), max: min(left, maxTimes)}
		if c.max < 0 && left <= maxTimes {
			part.max = -1
		}
		b.WriteString(atom + part.String())
	}
	for left := c.max - c.min; left > 0; left -= maxTimes {
		b.WriteString(atom + count{max: min(left, maxTimes)}.String())
	}
	b.WriteString(")")
	return b.String()
}

func (c count) String() string {
	switch c.max {
	case c.min:
		return fmt.Sprintf("{%d}", c.min)
	case -1:
		return fmt.Sprintf("{%d,}", c.min)
	}
	return fmt.Sprintf("{%d,%d}", c.min, c.max)
}
