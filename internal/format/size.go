package format

import (
	"math/bits"
	"strconv"
	"strings"
)

// A Unit is what sizes are shown in. The zero Unit is bytes.
type Unit struct {
	block  uint64 // bytes; 0: one
	base   uint64 // if not 0: the power of base that suits the size
	suffix string // after the number
	commas bool   // between groups of three digits
}

// The units of GNU's -h and --si, and bytes with a comma before each three digits.
var (
	Human   = Unit{base: 1024}
	SI      = Unit{base: 1000}
	Grouped = Unit{commas: true}
)

// Blocks is a unit of n bytes.
func Blocks(n uint64) Unit { return Unit{block: n} }

// ParseUnit reads a unit as GNU's --block-size does (coreutils manual, "Block size"): a
// number, a letter or both. With a letter alone it is shown after the numbers; a ' before
// all that asks for commas in them.
func ParseUnit(text string) (Unit, error) {
	text, commas := strings.CutPrefix(text, "'")
	switch text {
	case "human-readable":
		return Human, nil
	case "si":
		return SI, nil
	}
	block, err := ParseBlockSize(text)
	if err != nil || block == 0 {
		return Unit{}, errUnit
	}
	u := Unit{block: block, commas: commas}
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

// Append appends a size in bytes to b, rounded up, and returns the extended slice. Human and
// SI show two or three digits and a letter: 999, 1.1K, 12M.
func (u Unit) Append(b []byte, size uint64) []byte {
	if u.base != 0 {
		return appendHuman(b, size, u.base)
	}
	n := size
	if u.block > 1 {
		n = ceilDiv(size, u.block)
	}
	from := len(b)
	b = strconv.AppendUint(b, n, 10)
	if u.commas {
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

func appendHuman(b []byte, size, base uint64) []byte {
	if size < base {
		return strconv.AppendUint(b, size, 10)
	}
	letters := "KMGTPE"
	if base == 1000 {
		letters = "kMGTPE"
	}
	unit, power := base, 0
	for size/unit >= base && power < len(letters)-1 {
		unit *= base
		power++
	}
	if tenths := ceilDiv10(size, unit); tenths < 100 {
		b = append(strconv.AppendUint(b, tenths/10, 10), '.')
		b = strconv.AppendUint(b, tenths%10, 10)
		return append(b, letters[power])
	}
	whole := ceilDiv(size, unit)
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
