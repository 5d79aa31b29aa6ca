package match_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"ldx/internal/dirtest"
	"ldx/internal/match"
)

// matches reports whether a Matcher of the patterns matches the text.
func matches(t testing.TB, opt match.Options, text string, patterns ...string) bool {
	t.Helper()
	m, err := match.New(patterns, opt)
	require.NoError(t, err)
	ok, err := m.Match([]byte(text))
	require.NoError(t, err)
	return ok
}

// reference returns the patterns as one expression of package regexp.
func reference(t testing.TB, fold bool, patterns ...string) *regexp.Regexp {
	t.Helper()
	flags := "(?s:"
	if fold {
		flags = "(?is:"
	}
	re, err := regexp.Compile(norm.NFC.String(flags + strings.Join(patterns, ")|"+flags) + ")"))
	require.NoError(t, err)
	return re
}

func TestHasUpper(t *testing.T) {
	for pattern, upper := range map[string]bool{
		"readme": false, "README": true, "Readme": true, "é": false, "É": true,
		`\W`: false, `\Sx`: false, `\Afoo\z`: false, `\pL`: false, `\PL`: false, `\p{Lu}`: true,
		`\x4A`: true, `\x{4A}`: true, `\x4b\x{1F}`: true, `\x6A`: false, `\x{1F}`: false, `\x41B`: true,
		`\pLA`: true, `\p{Lu}A`: true, `\QABC\E`: true, `\Qabc\ED`: true, `\Qabc\Ed`: false, `\Qabc`: false,
		`(?P<Name>x)`: false, `(?<Name>x)`: false, `(?P<n>X)`: true, `(?U)x+`: false, `(?:X)`: true,
		`[A-Z]`: true, `[a-z]`: false, `[[:alpha:]]`: false, `[[:upper:]]`: true, `[[:lower:]]`: true,
		`\p{^Ll}`: true, `\p{Greek}`: false, `\\A`: true, `\.A`: true, `[\W]`: false, `[(?A]`: true,
		`(?=Foo)`: true, `(?<!Foo)`: true, `(?<=foo)`: false, `(?>A)`: true, `\k<Name>`: false, `(?P=Name)`: false,
		`[]A]`: true, `[^]A]`: true, `a\`: false,
	} {
		assert.Equal(t, upper, match.HasUpper(pattern, match.Regexp), pattern)
	}
	assert.True(t, match.HasUpper(`\W`, match.Fixed), "nothing is an escape there")
	assert.True(t, match.HasUpper(`\A`, match.Glob), "an escaped letter is a letter")
	assert.True(t, match.HasUpper(`[[:upper:]]*`, match.Glob))
	assert.False(t, match.HasUpper(`[[:alpha:]]*`, match.Glob))
	assert.False(t, match.HasUpper(`[:upper:]`, match.Fixed))
}

// TestMatch proves each row with package regexp first.
func TestMatch(t *testing.T) {
	for _, row := range []struct {
		pattern string
		fold    bool
		text    string
		want    bool
	}{
		{"", false, "x", true},
		{".", false, "\n", true},
		{".", false, "\xff", true},
		{"main", true, "MAIN.go", true},
		{"Main", false, "main.go", false},
		{`\.go$`, true, "x.GO", true},
		{`\.go$`, false, "x.gox", false},
		{`^main`, false, "main.go", true},
		{`^main`, false, "domain", false},
		{`^main$`, false, "main", true},
		{`^main$`, false, "main2", false},
		{"k", true, "\u212a", true}, // the Kelvin sign
		{"\u212a", true, "k", true},
		{"s$", true, "x\u017f", true}, // the long s
		{"é", true, "É", true},
		{"é", false, "É", false},
		{"straße", true, "STRAßE", true},
		{"\ufffd", false, "\xff", true},
		{"^..$", false, "\xe2\x82", true},
		{"^.$", false, "\xe2\x82\xac", true},
		{"a.c", false, "a\nc", true},
		{"a|b", false, "xbx", true},
		{`\bmain\b`, false, "x-main.go", true},
		{`\bmain\b`, false, "x_main.go", false},
		{`\Bain\b`, false, "main", true},
		{`(?m)^b$`, false, "a\nb\nc", true},
		{`(?m:^b)$`, false, "a\nb\nc", false},
		{`a$|^b`, false, "bc", true},
		{`(a$|^b)c`, false, "bc", true},
		{`x*$`, false, "y", true},
		{`$^`, false, "y", false},
		{`(?i)abc`, false, "xABCx", true},
		{`[[:^ascii:]]`, false, "abc", false},
		{`[[:^ascii:]]`, false, "abç", true},
		{`a{2,3}$`, false, "baa", true},
		{`^a{2,3}$`, false, "aaaa", false},
		{`.*[0-9].*(md|\.c)$`, false, "x1y.c", true},
		{`^.*$`, false, "anything", true},
		{`^[^.]*$`, false, "a.b", false},
		{`^.{3}$`, false, "äöü", true},
		{`[^a]`, false, "a", false},
		{`^(?:x{0,1000}|y)$`, false, "xx", true},
		{`^[ab].{0,999}[cd].{0,40}x`, false, "ab" + strings.Repeat("c", 90) + "x", true},
	} {
		assert.Equal(t, row.want, reference(t, row.fold, row.pattern).MatchString(row.text), "regexp: %+v", row)
		assert.Equal(t, row.want, matches(t, match.Options{Fold: row.fold}, row.text, row.pattern), "%+v", row)
	}
}

func TestSeveralPatterns(t *testing.T) {
	assert.False(t, matches(t, match.Options{}, "x"), "no pattern, no match")
	for text, want := range map[string]bool{
		"foo": true, "xfoo": false, "a.go": true, "a.gox": false, "xbarx": true, "a1": true, "ab": false,
		"whole": true, "awhole": false,
	} {
		assert.Equal(t, want, matches(t, match.Options{}, text, "^foo", `\.go$`, "bar", `^whole$`, "[0-9]$"), text)
	}
	assert.True(t, matches(t, match.Options{}, "README", "x", "(?i)readme"), "one that folds beside one that does not")
	assert.True(t, matches(t, match.Options{}, "aa", "x", `(a)\1`), "and one for regexp2")
	assert.True(t, matches(t, match.Options{}, "b1", `(?P<n>a)\d`, `(?P<n>b)\d`), "a name for two groups")
}

// TestNormalForms matches names and patterns in different normal forms.
func TestNormalForms(t *testing.T) {
	const nfc, nfd = "caf\u00e9", "cafe\u0301"
	for _, pattern := range []string{nfc, nfd, "^" + nfd + "$", "caf.$", "(x|" + nfc + ")", "caf[" + nfd[3:] + "]$"} {
		for _, text := range []string{nfc, nfd} {
			assert.True(t, matches(t, match.Options{}, text, pattern), "%+q in %+q", pattern, text)
		}
		assert.False(t, matches(t, match.Options{}, "cafx\u0301", "^"+nfc), pattern)
	}
	for _, text := range []string{nfc, nfd} {
		assert.True(t, matches(t, match.Options{Syntax: match.Fixed, Fold: true}, strings.ToUpper(text), nfd))
		assert.True(t, matches(t, match.Options{Syntax: match.Exact}, text, nfd))
		assert.True(t, matches(t, match.Options{Syntax: match.Glob}, text, "caf?"))
		assert.False(t, matches(t, match.Options{Syntax: match.Exact}, text, "cafe"))
		assert.False(t, matches(t, match.Options{}, text, "e"), "it has an é, and no e")
		assert.True(t, matches(t, match.Options{}, text, "(?=é)"), "regexp2")
	}
}

func TestFixed(t *testing.T) {
	fixed, exact := match.Options{Syntax: match.Fixed}, match.Options{Syntax: match.Exact}
	assert.True(t, matches(t, fixed, "a.*b", ".*"))
	assert.False(t, matches(t, fixed, "ab", ".*"))
	assert.True(t, matches(t, fixed, "ab", ""))
	assert.True(t, matches(t, fixed, "a\xffb", "\xff"), "names may be invalid UTF-8")
	assert.True(t, matches(t, fixed, "a\ufffdb", "\ufffd"))
	assert.False(t, matches(t, fixed, "a\xffb", "\ufffd"))
	for _, text := range []string{"A\xffB", "A\xffB123456789", "12345678A\xffB"} {
		assert.True(t, matches(t, match.Options{Syntax: match.Fixed, Fold: true}, text, "a\xffb"), "%q", text)
	}
	assert.False(t, matches(t, match.Options{Syntax: match.Fixed, Fold: true}, "a\xff", "a\ufffd"))
	assert.True(t, matches(t, exact, "a.b", "a.b"))
	assert.False(t, matches(t, exact, "a.bc", "a.b"))
	assert.False(t, matches(t, exact, "axb", "a.b"))
	assert.True(t, matches(t, exact, "b", "a", "b"))
	assert.False(t, matches(t, exact, "ab", "a", "b"))
}

func TestGlob(t *testing.T) {
	for _, row := range []struct {
		glob string
		path bool
		yes  string // matching texts, separated by spaces
		no   string
	}{
		{"*.go", false, "a.go .go", "a.gox a.GO go"},
		{"a?c", false, "abc aéc a.c", "ac abbc"},
		{"[a-c]x[!0-9]", false, "axy cx_ bxé", "dxy ax1 ax"},
		{"[^a]", false, "b ^", "a"},
		{"[]a]", false, "] a", "b"},
		{"[!]a]", false, "b", "] a"},
		{"[a-]", false, "a -", "b"},
		{`[\]x]`, false, "] x", `\`},
		{"[[:digit:][:upper:]]", false, "7 Q", "q ["},
		{"[a", false, "[a", "a"},
		{"a]", false, "a]", "a"},
		{"*.{c,h}", false, "x.c y.h", "x.o x.{c,h}"},
		{"{a,b{1,2}}x", false, "ax b1x b2x", "bx a1x"},
		{"{,un}done", false, "done undone", "xdone"},
		{`\*`, false, "*", "a"},
		{`\{a,b\}`, false, "{a,b}", "a b"},
		{"a,b}", false, "a,b}", "a"},
		{"a.b+(c)", false, "a.b+(c)", "axb+(c)"},
		{"**", false, "x", ""},
		{"ä?", false, "äö", "ä"},
		{"[[:]x", false, "[x :x", "[:x x"},
		{"[[:][:alpha:]]", false, ":a] [:]", ":] [a"},
		{"[[:foo]bar:]]x", false, "", "x"},
		{"{a,{b}**/c}", true, "a b/c bx/c", "xc bx/y/c"},
		{"/b[.-0]x", true, "/b.x /b0x", "/b/x"},
		{"/b[/]x", true, "", "/b/x"},
		{"/b[!/]x", true, "/bax", "/b/x"},
		{"/a/*.go", true, "/a/x.go", "/a/b/x.go /x.go"},
		{"**/x", true, "/x /a/x /a/b/x", "/ax /a/xy"},
		{"/a/**", true, "/a/b /a/b/c", "/a /ab"},
		{"/a/**/z", true, "/a/z /a/b/z /a/b/c/z", "/a/bz /az"},
		{"/a**z", true, "/az /abz", "/a/z"},
		{"/a/[!b]/c", true, "/a/x/c", "/a/b/c /a///c"},
		{"/{a,**}/z", true, "/a/z /q/r/z", "/a/q"},
	} {
		for _, text := range strings.Fields(row.yes) {
			assert.True(t, matches(t, match.Options{Syntax: match.Glob, Path: row.path}, text, row.glob), "%s: %s", row.glob, text)
		}
		for _, text := range strings.Fields(row.no) {
			assert.False(t, matches(t, match.Options{Syntax: match.Glob, Path: row.path}, text, row.glob), "%s: %s", row.glob, text)
		}
	}
	assert.True(t, matches(t, match.Options{Syntax: match.Glob, Fold: true}, "A.GO", "*.go"))
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		pattern string
		syntax  match.Syntax
		at, n   int
		reason  string
		glob    bool
	}{
		{"a[b", match.Regexp, 1, 1, "missing closing ]", false},
		{"[b]a[c", match.Regexp, 4, 1, "missing closing ]", false},
		{"a(b(c)", match.Regexp, 1, 1, "missing closing )", false},
		{`(\)[)]`, match.Regexp, 0, 1, "missing closing )", false},
		{"a)b", match.Regexp, 1, 1, "unexpected )", false},
		{"*.go", match.Regexp, 0, 1, "nothing before the *", true},
		{"a*|*b", match.Regexp, 3, 1, "nothing before the *", false},
		{"a**", match.Regexp, 1, 2, "repetition", true},
		{`*.\`, match.Regexp, 0, 1, "nothing before the *", false},
		{`ab\`, match.Regexp, 2, 1, "trailing backslash", false},
		{`a\y`, match.Regexp, 1, 2, "invalid escape", false},
		{"x[z-a]", match.Regexp, 2, 3, "range", false},
		{"ab{5,2}", match.Regexp, 2, 5, "repeat count", false},
		{`\p{Foo}`, match.Regexp, 0, 7, "range", false},
		{"(?=a", match.Regexp, 0, 1, "missing closing )", false}, // an error of regexp2
		{"\xffa", match.Regexp, 0, 1, "UTF-8", false},
		{"a{b", match.Glob, 1, 1, "not closed", false},
		{`a\`, match.Glob, 1, 1, "literal", false},
		{"x[c-a]", match.Glob, 2, 3, "backwards", false},
		{"x[[:foo:]]", match.Glob, 2, 7, "range", false},
		{strings.Repeat("{a,b", 1200) + strings.Repeat("}", 1200), match.Glob, 0, 6000, "nest", false},
		{"+x", match.Regexp, 0, 1, "nothing before the +", false},
		{"ab[[:](c", match.Regexp, 6, 1, "missing closing )", false},
		{"(?=a)(b", match.Regexp, 5, 1, "missing closing )", false},
		{"[^^](", match.Regexp, 4, 1, "missing closing )", false},
		{"(?(1)a|b)(", match.Regexp, 9, 1, "missing closing )", false},
		{"a*|*|*", match.Regexp, 3, 1, "nothing before the *", false},
		{"x{1001}*", match.Regexp, 1, 7, "one repetition of another: {1001}*", true},
		{"éx{1001}y{1,2000}?z**", match.Regexp, 20, 2, "repetition", true},
		{"x{1001}y{5,2}", match.Regexp, 8, 5, "repeat count", false},
		{"x{1001}(", match.Regexp, 7, 1, "missing closing )", false},
	} {
		_, err := match.New([]string{"x", row.pattern}, match.Options{Syntax: row.syntax})
		var e *match.Error
		require.ErrorAs(t, err, &e, row.pattern)
		assert.Equal(t, row.pattern, e.Pattern)
		assert.Equal(t, []int{row.at, row.n}, []int{e.At, e.Len}, "%s: %v", row.pattern, err)
		assert.Contains(t, e.Error(), row.reason)
		assert.Equal(t, row.glob, e.Glob, row.pattern)
	}
}

// TestErrorsOfLongPatterns has invalid patterns of a quarter of a megabyte. An
// error is located in time proportional to the pattern; otherwise the test
// exceeds the deadline of go test.
func TestErrorsOfLongPatterns(t *testing.T) {
	const size = 1 << 18
	long := func(text string) string { return strings.Repeat(text, size/len(text)) }
	for _, row := range []struct {
		pattern string
		syntax  match.Syntax
		at, n   int
	}{
		{long("abc|") + "*", match.Regexp, size, 1},
		{long("a*|b") + "|*", match.Regexp, size + 1, 1},
		{long(`a\by`) + `\y`, match.Regexp, size, 2},
		{long("(") + long(")"), match.Regexp, 0, 2 * size},
		{long("("), match.Regexp, size - 1, 1},
		{long("(?:a)") + ")", match.Regexp, size / 5 * 5, 1},
		{long("(?"), match.Regexp, 0, size},
		{long(`\p{`), match.Regexp, 0, size / 3 * 3},
		{long("["), match.Regexp, 0, 1},
		{"x{1001}" + long("{") + "**", match.Regexp, 7 + size, 2},
		{long("ab{20}") + "{1001}{7}", match.Regexp, size/6*6 - 4, 10},
		{"(?=a)" + long("(b)") + "(", match.Regexp, 5 + size/3*3, 1},
		{"(?=a)" + long("(a|") + "b" + strings.Repeat(")", size/3), match.Regexp, 0, 5 + size/3*4 + 1},
		{long("[") + "{", match.Glob, size, 1},
	} {
		_, err := match.New([]string{row.pattern}, match.Options{Syntax: row.syntax})
		var e *match.Error
		require.ErrorAs(t, err, &e, "%.20s", row.pattern)
		assert.Equal(t, []int{row.at, row.n}, []int{e.At, e.Len}, "%.20s: %s", row.pattern, e.Reason)
		assert.Less(t, len(e.Error()), 400)
	}
}

func TestAllAndDotted(t *testing.T) {
	for _, pattern := range []string{"", ".", ".*", "^", "$", "x*", "^.*$", "a|.*", "a|", "(?:)"} {
		m, err := match.New([]string{"foo", pattern}, match.Options{})
		require.NoError(t, err)
		assert.True(t, m.All(), pattern)
	}
	for pattern, dotted := range map[string]bool{
		`^\.`: true, `^\.git$`: true, `^(\.a|\.b)`: true, `^\.a|^\.b`: true, `^\.a|^b`: false, `\.`: false, `^.`: false,
		`^a`: false, "": false, `(^\.a)`: true, `^(?:\.)+a`: true, `^[.]x`: true, `^\.?x`: false,
	} {
		m, err := match.New([]string{pattern, `^\.z`}, match.Options{})
		require.NoError(t, err)
		assert.Equal(t, dotted, m.Dotted(), pattern)
	}
	for pattern, dotted := range map[string]bool{".*": true, "*.x": false, "{.a,.b}": true, "{.a,b}": false, "[.]a": true} {
		m, err := match.New([]string{pattern}, match.Options{Syntax: match.Glob})
		require.NoError(t, err)
		assert.Equal(t, dotted, m.Dotted(), pattern)
	}
	for syn, dotted := range map[match.Syntax]bool{match.Fixed: false, match.Exact: true} {
		m, err := match.New([]string{".git"}, match.Options{Syntax: syn})
		require.NoError(t, err)
		assert.Equal(t, dotted, m.Dotted())
	}
}

// TestBeyond has look-around and other syntax that package regexp does not
// support.
func TestBeyond(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		want          bool
	}{
		{`foo(?!bar)`, "foobaz", true},
		{`foo(?!bar)`, "foobar", false},
		{`^(?!.*test).*\.go$`, "main.go", true},
		{`^(?!.*test).*\.go$`, "main_test.go", false},
		{`(?<=a)b`, "ab", true},
		{`(?<!a)b`, "ab", false},
		{`(.)\1`, "hello", true},
		{`(.)\1`, "helo", false},
		{`(?<c>.)\k<c>`, "hello", true},
		{`(?P<c>.)(?P=c)`, "hello", true},
		{`^(?>a+)ab`, "aab", false},
		{`^a++ab`, "aab", false},
		{`^a?+b`, "ab", true},
		{`(?=é).`, "É", true},
		{`a(?=.b)`, "a\nb", true},
		{`a$(?!x)`, "a\n", false},
		{`(?=\xff)`, "\xff", false}, // an invalid byte is U+FFFD
		{`(?=\x{fffd})`, "\xff", true},
	} {
		fold := !match.HasUpper(row.pattern, match.Regexp)
		assert.Equal(t, row.want, matches(t, match.Options{Fold: fold}, row.text, row.pattern), "%+v", row)
	}
}

// A grammar generates expressions and texts over the same small alphabet.
type grammar struct{ *rand.Rand }

func (g grammar) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g grammar) char() string {
	return g.pick("a", "b", "c", "A", "k", "K", "s", "1", "_", "-", `\.`, "é", "É", "ſ", "\u212a", "語", "\ufffd", " ", `\n`, ";", "`")
}

func (g grammar) expression(depth int) string {
	if depth == 0 {
		return g.pick(g.char(), g.char(), g.char(), ".", "[a-c]", "[^a-k]", `\d`, `\w`, `\W`, `\s`, "[é-ü]", "[[:upper:]]", `\pL`, "[^é]",
			"^", "$", `\b`, `\B`, `\A`, `\z`, "(?m:^)", "(?m:$)", "(?-s:.)", "abc", "ks")
	}
	sub := func() string { return g.expression(g.IntN(depth)) }
	switch g.IntN(6) {
	case 0:
		return "(?:" + sub() + "|" + sub() + ")"
	case 1:
		return "(" + sub() + ")" + g.pick("*", "+", "?", "{2}", "{1,3}", "*?", "{0}", "{2,}")
	case 2:
		return g.pick("(?i:", "(?-i:", "(", "(?:") + sub() + ")"
	default:
		return sub() + sub()
	}
}

func (g grammar) text() string {
	var b strings.Builder
	for range g.IntN(12) {
		b.WriteString(g.pick(";", "\u037e", "`", "\u1fef", "a", "b", "c", "A", "B", "k", "K", "s", "S", "1", "_", "-", ".", "é", "É", "e\u0301",
			"ſ", "\u212a", "語", "\ufffd",
			"\n", " ", "\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "abc", "\x00"))
	}
	return b.String()
}

// plain generates a text in ASCII, with another byte now and then.
func (g grammar) plain() string {
	b := make([]byte, 1+g.IntN(40))
	for i := range b {
		b[i] = "abcABCkKsS1_-. z"[g.IntN(16)]
	}
	if g.IntN(8) == 0 {
		b[g.IntN(len(b))] = "\x00\x80\xff"[g.IntN(3)]
	}
	return string(b)
}

// TestMatchLikeRegexp compares Match with package regexp for random expressions
// and bytes. LDX_PAIRS=1000000 compares more pairs.
func TestMatchLikeRegexp(t *testing.T) {
	const each = 50
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Log("LDX_SEED =", seed)
	g := grammar{rand.New(rand.NewPCG(seed, 4))}
	for range dirtest.Setting(t, "LDX_PAIRS", uint64(100_000)) / each {
		patterns := []string{g.expression(3)}
		switch g.IntN(8) {
		case 0:
			patterns = []string{g.pick("", "^", ".*", "^.*") + g.pick("a_b", "ab", "c.a", "z", "-", "c_", "ks") +
				g.pick("", "$", ".*", ".*$", "[ab]", "(1|z)+")}
		case 1, 2:
			patterns = append(patterns, g.expression(2), g.char()+g.char())
		}
		fold := g.IntN(2) == 0
		re := reference(t, fold, patterns...)
		m, err := match.New(patterns, match.Options{Fold: fold})
		require.NoError(t, err)
		for range each {
			text := g.text()
			if g.IntN(2) == 0 {
				text = g.plain()
			}
			got, err := m.Match([]byte(text))
			require.NoError(t, err)
			if text != "" && got != re.MatchString(norm.NFC.String(text)) {
				t.Fatalf("patterns %q, fold %v, text %q: %v is wrong", patterns, fold, text, got)
			}
		}
	}
}

// If the names of a directory are absent, none of them matches. Literals and automata find that
// often.
func TestAbsent(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Log("LDX_SEED =", seed)
	g := grammar{rand.New(rand.NewPCG(seed, 6))}
	absent := map[match.Syntax]int{}
	for range dirtest.Setting(t, "LDX_ROUNDS", 20_000) {
		syn := match.Syntax(g.IntN(int(match.Suffix) + 1))
		patterns := []string{g.expression(3)}
		if syn != match.Regexp {
			patterns = []string{g.plain(), g.plain()}[:1+g.IntN(2)]
		}
		m, err := match.New(patterns, match.Options{Syntax: syn, Fold: g.IntN(2) == 0})
		if err != nil {
			require.NotEqual(t, match.Regexp, syn, err)
			continue
		}
		var names []byte
		found := ""
		for range g.IntN(8) {
			name := strings.ReplaceAll(g.plain(), "\x00", "")
			if g.IntN(8) == 0 {
				name = strings.NewReplacer("\x00", "", "/", "").Replace(g.text())
			}
			if name == "" {
				continue
			}
			names = append(append(names, name...), 0)
			if ok, err := m.Match([]byte(name)); ok && assert.NoError(t, err) {
				found = name
			}
		}
		if m.Absent(names, bytes.IndexFunc(names, func(r rune) bool { return r > unicode.MaxASCII }) < 0) {
			absent[syn]++
			require.Empty(t, found, "patterns %q of %d, names %q", patterns, syn, names)
		}
	}
	for syn := match.Regexp; syn <= match.Suffix; syn++ {
		assert.NotZero(t, absent[syn], "syntax %d", syn)
	}
	t.Log(absent)
}

// A literal is found wherever it is in the names of a directory.
func TestAbsentLiterals(t *testing.T) {
	for _, literal := range []string{"o", "so", "Zip", "main", "config", "bab"} {
		for syn, name := range map[match.Syntax]string{match.Fixed: literal + "x", match.Suffix: literal} {
			m, err := match.New([]string{literal}, match.Options{Syntax: syn, Fold: true})
			require.NoError(t, err)
			for before := range 40 {
				for after := range 20 {
					start := strings.Repeat("-", before)
					if before > 20 { // another name
						start = start[:20] + "\x00" + start[20:]
					}
					end := strings.Repeat("+\x00", after)
					names := []byte(start + strings.ToUpper(name) + "\x00" + end)
					require.False(t, m.Absent(names, true), "%q in %q", literal, names)
					names = []byte(start + "a" + name[1:] + "?\x00" + end)
					require.True(t, m.Absent(names, true), "%q in %q", literal, names)
				}
			}
		}
	}
}

// TestRegexp2LikeRegexp compares regexp2 with package regexp where both can run
// an expression. They differ on whether \W matches the long s and the Kelvin
// sign with case ignored.
func TestRegexp2LikeRegexp(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Log("LDX_SEED =", seed)
	g := grammar{rand.New(rand.NewPCG(seed, 5))}
	plain := strings.NewReplacer("ſ", "s", "\u212a", "k")
	for range 2000 {
		expression := plain.Replace(g.expression(3))
		fold := g.IntN(2) == 0
		re := reference(t, fold, expression)
		m, err := match.New([]string{"(?:" + expression + ")(?=)"}, match.Options{Fold: fold})
		require.NoError(t, err, expression)
		for range 10 {
			text := plain.Replace(g.text())
			got, err := m.Match([]byte(text))
			require.NoError(t, err)
			require.Equal(t, re.MatchString(norm.NFC.String(text)), got, "%q, fold %v, text %q", expression, fold, text)
		}
	}
}

// TestSetLikeLiterals compares a set with its literals one by one.
func TestSetLikeLiterals(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Log("LDX_SEED =", seed)
	g := grammar{rand.New(rand.NewPCG(seed, 6))}
	for range 2000 {
		fold := g.IntN(2) == 0
		var patterns []string
		for range 1 + g.IntN(30) {
			literal := strings.ReplaceAll(strings.ToValidUTF8(g.text(), ""), "\ufffd", "")
			if literal != "" {
				patterns = append(patterns, g.pick("", "", "^")+regexp.QuoteMeta(literal)+g.pick("", "", "$"))
			}
		}
		m, err := match.New(patterns, match.Options{Fold: fold})
		require.NoError(t, err)
		var references []*regexp.Regexp
		for _, p := range patterns {
			references = append(references, reference(t, fold, p))
		}
		for range 20 {
			text := g.text()
			want := slices.ContainsFunc(references, func(r *regexp.Regexp) bool {
				return r.MatchString(norm.NFC.String(text))
			})
			got, err := m.Match([]byte(text))
			require.NoError(t, err)
			require.Equal(t, want, got, "patterns %q, fold %v, text %q", patterns, fold, text)
		}
	}
}

// TestLargeSet has a set that is too large for its table.
func TestLargeSet(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 7))
	word := func() string {
		b := make([]byte, 4+g.IntN(8))
		for i := range b {
			b[i] = byte('a' + g.IntN(26))
		}
		return string(b)
	}
	known := map[string]bool{}
	var words []string
	for range 30_000 {
		w := word()
		known[w] = true
		words = append(words, w)
	}
	m, err := match.New(words, match.Options{Syntax: match.Exact})
	require.NoError(t, err)
	anywhere, err := match.New(words, match.Options{Syntax: match.Fixed, Fold: true})
	require.NoError(t, err)
	for i := range 30_000 {
		w := word()
		if i%2 == 0 {
			w = words[i]
		}
		got, _ := m.Match([]byte(w))
		require.Equal(t, known[w], got, w)
		want := false
		for from := range w {
			for to := from + 4; to <= len(w); to++ {
				want = want || known[w[from:to]]
			}
		}
		got, _ = anywhere.Match([]byte(strings.ToUpper(w)))
		require.Equal(t, want, got, w)
	}
}

// TestFullAutomaton has an automaton without room for more states.
func TestFullAutomaton(t *testing.T) {
	const pattern = `[ab].{14}[cd].{3}[ab]$|x.{15}[ab].{2}c`
	m, err := match.New([]string{pattern}, match.Options{})
	require.NoError(t, err)
	re := regexp.MustCompile(pattern)
	r := rand.New(rand.NewPCG(8, 8))
	for range 20_000 {
		text := make([]byte, 60)
		for i := range text {
			text[i] = "abcdx"[r.IntN(5)]
		}
		got, err := m.Match(text)
		require.NoError(t, err)
		require.Equal(t, re.Match(text), got, "%s", text)
	}
	states, limit := match.DFAStates(m)
	assert.InDelta(t, limit, states, 1, "it should be full")
}

// TestFullAutomatonOfRepeats has one whose expression is at the parser's
// limits.
func TestFullAutomatonOfRepeats(t *testing.T) {
	for _, patterns := range [][]string{{`[ab].{0,900}[cd].{20}x`}, {`[ab].{0,900}[cd].{20}x`, `z.{20}y$`}} {
		m, err := match.New(patterns, match.Options{Fold: true})
		require.NoError(t, err)
		re := reference(t, true, patterns...)
		r := rand.New(rand.NewPCG(10, 10))
		for range 1000 {
			text := make([]byte, 80)
			for i := range text {
				text[i] = "abcdxyz"[r.IntN(7)]
			}
			got, err := m.Match(text)
			require.NoError(t, err)
			require.Equal(t, re.Match(text), got, "%s", text)
		}
	}
}

// TestConcurrent shares a Matcher among many workers.
func TestConcurrent(t *testing.T) {
	const pattern = `(a|b)+\d.*(x|y)\b`
	m, err := match.New([]string{pattern}, match.Options{})
	require.NoError(t, err)
	re := regexp.MustCompile(pattern)
	var workers sync.WaitGroup
	for n := range 8 {
		workers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 9))
			for range 2000 {
				text := fmt.Sprintf("%c%c%d%c%c", 'a'+r.IntN(3), 'a'+r.IntN(3), r.IntN(100), 'w'+r.IntN(3), " .xé"[r.IntN(4)])
				if got, err := m.Match([]byte(text)); err != nil || got != re.MatchString(text) {
					t.Errorf("%q: %v, %v", text, got, err)
				}
			}
		})
	}
	workers.Wait()
}

func TestNoAllocation(t *testing.T) {
	texts := [][]byte{
		[]byte("main_test.go"), []byte("a-long-name-of-more-than-32-bytes-in-all.tar.gz"), []byte("café"), []byte("x\xff"),
		[]byte("ab"),
	}
	for _, patterns := range [][]string{
		{"main"},
		{"(?i)main"},
		{`\.go$`},
		{"a", "b", "zzz"},
		{`[0-9]+.*x`},
		{`^lib.*\.so$`},
		{`\.(jpe?g|png)$`},
	} {
		m, err := match.New(patterns, match.Options{Fold: len(patterns) > 1})
		require.NoError(t, err)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			for _, text := range texts {
				_, _ = m.Match(text)
			}
		}), patterns)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("main", "MAIN.go", true)
	f.Add(`\.go$`, "a.go", false)
	f.Add(`^\Qa.b\E`, "a.b", true)
	f.Add("[k-s]+", "\u212a", true)
	f.Add(`\b(?m:^)x{2,}?$`, "xx\n\xff", false)
	f.Fuzz(func(t *testing.T, pattern, text string, fold bool) {
		m, err := match.New([]string{pattern}, match.Options{Fold: fold})
		e, ok := errors.AsType[*match.Error](err)
		if err != nil && !ok {
			t.Fatalf("pattern %q: %v is no Error", pattern, err)
		}
		if ok && (e.At < 0 || e.Len < 0 || e.At+e.Len > len(e.Pattern)) {
			t.Fatalf("pattern %q: %+v is not in it", pattern, e)
		}
		_ = match.HasUpper(pattern, match.Regexp)
		flags := "(?s)"
		if fold {
			flags = "(?is)"
		}
		re, reErr := regexp.Compile(flags + norm.NFC.String(pattern))
		if reErr != nil || err != nil {
			if reErr == nil && !e.TooLarge {
				t.Fatalf("pattern %q: %v", pattern, err)
			}
			return
		}
		got, err := m.Match([]byte(text))
		if want := re.MatchString(norm.NFC.String(text)); err != nil || text != "" && got != want {
			t.Fatalf("pattern %q, text %q: regexp says %v", pattern, text, want)
		}
	})
}

// FuzzGlobExpression checks that globs translate to valid expressions.
func FuzzGlobExpression(f *testing.F) {
	f.Add("*.{c,h}", "a.c", false)
	f.Add("**/[!a-z]?", "a/B1", true)
	f.Add(`[[:alpha:]\]]`, "]", false)
	f.Fuzz(func(t *testing.T, glob, text string, path bool) {
		m, err := match.New([]string{glob}, match.Options{Syntax: match.Glob, Path: path})
		if e, ok := errors.AsType[*match.Error](err); err != nil && (!ok || e.At < 0 || e.Len < 0 || e.At+e.Len > len(e.Pattern)) {
			t.Fatalf("glob %q: %v", glob, err)
		}
		if err == nil && !strings.ContainsAny(glob, "*?[{\\") && text != "" {
			if got, _ := m.Match([]byte(text)); got != (norm.NFC.String(text) == norm.NFC.String(glob)) {
				t.Fatalf("glob %q, text %q: %v", glob, text, got)
			}
		}
	})
}
