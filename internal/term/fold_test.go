package term_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/term"
)

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"one two":                  "one two",
		"one two thr":              "one two\nthr",
		"one two three f":          "one two\nthree f",
		"one twothreefourfive six": "one\ntwothreefourfive\nsix",
		"  (one two)":              "  (one\n  two)",
		"a  b":                     "a  b",
		"漢字 漢字 漢":                  "漢字\n漢字 漢",
	} {
		assert.Equal(t, want, term.Fold(text, 8), text)
		assert.Equal(t, text, term.Fold(text, 0))
	}
	long := strings.Repeat("word ", 50)
	for line := range strings.SplitSeq(term.Fold(long, 33), "\n") {
		assert.LessOrEqual(t, len(line), 33)
	}
}
