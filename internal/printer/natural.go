package printer

import (
	"bytes"
	"cmp"
)

// compareNatural compares names as bytes, but runs of digits by their value: file2 comes before
// file10. Names that differ in leading zeros only compare as bytes.
func compareNatural(a, b []byte) int {
	restA, restB := a, b
	for len(restA) > 0 && len(restB) > 0 {
		if !isDigit(restA[0]) || !isDigit(restB[0]) {
			if restA[0] != restB[0] {
				return cmp.Compare(restA[0], restB[0])
			}
			restA, restB = restA[1:], restB[1:]
			continue
		}
		var numberA, numberB []byte
		numberA, restA = cutNumber(restA)
		numberB, restB = cutNumber(restB)
		if c := cmp.Or(cmp.Compare(len(numberA), len(numberB)), bytes.Compare(numberA, numberB)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(restA), len(restB)), bytes.Compare(a, b))
}

// cutNumber cuts the digits off that a text begins with, and returns them without leading zeros.
func cutNumber(text []byte) (number, rest []byte) {
	end := 0
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return bytes.TrimLeft(text[:end], "0"), text[end:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
