package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/match"
)

// marked returns the text with its matched parts in brackets.
func marked(h *match.Highlighter, text string) string {
	var b strings.Builder
	at := 0
	for _, span := range h.AppendSpans(nil, []byte(text)) {
		b.WriteString(text[at:span[0]] + "<" + text[span[0]:span[1]] + ">")
		at = span[1]
	}
	return b.String() + text[at:]
}

func TestHighlighter(t *testing.T) {
	for _, row := range []struct {
		patterns string
		opt      match.Options
		text     string
		want     string
	}{
		{"oo", match.Options{}, "foofoo.go", "f<oo>f<oo>.go"},
		{"FOO", match.Options{Fold: true}, "xfoo", "x<foo>"},
		{`\.go$`, match.Options{}, "a.go.go", "a.go<.go>"},
		{"^a|o+$", match.Options{}, "a.goo", "<a>.g<oo>"},
		{"(a)(b)", match.Options{}, "ab", "<ab>"},
		{"x*", match.Options{}, "axx", "a<xx>"},
		{".", match.Options{}, "abc", "abc"},
		{".*", match.Options{}, "abc", "abc"},
		{"a.c", match.Options{Syntax: match.Fixed}, "xa.cx", "x<a.c>x"},
		{"a.c", match.Options{Syntax: match.Exact}, "a.c", "<a.c>"},
		{"a.c", match.Options{Syntax: match.Exact}, "xa.c", "xa.c"},
		{"*.{go,c}", match.Options{Syntax: match.Glob}, "main.go", "main<.go>"},
		{"m?in*[a-z]", match.Options{Syntax: match.Glob}, "main.go", "<m>a<in>.g<o>"},
		{"*[!x]", match.Options{Syntax: match.Glob}, "main", "main"},
		{"**/src/*.go", match.Options{Syntax: match.Glob, Path: true}, "/a/src/b.go", "/a</src/>b<.go>"},
		{"ab bc x", match.Options{}, "abcd", "<abc>d"},
		{"日本", match.Options{}, "x日本語\xff", "x<日本>語\xff"},
		{"(?=a)a b", match.Options{}, "ab", "a<b>"},
		{"é", match.Options{}, "e\u0301", "e\u0301"},
		{strings.Repeat("a ", 101), match.Options{}, "a", "a"},
	} {
		h := match.NewHighlighter(strings.Fields(row.patterns), row.opt)
		assert.Equal(t, row.want, marked(h, row.text), "%.20q %+v", row.patterns, row.opt)
	}
}

// FuzzHighlighter looks for a panic, for spans out of order, and for a text with a part that
// matches no pattern.
func FuzzHighlighter(f *testing.F) {
	f.Add("a(b|c)*", "*.{go,c}", "abc.go", uint8(0))
	f.Fuzz(func(t *testing.T, one, two, text string, syntax uint8) {
		opt := match.Options{Syntax: match.Syntax(syntax % 4), Fold: syntax%3 == 0}
		m, err := match.New([]string{one, two}, opt)
		if err != nil {
			return
		}
		at := 0
		spans := match.NewHighlighter([]string{one, two}, opt).AppendSpans(nil, []byte(text))
		for _, s := range spans {
			if s[0] < at || s[1] <= s[0] || s[1] > len(text) {
				t.Fatalf("%v in %q", spans, text)
			}
			at = s[1]
		}
		if ok, err := m.Match([]byte(text)); err == nil && !ok && len(spans) > 0 {
			t.Fatalf("%q and %q do not match %q, but %v", one, two, text, spans)
		}
	})
}
