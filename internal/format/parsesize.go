package format

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A size can be written in two ways, which differ in what a letter means:
//
//	ParseSize       4k is 4000, 4ki is 4096, as in fd's --size
//	ParseBlockSize  4K is 4096, 4KB is 4000, as in GNU's --block-size

var (
	errSize = errors.New("give a number with a unit, such as 10k, +1.5mi or -2g: b, k m g t (1000), ki mi gi ti (1024)")
	errUnit = errors.New("give a number of bytes such as 512, or one such as 4K, with K, M, G, T, P or E (1024), " +
		"or KB, MB, ... (1000), human-readable or si")
	errLarge = errors.New("that is more than there can be")
)

// ParseSize reads N[.N]UNIT. The units are b, k, m, g and t, of 1000, and ki, mi, gi and ti,
// of 1024; with or without a b after them, in any case. It returns at most math.MaxInt64,
// as no file is larger.
func ParseSize(text string) (int64, error) {
	digits, name := cutDigits(text, "0123456789.")
	unit, ok := sizeUnit(strings.ToLower(name))
	whole, fraction, _ := strings.Cut(digits, ".")
	if !ok || whole == "" || strings.Contains(fraction, ".") || strings.HasSuffix(digits, ".") {
		return 0, errSize
	}
	n, err := strconv.ParseUint(whole, 10, 64)
	high, size := bits.Mul64(n, unit)
	if err != nil || high != 0 || size > math.MaxInt64 {
		return 0, errors.New("that is more than any file can have")
	}
	if fraction != "" {
		share, err := strconv.ParseFloat("0."+fraction, 64)
		if err != nil {
			return 0, errSize
		}
		size += uint64(share * float64(unit))
	}
	return int64(min(size, math.MaxInt64)), nil
}

func sizeUnit(name string) (uint64, bool) {
	if name == "b" {
		return 1, true
	}
	letter, base := strings.TrimSuffix(name, "b"), uint64(1000)
	if power, ok := strings.CutSuffix(letter, "i"); ok {
		letter, base = power, 1024
	}
	power := strings.Index("kmgt", letter) + 1
	if len(letter) != 1 || power == 0 {
		return 0, false
	}
	return scale(1, base, power)
}

// ParseBlockSize reads a number of bytes as GNU does (coreutils manual, "Block size"): 1K and
// 1KiB are 1024, 1KB is 1000. A letter without a number is one of it.
func ParseBlockSize(text string) (uint64, error) {
	digits, unit := cutDigits(text, "0123456789")
	n, err := uint64(1), error(nil)
	if digits != "" {
		n, err = strconv.ParseUint(digits, 10, 64)
	}
	if err != nil || text == "" {
		return 0, errUnit
	}
	if unit == "" {
		return n, nil
	}
	base := uint64(1024)
	switch unit[1:] {
	case "", "iB":
	case "B":
		base = 1000
	default:
		return 0, errUnit
	}
	power := strings.IndexByte("KMGTPE", upper(unit[0])) + 1
	if power == 0 {
		return 0, errUnit
	}
	n, ok := scale(n, base, power)
	if !ok {
		return 0, errLarge
	}
	return n, nil
}

// cutDigits returns the digits that a text begins with, and the rest.
func cutDigits(text, digits string) (number, rest string) {
	rest = strings.TrimLeft(text, digits)
	return text[:len(text)-len(rest)], rest
}

// scale returns n times a power of base; ok is false if that is too large.
func scale(n, base uint64, power int) (_ uint64, ok bool) {
	for range power {
		high, low := bits.Mul64(n, base)
		if high != 0 {
			return 0, false
		}
		n = low
	}
	return n, true
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}
