package term_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/term"
)

// FuzzEscape looks for what a terminal would take for a command, and for text that
// needs no escape and is changed.
func FuzzEscape(f *testing.F) {
	for _, name := range dirtest.WeirdNames() {
		f.Add([]byte(name))
	}
	f.Fuzz(func(t *testing.T, name []byte) {
		got := term.AppendEscaped(nil, name)
		if !utf8.Valid(got) {
			t.Fatalf("%q became %q, which is not UTF-8", name, got)
		}
		for _, r := range string(got) {
			if r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
				t.Fatalf("%q became %q", name, got)
			}
		}
		if again := term.AppendEscaped(nil, got); !bytes.Equal(again, got) {
			t.Fatalf("%q became %q and then %q", name, got, again)
		}
	})
}

// Escaped JSON has nothing that a terminal would not show, and says the same.
func TestEscapeJSON(t *testing.T) {
	for _, want := range append(dirtest.WeirdNames(),
		"plain é 日本 🦀", "a\x1b[31m", "c1\u009b31m", "rlo\u202egnp.exe", "tag\U000e0041", "del\x7f", "bom\ufeff", "line\u2028") {
		if !utf8.ValidString(want) {
			continue
		}
		var encoded bytes.Buffer
		require.NoError(t, json.NewEncoder(&encoded).Encode(want))
		escaped := term.EscapeJSON(encoded.Bytes())
		var got string
		require.NoError(t, json.Unmarshal(escaped, &got), "%s", escaped)
		assert.Equal(t, want, got)
		text, ended := strings.CutSuffix(string(escaped), "\n")
		assert.True(t, ended)
		assert.Equal(t, -1, strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }), "%q", escaped)
	}
	assert.Equal(t, "\"é 日本 🦀\"\n", string(term.EscapeJSON([]byte("\"é 日本 🦀\"\n"))))
}
