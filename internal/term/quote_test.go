package term_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/term"
)

// Shells take words for the texts that they stand for.
func TestAppendShell(t *testing.T) {
	for text, want := range map[string]string{
		"a-b_c/d.e:f,g+h@i%j=k": "a-b_c/d.e:f,g+h@i%j=k",
		"":                      "''",
		"=ls":                   "'=ls'",
		"it's":                  `'it'\''s'`,
		"日本":                    "'日本'",
		"a\nb'\\\x1b7\xff":      `$'a\nb\'\\\0337\377'`,
		"\u202e":                `$'\342\200\256'`,
	} {
		assert.Equal(t, want, string(term.AppendShell(nil, []byte(text))))
	}
	texts := append(dirtest.WeirdNames(), "$HOME `x` !!", "~", "#", "a b", "\\", "'", "$'", "\x01\x7f1", "*?[", "é\u0301", "bad\xff'\n")
	script := "printf '%s\\0'"
	for _, text := range texts {
		script += " " + string(term.AppendShell(nil, []byte(text)))
	}
	for _, shell := range []string{"bash", "zsh", "ksh", "mksh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		out, err := exec.Command(shell, "-c", script).Output()
		require.NoError(t, err, shell)
		assert.Equal(t, texts, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), shell)
	}
}

// FuzzQuote reads strings of C back, and looks for characters in quotes that a terminal does not show.
func FuzzQuote(f *testing.F) {
	for _, name := range dirtest.WeirdNames() {
		f.Add([]byte(name))
	}
	f.Add([]byte("\"\\a'\xff\u202e7"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, word := string(term.AppendC(nil, text)), string(term.AppendShell(nil, text))
		got, err := strconv.Unquote(c)
		require.NoError(t, err, "%q", text)
		require.Equal(t, string(text), got)
		for _, quoted := range []string{c, word} {
			require.True(t, utf8.ValidString(quoted), "%q", quoted)
			require.Equal(t, -1, strings.IndexFunc(quoted, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }), "%q", quoted)
		}
	})
}
