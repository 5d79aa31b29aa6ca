package match_test

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/match"
)

func TestSmartCase(t *testing.T) {
	for pattern, sensitive := range map[string]bool{
		"readme": false, "README": true, "Readme": true, "é": false, "É": true,
		`\W`: false, `\Sx`: false, `\Afoo\z`: false, `\pL`: false, `\PL`: false, `\p{Lu}`: false, `\x4A`: false,
		`\x{4A}`: false, `\x41B`: true, `\pLA`: true, `\p{Lu}A`: true, `\QABC\E`: true, `\Qabc\ED`: true,
		`\Qabc\Ed`: false, `(?P<Name>x)`: false, `(?<Name>x)`: false, `(?P<n>X)`: true, `(?U)x+`: false,
		`(?:X)`: true, `[A-Z]`: true, `[a-z]`: false, `[[:alpha:]]`: false, `\\A`: true, `\.A`: true,
	} {
		smart, err := match.New(pattern, match.Smart)
		require.NoError(t, err, pattern)
		as := match.Insensitive
		if sensitive {
			as = match.Sensitive
		}
		want, err := match.New(pattern, as)
		require.NoError(t, err)
		assert.Equal(t, want, smart, "%s: sensitive should be %v", pattern, sensitive)
	}
}

// Each row of the table is first proved with package regexp.
func TestMatch(t *testing.T) {
	for _, row := range []struct {
		pattern string
		c       match.Case
		name    string
		want    bool
	}{
		{"", match.Smart, "x", true},
		{".", match.Smart, "\n", true},
		{".", match.Smart, "\xff", true},
		{"main", match.Smart, "MAIN.go", true},
		{"Main", match.Smart, "main.go", false},
		{`\.go$`, match.Smart, "x.GO", true},
		{`\.go$`, match.Smart, "x.gox", false},
		{`^main`, match.Smart, "main.go", true},
		{`^main`, match.Smart, "domain", false},
		{`^main$`, match.Smart, "main", true},
		{`^main$`, match.Smart, "main2", false},
		{`^a`, match.Smart, "", false},
		{"k", match.Insensitive, "\u212a", true}, // the Kelvin sign
		{"s$", match.Insensitive, "x\u017f", true},
		{"é", match.Smart, "É", true},
		{"é", match.Sensitive, "É", false},
		{"\ufffd", match.Sensitive, "\xff", true},
		{"a.c", match.Smart, "a\nc", true},
		{"a|b", match.Smart, "xbx", true},
		{"lib.*\\.so", match.Smart, "libc.so.6", true},
	} {
		m, err := match.New(row.pattern, row.c)
		require.NoError(t, err)
		assert.Equal(t, row.want, reference(t, row.pattern, row.c).MatchString(row.name), "regexp: %+v", row)
		assert.Equal(t, row.want, m.Match([]byte(row.name)), "%+v", row)
	}
}

func reference(t testing.TB, pattern string, c match.Case) *regexp.Regexp {
	t.Helper()
	flags := "(?s)"
	if c == match.Insensitive || c == match.Smart && pattern == strings.ToLower(pattern) {
		flags = "(?is)"
	}
	re, err := regexp.Compile(flags + pattern)
	require.NoError(t, err)
	return re
}

func TestError(t *testing.T) {
	_, err := match.New("a[", match.Smart)
	var syntaxErr *syntax.Error
	assert.ErrorAs(t, err, &syntaxErr)
}

// The quick ways find what regexp finds, whatever the bytes.
func TestMatchIsThatOfRegexp(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	pieces := []string{"a", "A", "k", "K", "s", "S", "\u212a", "\u017f", "é", "É", "\xff", "\xc3", ".", "\n", "x", "\ufffd"}
	random := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 20_000 {
		literal := strings.ToValidUTF8(random(4), "")
		pattern := []string{"", "^"}[r.IntN(2)] + regexp.QuoteMeta(literal) + []string{"", "$"}[r.IntN(2)]
		c := []match.Case{match.Sensitive, match.Insensitive}[r.IntN(2)]
		m, err := match.New(pattern, c)
		require.NoError(t, err)
		re := reference(t, pattern, c)
		for range 5 {
			name := random(8)
			if name == "" {
				continue // no name is empty
			}
			require.Equal(t, re.MatchString(name), m.Match([]byte(name)), "pattern %q, case %d, name %q", pattern, c, name)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("main", "MAIN.go", true)
	f.Add(`\.go$`, "a.go", false)
	f.Add(`^\Qa.b\E`, "a.b", true)
	f.Add("[k-s]+", "\u212a", true)
	f.Fuzz(func(t *testing.T, pattern, name string, fold bool) {
		c, flags := match.Sensitive, "(?s)"
		if fold {
			c, flags = match.Insensitive, "(?is)"
		}
		re, reErr := regexp.Compile(flags + pattern)
		m, err := match.New(pattern, c)
		if (err == nil) != (reErr == nil) {
			t.Fatalf("pattern %q: %v, but regexp: %v", pattern, err, reErr)
		}
		if err == nil && name != "" && m.Match([]byte(name)) != re.MatchString(name) {
			t.Fatalf("pattern %q, name %q: regexp says %v", pattern, name, re.MatchString(name))
		}
		_, _ = match.New(pattern, match.Smart)
	})
}

func BenchmarkMatch(b *testing.B) {
	name := []byte("a-name-of-20-bytes.c")
	for _, pattern := range []string{"bytes", `\.go$`, "Bytes", `[0-9].*\.c$`} {
		m, err := match.New(pattern, match.Smart)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(pattern, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Match(name)
			}
		})
	}
}
