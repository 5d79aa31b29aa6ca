package term_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/term"
)

// The columns are those of wcwidth(3) in glibc.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain": 5, "é": 1, "e\u0301": 1, "日本語": 6, "ｱ": 1, "Ａ": 2, "한글": 4,
		"\u1112\u1161\u11ab": 2, // the same in normal form D: 한
		"🦀":                  2, "…": 1, "Ω": 1, "\u0e01\u0e34": 1,
	} {
		assert.Equal(t, want, term.Width([]byte(text)), "%q", text)
		assert.Equal(t, want, term.WidthString(text), "%q", text)
	}
}

func TestHeadAndTail(t *testing.T) {
	for _, row := range []struct {
		text       string
		columns    int
		head, tail string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc...", "...bcd"},
		{"日本語", 5, "日本...", "...本語"},
		{"a\x1bb", 4, "a...", "...b"}, // \x1B is four columns
		{"", 0, "", ""},
	} {
		assert.Equal(t, row.head, term.Head(row.text, row.columns), "%q", row.text)
		assert.Equal(t, row.tail, term.Tail(row.text, row.columns), "%q", row.text)
	}
}

func TestExcerpt(t *testing.T) {
	for _, row := range []struct {
		text          string
		from, to      int
		excerpt, mark string
	}{
		{"a(b", 1, 2, "a(b", " ^"},
		{"日本(語", 6, 7, "日本(語", "    ^"},
		{"a\tb)\x1b", 3, 4, `a b)\x1B`, "   ^"},
		{"0123456789012345678901234567890123456789", 20, 22, "...234567890123...", "           ^~"},
		{"ab", 2, 2, "ab", "  ^"},
	} {
		excerpt, mark := term.Excerpt(row.text, row.from, row.to, 12)
		assert.Equal(t, row.excerpt, excerpt, "%q", row.text)
		assert.Equal(t, row.mark, mark, "%q", row.text)
	}
}
