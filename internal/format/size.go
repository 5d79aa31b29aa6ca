package format

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
)

// A Unit is what sizes are shown in. The zero Unit is bytes.
type Unit struct {
	block  uint64 // bytes; 0: one
	base   uint64 // if not 0, the powers of it, each as it suits the size
	suffix string // after the number
	group  bool   // commas
}

// The units of GNU's -h and --si, and bytes with a comma before each three digits.
var (
	Human   = Unit{base: 1024}
	SI      = Unit{base: 1000}
	Grouped = Unit{group: true}
)

// Blocks is a unit of so many bytes.
func Blocks(bytes uint64) Unit { return Unit{block: bytes} }

var errUnit = errors.New("give a number of bytes, or one with K, M, G, T, P or E after it (1024), or KB, MB, ... (1000), human-readable or si")

// ParseUnit reads a unit as GNU's --block-size does (coreutils manual, "Block size"): a
// number, a letter or both. With a letter alone it is shown after the numbers; a ' before
// all that asks for commas in them.
func ParseUnit(text string) (Unit, error) {
	text, group := strings.CutPrefix(text, "'")
	switch text {
	case "human-readable":
		return Human, nil
	case "si":
		return SI, nil
	}
	bytes, err := ParseBytes(text)
	if err != nil || bytes == 0 {
		return Unit{}, errUnit
	}
	u := Unit{block: bytes, group: group}
	if text[0] < '0' || text[0] > '9' {
		u.suffix = string(upper(text[0])) + text[1:]
		if u.suffix == "KB" {
			u.suffix = "kB" // as GNU has it
		}
	}
	return u, nil
}

// ParseLayout reads the layout of a size in a template: h, or as ParseUnit has it.
func ParseLayout(layout string) (Unit, error) {
	if layout == "h" {
		return Human, nil
	}
	return ParseUnit(layout)
}

// ParseBytes reads a number of bytes as GNU does: 1K and 1KiB are 1024, 1KB is 1000; a
// letter without a number is one of it.
func ParseBytes(text string) (uint64, error) {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	n, err := uint64(1), error(nil)
	if digits != "" {
		n, err = strconv.ParseUint(digits, 10, 64)
	}
	letters := text[len(digits):]
	if err != nil || text == "" {
		return 0, errUnit
	}
	if letters == "" {
		return n, nil
	}
	base := uint64(1024)
	switch letters[1:] {
	case "", "iB":
	case "B":
		base = 1000
	default:
		return 0, errUnit
	}
	power := strings.IndexByte("KMGTPE", upper(letters[0])) + 1
	if power == 0 {
		return 0, errUnit
	}
	for range power {
		high, low := bits.Mul64(n, base)
		if high != 0 {
			return 0, errors.New("that is more than there can be")
		}
		n = low
	}
	return n, nil
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

// Append appends a size to b, rounded up, and returns the extended slice. With a base
// it has three digits or so: 999, 1.1K, 12M.
func (u Unit) Append(b []byte, bytes uint64) []byte {
	if u.base != 0 {
		return appendHuman(b, bytes, u.base)
	}
	n := bytes
	if u.block > 1 {
		n = ceilDiv(bytes, u.block)
	}
	from := len(b)
	b = strconv.AppendUint(b, n, 10)
	if u.group {
		digits := string(b[from:])
		b = b[:from]
		for i := range digits {
			if i > 0 && (len(digits)-i)%3 == 0 {
				b = append(b, ',')
			}
			b = append(b, digits[i])
		}
	}
	return append(b, u.suffix...)
}

func appendHuman(b []byte, bytes, base uint64) []byte {
	if bytes < base {
		return strconv.AppendUint(b, bytes, 10)
	}
	letters := "KMGTPE"
	if base == 1000 {
		letters = "kMGTPE"
	}
	unit, power := base, 0
	for bytes/unit >= base && power < len(letters)-1 {
		unit *= base
		power++
	}
	if tenths := ceilDiv10(bytes, unit); tenths < 100 {
		b = append(strconv.AppendUint(b, tenths/10, 10), '.')
		b = strconv.AppendUint(b, tenths%10, 10)
		return append(b, letters[power])
	}
	whole := ceilDiv(bytes, unit)
	if whole >= base && power < len(letters)-1 {
		return append(b, '1', '.', '0', letters[power+1])
	}
	return append(strconv.AppendUint(b, whole, 10), letters[power])
}

// ceilDiv returns n/unit, rounded up.
func ceilDiv(n, unit uint64) uint64 {
	whole := n / unit
	if n%unit != 0 {
		whole++
	}
	return whole
}

// ceilDiv10 returns ten times n/unit, rounded up.
func ceilDiv10(n, unit uint64) uint64 {
	high, low := bits.Mul64(n, 10)
	tenths, rest := bits.Div64(high, low, unit)
	if rest != 0 {
		tenths++
	}
	return tenths
}
