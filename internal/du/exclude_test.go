package du_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"ldx/internal/du"
)

// What globs match is tested with GNU du, in cmd/ldx.
func TestParseExcludes(t *testing.T) {
	assert.Equal(t, du.Excludes{"a", " b", "c"}, du.ParseExcludes([]byte("a\n\n b \t\r\n  \nc")))
	assert.Empty(t, du.ParseExcludes(nil))
	assert.False(t, du.Excludes(nil).Match([]byte("a")))
	glob := strings.Repeat("*a", 1000) + "b"
	assert.False(t, du.Excludes{glob}.Match([]byte(strings.Repeat("a", 4000))), "in no more than a moment")
}

// FuzzExcludes checks that a path is matched by itself, with what is special escaped, and by all
// that may stand for it; and not by what is longer.
func FuzzExcludes(f *testing.F) {
	for _, glob := range []string{"a/b", "[a", "[a-", `[\]`, `\`, "[[:alpha:]", "*?", "\xff*", "é"} {
		f.Add(glob, "a/b")
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		du.Excludes{glob}.Match([]byte(path))
		if path == "" || slices.Contains([]byte(path), 0) {
			return
		}
		literal := ""
		for i := range len(path) {
			if path[i] < utf8.RuneSelf {
				literal += `\`
			}
			literal += path[i : i+1]
		}
		for _, same := range []string{literal, "*", literal + "*", "*" + literal, strings.Repeat("?", utf8.RuneCountInString(path))} {
			assert.True(t, du.Excludes{same}.Match([]byte(path)), "%q %q", same, path)
		}
		assert.True(t, du.Excludes{literal}.Match([]byte("a/"+path)) || path[0] == '/', "%q", path)
		assert.False(t, du.Excludes{literal + "?"}.Match([]byte(path)), "%q", path)
	})
}
