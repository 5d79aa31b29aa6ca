package match

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// letters are two characters that every matching text has. Most texts lack one
// of them. That is found eight bytes at a time, without a loop, and saves
// reading such texts byte by byte.
type letters [2]letter

type letter struct {
	want uint64 // the character in each byte; in lowercase if fold is set
	fold uint64 // bits to set in the text first
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// common lists the characters of file names, most common first, as counted in
// 560,000 names below /usr and a home directory. All others are rare.
const common = ".etcanspoldfh_1i-m3r2yb6u54g8097vkxzwqj"

// newLetters returns the two rarest ASCII characters that are in every text
// that the expression matches, or nil if there are none.
func newLetters(tree *syntax.Regexp) *letters {
	var (
		l     letters
		ranks [2]int // 1: most common; 0: none
	)
	needs(tree, func(r rune, fold bool) {
		rank := strings.IndexRune(common, unicode.ToLower(r)) + 1
		if rank == 0 {
			rank = len(common) + 1
		}
		a := letter{want: uint64(r) * ones}
		if fold {
			a = letter{want: uint64(unicode.ToLower(r)) * ones, fold: ('a' - 'A') * ones}
		}
		switch {
		case a == l[0]:
		case rank > ranks[0]:
			l[0], l[1] = a, l[0]
			ranks[0], ranks[1] = rank, ranks[0]
		case rank > ranks[1]:
			l[1], ranks[1] = a, rank
		}
	})
	if ranks[0] == 0 {
		return nil
	}
	if ranks[1] == 0 {
		l[1] = l[0]
	}
	return &l
}

// needs calls f with each ASCII character that is in every matching text, and
// whether it may be in either case. It skips characters equal to others beyond
// ASCII: by folding those of the long s and the Kelvin sign, by normalization
// (Unicode's singletons) K, the semicolon and the grave accent.
func needs(tree *syntax.Regexp, f func(r rune, fold bool)) {
	switch tree.Op {
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			if r < utf8.RuneSelf && !strings.ContainsRune("kKsS;`", r) {
				f(r, tree.Flags&syntax.FoldCase != 0 && unicode.IsLetter(r))
			}
		}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		for _, sub := range tree.Sub {
			needs(sub, f)
		}
	}
}

// missing reports whether a text lacks one of the letters. For texts shorter
// than 8 bytes or longer than 32 it returns false.
func (l *letters) missing(text []byte) bool {
	n := len(text)
	if n < 8 || n > 32 {
		return false
	}
	a, b, c, d := word(text), word(text[min(8, n-8):]), word(text[max(n, 16)-16:]), word(text[n-8:])
	first := l[0].in(a) | l[0].in(b) | l[0].in(c) | l[0].in(d)
	second := l[1].in(a) | l[1].in(b) | l[1].in(c) | l[1].in(d)
	return first == 0 || second == 0
}

// in returns 0 if none of the eight bytes of w is the letter.
func (l *letter) in(w uint64) uint64 {
	w = (w | l.fold) ^ l.want
	return (w - ones) &^ w & highs
}
