package match

import (
	"bytes"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A literal is a text to compare with or search for.
type literal struct {
	text  string
	at    anchor
	fold  bool
	lower []byte // text for texts in ASCII; in lowercase if fold is set
}

// An anchor restricts where a literal may be; 0 is anywhere.
type anchor uint8

const (
	atStart anchor = 1 << iota
	atEnd
)

// newLiteral returns a literal. The text must be in NFC.
func newLiteral(text string, at anchor, fold bool) *literal {
	l := &literal{text: text, at: at, fold: fold, lower: []byte(text)}
	if fold {
		l.lower = l.lower[:0]
		for i, r := range text {
			if r = foldRune(r); r < utf8.RuneSelf {
				l.lower = append(l.lower, lower(byte(r)))
			} else { // a byte that is in no ASCII text
				l.lower = append(l.lower, text[i])
			}
		}
	}
	return l
}

// treeLiteral returns the literal equal to an expression, or nil if there is
// none.
func treeLiteral(tree *syntax.Regexp) *literal {
	var at anchor
	if subs := tree.Sub; tree.Op == syntax.OpConcat {
		if subs[0].Op == syntax.OpBeginText {
			at |= atStart
			subs = subs[1:]
		}
		if n := len(subs) - 1; n >= 0 && subs[n].Op == syntax.OpEndText {
			at |= atEnd
			subs = subs[:n]
		}
		if len(subs) != 1 {
			return nil
		}
		tree = subs[0]
	}
	// In package regexp U+FFFD matches invalid bytes too.
	if tree.Op != syntax.OpLiteral || slices.Contains(tree.Rune, utf8.RuneError) {
		return nil
	}
	return newLiteral(string(tree.Rune), at, tree.Flags&syntax.FoldCase != 0)
}

// tree returns the literal as an expression, without its anchors.
func (l *literal) tree() *syntax.Regexp {
	tree := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(l.text)}
	if l.fold {
		tree.Flags = syntax.FoldCase
	}
	return tree
}

// match reports whether an ASCII text has the literal.
func (l *literal) match(text []byte) bool {
	n := len(l.lower)
	if len(text) < n {
		return false
	}
	switch l.at {
	case 0:
		return bytes.Contains(text, l.lower)
	case atStart:
		text = text[:n]
	case atEnd:
		text = text[len(text)-n:]
	default:
		if len(text) != n {
			return false
		}
	}
	if !l.fold {
		return string(text) == string(l.lower)
	}
	for i, b := range text {
		if lower(b) != l.lower[i] {
			return false
		}
	}
	return true
}

// gate returns the bytes that may be at index i of the literal, or nil if that
// is not in ASCII.
func (l *literal) gate(i int) *gate {
	if i < 0 || i >= len(l.lower) || l.lower[i] >= utf8.RuneSelf {
		return nil
	}
	var g gate
	for b := range g {
		g[b] = byte(b) == l.lower[i] || l.fold && lower(byte(b)) == l.lower[i]
	}
	return &g
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b |= 0x20
	}
	return b
}

// foldRune returns the same rune for all simple foldings of each other.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	lowest := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		lowest = min(lowest, f)
	}
	return lowest
}
