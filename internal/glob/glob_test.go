package glob

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMatch has git's own cases (t/t3070-wildmatch.sh), for paths (wildmatch
// there) and names (fnmatch there), and similar ones.
func TestMatch(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		path, name    bool // matches
	}{
		{"foo", "foo", true, true},
		{"bar", "foo", false, false},
		{"", "", true, true},
		{"???", "foo", true, true},
		{"??", "foo", false, false},
		{"*", "foo", true, true},
		{"f*", "foo", true, true},
		{"*f", "foo", false, false},
		{"*foo*", "foo", true, true},
		{"*ob*a*r*", "foobar", true, true},
		{"*ab", "aaaaaaabababab", true, true},
		{`foo\*`, "foo*", true, true},
		{`foo\*bar`, "foobar", false, false},
		{`f\\oo`, `f\oo`, true, true},
		{"*[al]?", "ball", true, true},
		{"[ten]", "ten", false, false},
		{"**[!te]", "ten", true, true},
		{"**[!ten]", "ten", false, false},
		{"t[a-g]n", "ten", true, true},
		{"t[!a-g]n", "ten", false, false},
		{"t[!a-g]n", "ton", true, true},
		{"t[^a-g]n", "ton", true, true},
		{"a[]]b", "a]b", true, true},
		{"a[]-]b", "a-b", true, true},
		{"a[]-]b", "a]b", true, true},
		{"a[]-]b", "aab", false, false},
		{"a[]a-]b", "aab", true, true},
		{"]", "]", true, true},
		{"foo*bar", "foo/baz/bar", false, true},
		{"foo**bar", "foo/baz/bar", false, true},
		{"foo?bar", "foo/bar", false, true},
		{"foo[/]bar", "foo/bar", false, true},
		{"foo[^a-z]bar", "foo/bar", false, true},
		{"f[^eiu][^eiu][^eiu][^eiu][^eiu]r", "foo/bar", false, true},
		{"**/foo", "foo", true, false},
		{"**/foo", "XXX/foo", true, true},
		{"**/foo", "bar/baz/foo", true, true},
		{"*/foo", "bar/baz/foo", false, true},
		{"**/bar*", "foo/bar/baz", false, true},
		{"**/bar/*", "deep/foo/bar/baz", true, true},
		{"**/bar/**", "deep/foo/bar/baz/", true, true},
		{"**/bar/*", "deep/foo/bar", false, false},
		{"*/bar/**", "foo/bar/baz/x", true, true},
		{"*/bar/**", "deep/foo/bar/baz/x", false, true},
		{"**/bar/*/*", "deep/foo/bar/baz/x", true, true},
		{"foo/**/bar", "foo/bar", true, false},
		{"foo/**/**/bar", "foo/b/a/z/bar", true, true},
		{"foo/**/**/bar", "foo/bar", true, false},
		{"**foo", "a/foo", false, true},
		{"a**/b", "ax/y/b", true, true}, // stars as the first special character
		{"a**/b", "ab", true, false},
		{"x?a**/b", "xxax/y/b", false, true},
		{"[a-c]b*", "aaab", false, false},
		{"[[:alpha:]][[:digit:]][[:upper:]]", "a1B", true, true},
		{"[[:digit:][:upper:][:space:]]", "a", false, false},
		{"[[:digit:][:upper:][:space:]]", "A", true, true},
		{"[[:digit:][:punct:][:space:]]", "_", true, true},
		{"[a-c[:digit:]x-z]", "5", true, true},
		{"[a-c[:digit:]x-z]", "q", false, false},
		{`[\\-^]`, "]", true, true},
		{`[\\-^]`, "[", false, false},
		{`[\-_]`, "-", true, true},
		{`[\]]`, "]", true, true},
		{"a[ -b]c", "a-c", true, true},
		{"[--A]", "5", true, true},
		{"[,-.]", "-", true, true},
		{"[+--]", "-", true, true},
		{"[[:]", ":", true, true},
		{"[[:a]", "[", true, true},
		{"[a-]", "-", true, true},
		{"[!]a-]", "]", false, false},
		{"[\\1-\\3]", "2", true, true},
		{"{a,b}", "{a,b}", true, true},
		{"{a,b}", "a", false, false},
		{"-*-*-*-*-*-*-12-*-*-*-m-*-*-*", "-adobe-courier-bold-o-normal--12-120-75-75-m-70-iso8859-1", true, true},
		{"-*-*-*-*-*-*-12-*-*-*-m-*-*-*", "-adobe-courier-bold-o-normal--12-120-75-75-X-70-iso8859-1", false, false},
		{"**/*a*b*g*n*t", "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txt", true, true},
		{"**/*a*b*g*n*t", "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txtz", false, false},
		{"a\xff*", "a\xff\xfe", true, true},
		{"[\x80-\xff]", "\xc3", true, true},
		{"?", "é", false, false}, // two bytes, as for git
	} {
		assert.Equal(t, row.path, mustCompile(t, row.pattern, Options{Path: true}).Match([]byte(row.text)),
			"path: %q on %q", row.pattern, row.text)
		assert.Equal(t, row.name, mustCompile(t, row.pattern, Options{}).Match([]byte(row.text)), "name: %q on %q", row.pattern, row.text)
	}
}

func TestMatchFold(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		git, shell    bool
	}{
		{"foo.C", "FOO.c", true, true},
		{"*Foo", "barFOO", true, true},
		{"[A-C]x", "bX", true, true},
		{"[A]x", "aX", false, true},
		{`\Ax`, "Ax", false, true},
		{"[[:upper:]]", "a", true, true},
		{"[!a]", "A", false, false},
		{"é", "É", false, false},
	} {
		assert.Equal(t, row.git, mustCompile(t, row.pattern, Options{Fold: true}).Match([]byte(row.text)), "%q on %q", row.pattern, row.text)
		assert.Equal(t, row.shell, mustCompile(t, row.pattern, Options{Fold: true, Shell: true}).Match([]byte(row.text)),
			"%q on %q", row.pattern, row.text)
	}
}

func TestMatchShell(t *testing.T) {
	for pattern, texts := range map[string]string{
		"*.{c,h}":        "a.c a.h -a.ch -a. -a.{c,h}",
		"{a,b}{c,d}":     "ac ad bc bd -ab -c",
		"x{,y,}z":        "xz xyz -x",
		"{a{b,c},d}":     "ab ac d -a -abd",
		"{}":             "-{} -a",
		"{a}":            "a -{a}",
		`\{a,b\}`:        "{a,b} -a",
		"[{]a}":          "{a} -a",
		"a[b":            "a[b -ab",
		"[":              "[ -]",
		"src/{**/a,b}.c": "src/a.c src/x/y/a.c src/b.c -src/x/b.c",
		"{src,lib}/**":   "src/a lib/b/c -bin/a",
		"*.tar.{gz,*z*}": "a.tar.gz a.tar.bz2 -a.tar.xx",
	} {
		g := mustCompile(t, pattern, Options{Path: true, Shell: true})
		for text := range strings.FieldsSeq(texts) {
			text, not := strings.CutPrefix(text, "-")
			assert.Equal(t, !not, g.Match([]byte(text)), "%q on %q", pattern, text)
		}
	}
}

func mustCompile(t testing.TB, pattern string, opt Options) *Glob {
	t.Helper()
	g, err := Compile(pattern, opt)
	require.NoError(t, err, "%q", pattern)
	return g
}

func TestCompileErrors(t *testing.T) {
	for _, pattern := range []string{`a\`, "[", "[a", "[]", "[!]", "[[:alpha:]", `[\`, "[a-", "[[:alph:]]", "[[::]]", "a/[b"} {
		_, err := Compile(pattern, Options{Path: true})
		assert.Error(t, err, "%q", pattern)
	}
	for _, pattern := range []string{`a\`, "{a", "a{b{c}", "[[:alph:]]"} {
		_, err := Compile(pattern, Options{Shell: true})
		assert.Error(t, err, "%q", pattern)
	}
}

// TestLong matches globs on which a backtracking matcher takes exponential
// time, and globs with more states than fit in one word.
func TestLong(t *testing.T) {
	text := []byte(strings.Repeat("a", 20_000))
	assert.False(t, mustCompile(t, strings.Repeat("a*", 30)+"b?", Options{}).Match(text))
	assert.True(t, mustCompile(t, strings.Repeat("*a", 300)+"?", Options{}).Match(text))
	assert.False(t, mustCompile(t, "**/"+strings.Repeat("a*/**/", 40)+"b?", Options{Path: true}).Match([]byte(strings.Repeat("a/", 2000))))
	assert.True(t, mustCompile(t, strings.Repeat("{a,", 1000)+"?"+strings.Repeat("}", 1000), Options{Shell: true}).Match([]byte("a")))
}

// TestLongGlobs compiles long globs of every kind, and matches with the valid
// ones. Quadratic time would exceed the deadline of go test.
func TestLongGlobs(*testing.T) {
	text := []byte(strings.Repeat("ab/[", 60))
	for _, part := range []string{
		"a", "*", "a*", "?*", "**/", "**/a/", "[", "[a", "[a]", "[[:", "[:alpha:]", "[[:alpha:]]*", `\`, `\[`, "{",
		"{a,", "{a}", "{a,b}*", "]", "a-",
	} {
		for _, begin := range []string{"", "[", strings.Repeat("x", 200_000)} {
			for _, opt := range []Options{{Path: true}, {Shell: true}} {
				pattern := begin + strings.Repeat(part, 200_000/len(part))
				if g, err := Compile(pattern, opt); err == nil {
					g.Match(text)
				}
			}
		}
	}
}

// slow defines the meaning of a git glob by backtracking. before reports
// whether p is at the beginning of a path's element.
func slow(p, text string, path, before bool) bool {
	if p == "" {
		return text == ""
	}
	some := func(take func(b byte) bool, rest string) bool {
		return text != "" && take(text[0]) && slow(rest, text[1:], path, false)
	}
	switch p[0] {
	case '*':
		rest := strings.TrimLeft(p, "*")
		ends := rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)
		crosses := !path || len(p)-len(rest) > 1 && before && ends
		if crosses && path && strings.HasPrefix(rest, "/") && slow(rest[1:], text, path, true) {
			return true
		}
		for i := 0; ; i++ {
			if slow(rest, text[i:], path, false) {
				return true
			}
			if i == len(text) || !crosses && text[i] == '/' {
				return false
			}
		}
	case '?':
		return some(func(b byte) bool { return !path || b != '/' }, p[1:])
	case '[':
		in, size := slowSet(p)
		return some(func(b byte) bool { return (!path || b != '/') && in[b] }, p[size:])
	case '\\':
		return text != "" && text[0] == p[1] && slow(p[2:], text[1:], path, p[1] == '/')
	case '/':
		return text != "" && text[0] == '/' && slow(p[1:], text[1:], path, true)
	}
	return some(func(b byte) bool { return b == p[0] }, p[1:])
}

// slowSet parses a closed set without classes.
func slowSet(p string) (in [256]bool, size int) {
	var items []int // characters, or -1 for an unescaped "-"
	not := p[1] == '!' || p[1] == '^'
	i := 1
	if not {
		i++
	}
	for n := 0; n == 0 || p[i] != ']'; n++ {
		switch p[i] {
		case '\\':
			i++
			items = append(items, int(p[i]))
		case '-':
			items = append(items, -1)
		default:
			items = append(items, int(p[i]))
		}
		i++
	}
	for n := 0; n < len(items); n++ {
		lo := items[n]
		if lo < 0 {
			lo = '-'
		}
		hi := lo
		if n+2 < len(items) && items[n+1] < 0 {
			if hi = items[n+2]; hi < 0 {
				hi = '-'
			}
			n += 2
			in[lo] = true // even if hi is lower
		}
		for b := lo; b <= hi; b++ {
			in[b] = true
		}
	}
	if not {
		for b := range in {
			in[b] = !in[b]
		}
	}
	return in, i + 1
}

func FuzzGlob(f *testing.F) {
	for _, seed := range []struct{ pattern, text string }{
		{"**/*a*b*g*n*t", "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txt"},
		{"a**/b", "ax/b"},
		{`[]-a\]!]x\*`, "]x*"},
		{"foo/**/**/bar/***", "foo/bar/x"},
		{"[[:alpha:]-z]", "-"},
		{"{a,{b,c}*}.{d,}", "bx.d"},
	} {
		f.Add(seed.pattern, seed.text, true, false)
		f.Add(seed.pattern, seed.text, false, true)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, path, shell bool) {
		if len(pattern) > 24 || len(text) > 24 || !path && strings.Contains(text, "/") {
			t.Skip() // slow takes exponential time
		}
		g, err := Compile(pattern, Options{Path: path, Shell: shell})
		_, foldErr := Compile(pattern, Options{Path: path, Shell: shell, Fold: true})
		require.Equal(t, err == nil, foldErr == nil)
		if err != nil {
			return
		}
		compareSet(t, g, pattern, text)
		if shell || strings.Contains(pattern, "[:") {
			g.Match([]byte(text))
			return
		}
		first := strings.IndexAny(pattern, `*?[\`)
		want := first < 0 && pattern == text
		if first >= 0 {
			want = strings.HasPrefix(text, pattern[:first]) && slow(pattern[first:], text[first:], path, true)
		}
		require.Equal(t, want, g.Match([]byte(text)), "%q on %q, path %v", pattern, text, path)
	})
}

// compareSet compares a Set of one member with that member.
func compareSet(t *testing.T, g *Glob, pattern, text string) {
	if strings.HasSuffix(text, "/") {
		return // paths do not end in a slash
	}
	subject := subject(text)
	got := NewSet([]Member{{Glob: g}}).Last(subject, "")
	tried := text
	if !g.path {
		tried = string(subject.name)
	}
	require.Equal(t, g.Match([]byte(tried)), got == 0, "a set with %q on %q", pattern, tried)
}

func subject(path string) *Subject {
	s := &Subject{AppendPath: func(b []byte) []byte { return append(b, path...) }}
	s.Reset([]byte(path[strings.LastIndexByte(path, '/')+1:]), strings.HasPrefix(path, "d"))
	return s
}

// TestSlow is like FuzzGlob, with short random globs over a small alphabet,
// which match more often.
func TestSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pick := func(from string, maxLen int) string {
		b := make([]byte, r.IntN(maxLen+1))
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	matched := 0
	for range 300_000 {
		pattern, text := pick(`**?//ab[-!]\`, 9), pick("/aab-]", 8)
		path := strings.Contains(text, "/") || r.IntN(2) == 0
		g, err := Compile(pattern, Options{Path: path})
		if err != nil {
			continue
		}
		first := strings.IndexAny(pattern, `*?[\`)
		want := pattern == text
		if first >= 0 {
			want = strings.HasPrefix(text, pattern[:first]) && slow(pattern[first:], text[first:], path, true)
		}
		if want {
			matched++
		}
		require.Equal(t, want, g.Match([]byte(text)), "%q on %q, path %v", pattern, text, path)
		compareSet(t, g, pattern, text)
	}
	require.Greater(t, matched, 5_000)
}

// TestSet compares a Set with its members one by one.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	atoms := []string{
		"a", "b", "*", "*foo*", "ooba", "foo", "barbarbarbar", "build-", ".o", ".tar.gz", "*", "?", "[ab]",
		"1", "~", "X", "日本",
	}
	some := func(n int) (s string) {
		for range 1 + r.IntN(n) {
			s += atoms[r.IntN(len(atoms))]
		}
		return s
	}
	for range 300 {
		var members []Member
		fold := r.IntN(4) == 0
		for range r.IntN(40) {
			pattern := some(3)
			path := r.IntN(3) == 0
			if path {
				pattern = []string{"**/", "", some(2) + "/", some(2) + "**/", some(1) + "**/**/"}[r.IntN(5)] + pattern +
					[]string{"/**", "", "/" + some(2)}[r.IntN(3)]
			}
			members = append(members, Member{mustCompile(t, pattern, Options{Path: path, Fold: fold}), r.IntN(5) == 0})
		}
		set := NewSet(members)
		for range 200 {
			path := some(3) + []string{"", "/" + some(3), "/a/" + some(2)}[r.IntN(3)]
			s := subject(path)
			want := -1
			for i, m := range members {
				if (!m.Dirs || s.dir) && (m.Glob.path && m.Glob.Match([]byte(path)) || !m.Glob.path && m.Glob.Match(s.name)) {
					want = i
				}
			}
			require.Equal(t, want, set.Last(s, ""), path)
		}
	}
}

// TestSetJoined has stars that continue an element: what follows the last slash
// of the glob is then not a whole element.
func TestSetJoined(t *testing.T) {
	for _, pattern := range []string{"a**/b", "a**/**/b", "a**/b*", "a**/**/b*", "a**/*b"} {
		set := NewSet([]Member{{Glob: mustCompile(t, pattern, Options{Path: true})}})
		assert.Equal(t, 0, set.Last(subject("ab"), ""), pattern)
		assert.Equal(t, 0, set.Last(subject("ax/y/b"), ""), pattern)
	}
}

// TestSetBase matches paths relative to a base.
func TestSetBase(t *testing.T) {
	set := NewSet([]Member{{Glob: mustCompile(t, "b/c", Options{Path: true})}})
	assert.Equal(t, 0, set.Last(subject("a/b/c"), "a/"))
	assert.Equal(t, -1, set.Last(subject("a/b/c"), ""))
	assert.Equal(t, -1, set.Last(subject("a/b/c"), "x/"))
}

// BenchmarkSet matches a name against many rules.
func BenchmarkSet(b *testing.B) {
	for _, n := range []int{0, 10, 5000} {
		members := make([]Member, n)
		for i := range members {
			pattern := fmt.Sprintf([]string{"name%d", "*.e%d", "pre%d*", "*suf%d", "d/e%d/*.c"}[i%5], i)
			members[i].Glob = mustCompile(b, pattern, Options{Path: i%5 == 4})
		}
		set := NewSet(members)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := subject("internal/glob/set_test.go")
			for b.Loop() {
				s.Reset(s.name, false)
				set.Last(s, "")
			}
		})
	}
}
