package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns how many columns a terminal uses for text without control characters (see
// AppendEscaped): two for a wide character of East Asian scripts or an emoji (UAX #11), none
// for one that combines with the character before it.
func Width(text []byte) (columns int) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			columns++
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		columns += runeWidth(r)
		i += size
	}
	return columns
}

// WidthString is Width for a string.
func WidthString(text string) (columns int) {
	for _, r := range text {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	const firstCombining, firstVowel, lastFinal = 0x300, 0x1160, 0x11ff // Hangul's, which join the wide consonant before them
	switch {
	case r < firstCombining:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), firstVowel <= r && r <= lastFinal:
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

const ellipsis = "..."

// Head returns text if it is at most columns wide, else its beginning of that width and "...".
// The width is that of the escaped text.
func Head(text string, columns int) string {
	for i, r := range text {
		if columns -= escapedWidth(r); columns < 0 {
			return text[:i] + ellipsis
		}
	}
	return text
}

// Tail returns text if it is at most columns wide, else "..." and its end of that width.
func Tail(text string, columns int) string {
	for end := len(text); end > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if columns -= escapedWidth(r); columns < 0 {
			return ellipsis + text[end:]
		}
		end -= size
	}
	return text
}

// Excerpt returns the escaped text, or as much of it around text[from:to] as fits into columns,
// and a line that marks this part: ^~~~.
func Excerpt(text string, from, to, columns int) (excerpt, mark string) {
	text = strings.ReplaceAll(text, "\t", " ") // a tab's width depends on where it is
	marked := Head(text[from:to], columns)
	wide := WidthString(Escape(marked))
	left := columns - wide
	room := min(left/4, WidthString(Escape(Head(text[to:], left/4)))) // for what follows
	before := Tail(text[:from], left-room)
	indent := WidthString(Escape(before))
	after := Head(text[to:], max(room, left-indent))
	return Escape(before + marked + after), strings.Repeat(" ", indent) + "^" + strings.Repeat("~", max(0, wide-1))
}

func escapedWidth(r rune) int { return WidthString(Escape(string(r))) }
