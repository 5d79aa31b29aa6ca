package match_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/match"
)

// found returns what some groups match in a text, each in brackets, or - if it takes no part.
func found(t *testing.T, g *match.Groups, text string, names ...string) (all string) {
	t.Helper()
	indexes := make([]int, len(names))
	for i, name := range names {
		var ok bool
		indexes[i], ok = g.LookUp(name)
		require.True(t, ok, name)
	}
	parts, err := g.Find([]byte(text))
	require.NoError(t, err)
	for _, i := range indexes {
		if parts[i] == nil {
			all += "-"
		} else {
			all += "[" + string(parts[i]) + "]"
		}
	}
	return all
}

func TestGroups(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		fold          bool
		groups        []string
		want          string
	}{
		{`(\d+)-(\d+)`, "a2024-05", false, []string{"1", "2", "1"}, "[2024][05][2024]"},
		{`(?P<y>\d+)-(?<m>\d+)`, "2024-05", false, []string{"m", "y", "2"}, "[05][2024][05]"},
		{`(a)|(b)`, "b", false, []string{"1", "2"}, "-[b]"},
		{`(a*)b`, "b", false, []string{"1"}, "[]"},
		{`(A)`, "a", true, []string{"1"}, "[a]"},
		{`(.)x`, "\xffx", false, []string{"1"}, "[\xff]"},
		{`(?s)(.*)`, "a\nb", false, []string{"1"}, "[a\nb]"},
		{`plain`, "plain", false, nil, ""},
		// Normal forms: whole characters, as the text has them.
		{`(é)`, "xe\u0301y", false, []string{"1"}, "[e\u0301]"},
		{`(.)y()`, "xe\u0301y", false, []string{"1", "2"}, "[e\u0301][]"},
		{`(.*)(z)`, "é\u0327e\u0301\xff e\u0301z", false, []string{"1", "2"}, "[é\u0327e\u0301\xff e\u0301][z]"},
		// Beyond regular expressions, which number groups in the same way.
		{`(?=x)(.)(?<n>.)(.)`, "xyz", false, []string{"1", "2", "3", "n"}, "[x][y][z][y]"},
		{`(?<n>.)(.)\1`, "aba", false, []string{"1", "2", "n"}, "[a][b][a]"},
		{`(?!q)(.)(é)(q)?`, "\xffe\u0301", false, []string{"1", "2", "3"}, "[\xff][e\u0301]-"},
		{`(?!q)(a)`, "bA", true, []string{"1"}, "[A]"},
		{`(a){0,3000}(?P<b>b)`, "aab", false, []string{"1", "2", "b"}, "[a][b][b]"},
	} {
		g, err := match.NewGroups([]string{row.pattern}, nil, match.Options{Fold: row.fold})
		require.NoError(t, err, row.pattern)
		assert.Equal(t, row.want, found(t, g, row.text, row.groups...), "%s in %q", row.pattern, row.text)
	}
}

// The groups of several patterns: those of the first that matches, and those with names that all must match.
func TestGroupsOfSeveral(t *testing.T) {
	g, err := match.NewGroups([]string{`a(?<x>.)`, `(b)(?<y>.)`}, []string{`(c)(?<z>.)(?<x>.)`}, match.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "y", "z"}, g.Names())
	assert.Equal(t, 2, g.Len())
	for _, missing := range []string{"0", "3", "-1", "w", ""} {
		_, ok := g.LookUp(missing)
		assert.False(t, ok, missing)
	}
	groups := []string{"1", "2", "x", "y", "z"}
	assert.Equal(t, "[1]-[1]-[3]", found(t, g, "a1b2c34", groups...))
	assert.Equal(t, "[b][2][4][2][3]", found(t, g, "b2c34", groups...))
	assert.Equal(t, "-----", found(t, g, "q", groups...))
}

// FuzzGroups compares groups with those of package regexp, and those of the backtracking matcher with these.
func FuzzGroups(f *testing.F) {
	f.Add(`(\d+)-((?:a|b)*)`, "12-ab")
	f.Add(`(?P<x>.)(y)?`, "\xffe\u0301y")
	f.Add(`(a|ab)(c|bcd)(d*)`, "abcd")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile("(?s)" + pattern)
		ascii := func(s string) bool {
			for i := range len(s) {
				if s[i] >= 0x80 || s[i] == 0 {
					return false
				}
			}
			return true
		}
		if err != nil || !ascii(pattern) || re.NumSubexp() == 0 || re.NumSubexp() > 9 {
			return
		}
		g, err := match.NewGroups([]string{pattern}, nil, match.Options{})
		if err != nil {
			return
		}
		require.Equal(t, re.NumSubexp(), g.Len())
		want := re.FindStringSubmatch(text)
		at := re.FindStringSubmatchIndex(text)
		for n := 1; n <= g.Len(); n++ {
			i, ok := g.LookUp(strconv.Itoa(n))
			require.True(t, ok)
			parts, err := g.Find([]byte(text))
			require.NoError(t, err)
			switch {
			case !ascii(text): // in any normal form: no panic
			case want == nil || at[2*n] < 0:
				require.Nil(t, parts[i], "%d", n)
			default:
				require.Equal(t, want[n], string(parts[i]), "%d", n)
			}
		}
	})
}
