package term_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/term"
)

func TestAppendPlain(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain",
		"\x1b[1;34md/\x1b[0m\x1b[36ma.go\x1b[0m":   "d/a.go",
		"\x1b]8;;file://h/a\x1b\\a\x1b]8;;\x1b\\b": "ab",
		"a\x1b": "a\x1b", "a\x1b[1;3": "a1;3", "a\x1b]8": "a",
	} {
		assert.Equal(t, "x"+want, string(term.AppendPlain([]byte("x"), []byte(text))), "%q", text)
	}
}
