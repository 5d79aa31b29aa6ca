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

// FuzzEscape looks for control characters in escaped text, and for text that changes when it is
// escaped again.
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

// encoding/json reads the text back, and the JSON has no characters that a terminal does not show.
func TestAppendJSON(t *testing.T) {
	for _, want := range append(dirtest.WeirdNames(), "", "plain é 日本 🦀", "a\x1b[31m", "c1\u009b31m", "rlo\u202egnp.exe",
		"tag\U000e0041", "del\x7f", "bom\ufeff", "line\u2028", "\x00\b\f\n\r\t\"\\/<&>", "bad\xff") {
		object := append(term.AppendJSON([]byte("{"), "path", []byte(want)), '}')
		var got struct {
			Path   *string `json:"path"`
			Base64 []byte  `json:"path_b64"`
		}
		require.NoError(t, json.Unmarshal(object, &got), "%s", object)
		if utf8.ValidString(want) {
			require.NotNil(t, got.Path, "%s", object)
			assert.Equal(t, want, *got.Path)
		} else {
			assert.Nil(t, got.Path)
			assert.Equal(t, want, string(got.Base64))
		}
		assert.Equal(t, -1, strings.IndexFunc(string(object), func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }), "%q", object)
	}
	assert.Equal(t, `"x":"é 日本 🦀"`, string(term.AppendJSON(nil, "x", []byte("é 日本 🦀"))))
}
