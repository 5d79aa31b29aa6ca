package match_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/match"
)

// TestLargeCounts compares counts beyond those of package regexp with
// expressions written out.
func TestLargeCounts(t *testing.T) {
	x := strings.Repeat
	for _, row := range []struct {
		pattern, expanded string
		near              int // a count near which the answer changes
	}{
		{`^x{1001}$`, `^` + x("x", 1001) + `$`, 1001},
		{`^x{1200}$`, `^` + x("x", 1200) + `$`, 1200},
		{`^x{2000}$`, `^` + x("x", 2000) + `$`, 2000},
		{`^x{1001,}$`, `^` + x("x", 1001) + `x*$`, 1001},
		{`^x{2000,}$`, `^` + x("x", 2000) + `x*$`, 2000},
		{`^x{2,1200}$`, `^xx` + x("x?", 1198) + `$`, 1200},
		{`^x{0,1001}$`, `^` + x("x?", 1001) + `$`, 1001},
		{`^x{1001}?$`, `^` + x("x", 1001) + `$`, 1001},
		{`^x{1001,}?y$`, `^` + x("x", 1001) + `x*y$`, 1001},
		{`^(((x{10}){10}){10}){10}$`, `^` + x("x", 10000) + `$`, 10000},
		{`^(?:(?:x{7}){12}y){13}$`, `^` + x(x("x", 84)+"y", 13) + `$`, 13},
		{`^(?:x{600}|yx{2}){2}$`, `^(?:` + x("x", 600) + `|yxx)(?:` + x("x", 600) + `|yxx)$`, 1200},
		{`^wx{1001}[x-y]*$`, `^w` + x("x", 1001) + `[x-y]*$`, 1001},
		{`^[]x]{1001}$`, `^` + x("[]x]", 1001) + `$`, 1001},
		{`^[^]w]{1001}$`, `^` + x("[^]w]", 1001) + `$`, 1001},
		{`^\Qwx\E{1001}$`, `^w` + x("x", 1001) + `$`, 1001},
		{`^\170{1001}$`, `^` + x("x", 1001) + `$`, 1001},
		{`^\0170{1001}$`, `^\017` + x("0", 1001) + `$`, 1001},
		{`^\x{78}{1001}$`, `^` + x("x", 1001) + `$`, 1001},
		{`^w(?P<n>x){1001}$`, `^w` + x("x", 1001) + `$`, 1001},
		{`^x(?i){1001}Y$`, `^` + x("x", 1001) + `[yY]$`, 1001},
		{`^(?i:x){1001}y$`, `^` + x("[xX]", 1001) + `y$`, 1001},
		{`^x{1001}(?i)+$`, `^(?:` + x("x", 1001) + `)+$`, 2002},
		{`^(?:x{1001}){0}w$`, `^w$`, 1001},
		{`^[x{1001}]w{1001}$`, `^[x{01}]` + x("w", 1001) + `$`, 1001},
		{`^x{1001}{2$`, `^` + x("x", 1001) + `\{2$`, 1001},
		{`^x{1001}y{01}$`, `^` + x("x", 1001) + `y\{01\}$`, 1001},
	} {
		re := reference(t, false, row.expanded)
		m, err := match.New([]string{row.pattern}, match.Options{})
		require.NoError(t, err, row.pattern)
		for _, n := range []int{1, 2, 999, 1000, 1001, row.near - 1, row.near, row.near + 1} {
			for _, text := range []string{
				x("x", n), "w" + x("x", n), x("x", n) + "y", x("x", n) + "Y", x("x", n) + "{2", x("x", n) + "y{01}",
				x("w", n), x("0", n), "\017" + x("0", n), x(x("x", 84)+"y", min(n, 14)), x("yxx", min(n, 3)), "yxx" + x("x", n),
			} {
				got, err := m.Match([]byte(text))
				require.NoError(t, err)
				require.Equal(t, re.MatchString(text), got, "%s: %d, %.20s", row.pattern, len(text), text)
			}
		}
	}
}

// counted generates an expression with counts, the same written out, and a text
// that matches.
func (g grammar) counted(depth int) (pattern, written, text string) {
	if depth == 0 {
		c := g.pick("a", "b")
		switch g.IntN(4) {
		case 0:
			return "[ab]", "[ab]", c
		case 1:
			return `\Qa` + c + `\E`, "a" + c, "a" + c
		case 2:
			return `\x6` + fmt.Sprint(c[0]-'`'), c, c
		}
		return c, c, c
	}
	p, w, t := g.counted(depth - 1)
	q, v, u := g.counted(g.IntN(depth))
	switch g.IntN(4) {
	case 0:
		return p + q, w + v, t + u
	case 1:
		return "(?:" + p + "|" + q + ")", "(?:" + w + "|" + v + ")", g.pick(t, u)
	}
	p, w = g.pick("(?:", "(", "(?P<n>")+p+")", "(?:"+w+")"
	room := 1 + min(60, 3000/len(w))
	low, more := 1+g.IntN(room), g.IntN(room)
	switch g.IntN(3) {
	case 0:
		return p + fmt.Sprintf("{%d}", low), strings.Repeat(w, low), strings.Repeat(t, low)
	case 1:
		return p + fmt.Sprintf("{%d,}", low), strings.Repeat(w, low) + w + "*", strings.Repeat(t, low+more)
	}
	return p + fmt.Sprintf("{%d,%d}", low, low+more) + g.pick("", "?"), strings.Repeat(w, low) + strings.Repeat(w+"?", more),
		strings.Repeat(t, low+g.IntN(more+1))
}

// TestCountsWithinEachOther has random expressions with nested counts.
func TestCountsWithinEachOther(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Log("LDX_SEED =", seed)
	g := grammar{rand.New(rand.NewPCG(seed, 11))}
	for n := 0; n < 10; {
		pattern, written, text := g.counted(4)
		if _, err := regexp.Compile(pattern); err == nil || len(text) > 1500 {
			continue // it needs no rewriting, or package regexp takes too long
		}
		n++
		re := reference(t, false, "^"+written+"$")
		m, err := match.New([]string{"^" + pattern + "$"}, match.Options{})
		require.NoError(t, err, pattern)
		for _, text := range []string{text, text[1:], "b" + text[1:]} {
			got, err := m.Match([]byte(text))
			require.NoError(t, err)
			require.Equal(t, re.MatchString(text), got, "%s: %s", pattern, text)
		}
	}
}

// TestTooLarge has patterns that are too large with their counts written out.
// They are rejected before that is done.
func TestTooLarge(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "(a%db{50}c){20}", i)
	}
	x := strings.Repeat
	for _, pattern := range []string{
		b.String(), "x{1000000}", "x{99999999999999999999}", "x{1,300000}", "x{300000,}", "(x{600}){600}", "(ab){100000}", "(){1000000}",
		x("(", 30) + "x" + x("){1000}", 30), x("x{200000}", 2), `\pL{4000}`, `[` + x(`\pL`, 20_000) + `]`,
		"(?:(?:[" + x("ab", 20_000) + "]{501}){500})",
	} {
		_, err := match.New([]string{pattern}, match.Options{})
		var wrong *match.Error
		require.ErrorAs(t, err, &wrong, "%.40s", pattern)
		assert.Equal(t, pattern, wrong.Pattern)
		assert.Less(t, len(err.Error()), 400)
	}
	for _, pattern := range []string{
		"x{260000}", "x{1,130000}", "(?:ab){100000}", "(ab){60000}", "(){80000}|x", "((x{50}){50}){50}",
		x("abc|", 100_000), x("(a*)", 50_000),
	} {
		_, err := match.New([]string{pattern}, match.Options{})
		assert.NoError(t, err, "%.40s", pattern)
	}
}
