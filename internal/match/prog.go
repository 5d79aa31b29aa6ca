package match

import (
	"encoding/binary"
	"iter"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// union returns an expression that matches any of several. The parser factors
// out common prefixes; without that, thousands of expressions would make large
// states. It returns an error if they are too large together.
func union(several []parsed) (all parsed, err error) {
	var begin, rest []string
	extra := 0
	for _, p := range several {
		extra += p.extra
	}
	if extra > maxExtra {
		return all, &syntax.Error{Code: syntax.ErrLarge}
	}
	for _, p := range several {
		if tree := p.tree; tree.Op == syntax.OpConcat && tree.Sub[0].Op == syntax.OpBeginText {
			after := *tree
			after.Sub = tree.Sub[1:]
			begin = append(begin, after.String())
		} else {
			rest = append(rest, tree.String())
		}
	}
	slices.Sort(begin) // only adjacent ones are factored
	slices.Sort(rest)
	if len(begin) > 0 {
		rest = append(rest, `\A(?:`+strings.Join(begin, "|")+")")
	}
	all.source = strings.Join(rest, "|")
	all.tree, err = syntax.Parse(all.source, syntax.Perl)
	return all, err
}

// beginsWith reports whether every match of the expression begins with a match
// of op.
func beginsWith(tree *syntax.Regexp, op syntax.Op) bool {
	switch tree.Op {
	case op:
		return true
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return beginsWith(tree.Sub[0], op)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !beginsWith(sub, op) })
	}
	return false
}

// reversed returns an expression that matches the same texts read backwards.
func reversed(tree *syntax.Regexp) *syntax.Regexp {
	back := *tree
	switch tree.Op {
	case syntax.OpBeginText:
		back.Op = syntax.OpEndText
	case syntax.OpEndText:
		back.Op = syntax.OpBeginText
	case syntax.OpBeginLine:
		back.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		back.Op = syntax.OpBeginLine
	case syntax.OpLiteral:
		back.Rune = slices.Clone(tree.Rune)
		slices.Reverse(back.Rune)
	default:
		back.Sub = nil
		for _, sub := range tree.Sub {
			back.Sub = append(back.Sub, reversed(sub))
		}
		if tree.Op == syntax.OpConcat {
			slices.Reverse(back.Sub)
		}
	}
	return &back
}

// trimmed returns an expression without ".*", "^.*" and ".*$" at its ends,
// which do not change what matches.
func trimmed(tree *syntax.Regexp) *syntax.Regexp {
	if tree.Op != syntax.OpConcat {
		return tree
	}
	subs := tree.Sub
	if len(subs) > 1 && subs[0].Op == syntax.OpBeginText && isAnything(subs[1]) {
		subs = subs[1:]
	}
	if isAnything(subs[0]) {
		subs = subs[1:]
	}
	if n := len(subs); n > 1 && subs[n-1].Op == syntax.OpEndText && isAnything(subs[n-2]) {
		subs = subs[:n-1]
	}
	if n := len(subs); n > 0 && isAnything(subs[n-1]) {
		subs = subs[:n-1]
	}
	switch len(subs) {
	case 0:
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	case 1:
		return subs[0]
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: subs}
}

// isAll reports whether it is obvious that an expression matches every text but
// the empty one.
func isAll(tree *syntax.Regexp) bool {
	return tree.Op == syntax.OpEmptyMatch || tree.Op == syntax.OpAnyChar || isAnything(tree)
}

func isAnything(tree *syntax.Regexp) bool {
	return tree.Op == syntax.OpStar && tree.Sub[0].Op == syntax.OpAnyChar
}

// minLen returns the minimum length, in bytes, of a text that the expression
// matches.
func minLen(tree *syntax.Regexp) int {
	n := 0
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return minLen(tree.Sub[0])
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			n += minLen(sub)
		}
	case syntax.OpAlternate:
		n = minLen(tree.Sub[0])
		for _, sub := range tree.Sub {
			n = min(n, minLen(sub))
		}
	}
	return n
}

// needed returns the longest ASCII literal that is in every matching text, or
// nil.
func needed(tree *syntax.Regexp) (longest []byte) {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 && !slices.ContainsFunc(tree.Rune, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return []byte(string(tree.Rune))
		}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		for _, sub := range tree.Sub {
			if l := needed(sub); len(l) > len(longest) {
				longest = l
			}
		}
	}
	return longest
}

// An alphabet maps runes to classes. A program does not distinguish the runes
// of a class.
type alphabet struct {
	ascii  [utf8.RuneSelf]uint8
	bounds []rune   // where intervals of runes begin, ascending from 0
	class  []uint32 // by interval
	sample []rune   // one rune of each class
}

// newAlphabet returns the alphabet of a program.
func newAlphabet(prog *syntax.Prog) *alphabet {
	a := &alphabet{bounds: []rune{0}}
	sets := runeSets(prog)
	for _, s := range sets {
		a.bounds = append(a.bounds, s.bounds()...)
	}
	slices.Sort(a.bounds)
	a.bounds = slices.Compact(a.bounds)
	a.class = make([]uint32, len(a.bounds))
	moved := []uint32{0} // by class: the class of those of its members that are in the set
	for _, s := range sets {
		moved = a.split(s, moved)
	}
	number := make([]uint32, len(moved)) // by class, from 1; 0: the class is empty
	for i, class := range a.class {
		if number[class] == 0 {
			a.sample = append(a.sample, a.bounds[i])
			number[class] = uint32(len(a.sample))
		}
		a.class[i] = number[class] - 1
	}
	for b := range a.ascii {
		a.ascii[b] = uint8(a.of(rune(b))) // ASCII has at most 128 classes
	}
	return a
}

// split moves the members of each class that are in a set to a new class. It
// takes time proportional to the set's own intervals, not to the number of
// classes.
func (a *alphabet) split(s runeSet, moved []uint32) []uint32 {
	first := uint32(len(moved))
	for lo, hi := range s.pairs() {
		i, _ := slices.BinarySearch(a.bounds, lo)
		for ; i < len(a.bounds) && a.bounds[i] <= hi; i++ {
			class := a.class[i]
			if class >= first {
				continue
			}
			if moved[class] < first {
				moved[class] = uint32(len(moved))
				moved = append(moved, 0)
			}
			a.class[i] = moved[class]
		}
	}
	return moved
}

// of returns the class of a rune.
func (a *alphabet) of(r rune) uint32 {
	lo, hi := 0, len(a.bounds)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; a.bounds[mid] <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	return a.class[lo]
}

// A runeSet is a set of runes that a program distinguishes from others.
type runeSet struct {
	inst   *syntax.Inst // nil: the set is ranges
	ranges []rune       // pairs, from and to
}

// wordRunes are the word characters of \b, as in package regexp.
var wordRunes = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}

// runeSets returns the distinct sets of a program.
func runeSets(prog *syntax.Prog) []runeSet {
	var sets []runeSet
	seen := map[string]bool{}
	var key []byte
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		var s runeSet
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAnyNotNL:
			s = runeSet{inst, inst.Rune}
		case syntax.InstEmptyWidth:
			switch syntax.EmptyOp(inst.Arg) {
			case syntax.EmptyBeginLine, syntax.EmptyEndLine:
				s.ranges = []rune{'\n', '\n'}
			case syntax.EmptyWordBoundary, syntax.EmptyNoWordBoundary:
				s.ranges = wordRunes
			default:
				continue
			}
		default:
			continue
		}
		key = binary.NativeEndian.AppendUint32(key[:0], inst.Arg)
		for _, r := range s.ranges {
			key = binary.NativeEndian.AppendUint32(key, uint32(r))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			sets = append(sets, s)
		}
	}
	return sets
}

// pairs yields the intervals of runes in the set.
func (s runeSet) pairs() iter.Seq2[rune, rune] {
	return func(yield func(lo, hi rune) bool) {
		if len(s.ranges) == 1 { // a single rune, which may fold
			r := s.ranges[0]
			more := yield(r, r)
			for f := unicode.SimpleFold(r); more && f != r; f = unicode.SimpleFold(f) {
				more = !s.inst.MatchRune(f) || yield(f, f)
			}
			return
		}
		for i := 0; i < len(s.ranges); i += 2 {
			if !yield(s.ranges[i], s.ranges[i+1]) {
				return
			}
		}
	}
}

// bounds returns where intervals of the set begin, and where they have ended.
func (s runeSet) bounds() (bounds []rune) {
	for lo, hi := range s.pairs() {
		bounds = append(bounds, lo, hi+1)
	}
	return bounds
}
