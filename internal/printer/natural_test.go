package printer_test

import (
	"bytes"
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/printer"
)

func TestNatural(t *testing.T) {
	want := []string{
		"", "1", "01", "2", "10", "a", "a1", "a01b", "a1b", "a1c", "a2", "a2.txt", "a10", "a10.txt", "a10a9", "a10a10", "ab", "file2", "file10",
		"file18446744073709551616", "file18446744073709551617", "v1.2", "v1.10", "é",
	}
	slices.SortFunc(want, func(a, b string) int { return natural([]byte(a), []byte(b)) })
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b string) int { return printer.CompareNatural([]byte(a), []byte(b)) })
	assert.Equal(t, want, got)
	assert.Less(t, slices.Index(got, "file2"), slices.Index(got, "file10"))
}

var runs = regexp.MustCompile(`[0-9]+|[^0-9]`)

// natural compares by numbers of any size, and is slow.
func natural(a, b []byte) int {
	runsA, runsB := runs.FindAll(a, -1), runs.FindAll(b, -1)
	for i := range min(len(runsA), len(runsB)) {
		numberA, isA := new(big.Int).SetString(string(runsA[i]), 10)
		numberB, isB := new(big.Int).SetString(string(runsB[i]), 10)
		c := bytes.Compare(runsA[i], runsB[i])
		switch {
		case isA && isB:
			c = numberA.Cmp(numberB)
		case isA || isB:
			c = cmp.Compare(runsA[i][0], runsB[i][0])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(runsA), len(runsB)), bytes.Compare(a, b))
}

// It is an order, and that of the numbers.
func FuzzNatural(f *testing.F) {
	f.Add([]byte("a1b2"), []byte("a01b02"), []byte("a1b10"))
	f.Add([]byte("\xff9"), []byte("\xff10"), []byte("é"))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		if bytes.ContainsFunc(slices.Concat(a, b), func(r rune) bool { return r >= 0x80 }) {
			a, b = bytes.Map(toASCII, a), bytes.Map(toASCII, b) // regexp reads characters
		}
		assert.Equal(t, natural(a, b), printer.CompareNatural(a, b), "%q %q", a, b)
		assert.Equal(t, -printer.CompareNatural(b, a), printer.CompareNatural(a, b), "%q %q", a, b)
		if printer.CompareNatural(a, b) <= 0 && printer.CompareNatural(b, c) <= 0 {
			assert.LessOrEqual(t, printer.CompareNatural(a, c), 0, "%q %q %q", a, b, c)
		}
	})
}

func toASCII(r rune) rune { return r & 0x7f }
