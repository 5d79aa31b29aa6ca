package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A conversion is one of strftime(3)'s, such as %Y, in the C locale. It is a number, a text or
// other conversions.
type conversion struct {
	letter byte
	width  int  // of a number, at least
	pad    byte // on the left
	number func(t time.Time) int
	text   func(t time.Time) string
	others string
}

// conversions are those of C and of GNU date, but for %E and %O, which change nothing in the C
// locale. (Arrays take no time at the start.)
var conversions = [...]conversion{
	{letter: 'a', text: func(t time.Time) string { return t.Format("Mon") }},
	{letter: 'A', text: func(t time.Time) string { return t.Format("Monday") }},
	{letter: 'b', text: func(t time.Time) string { return t.Format("Jan") }},
	{letter: 'h', text: func(t time.Time) string { return t.Format("Jan") }},
	{letter: 'B', text: func(t time.Time) string { return t.Format("January") }},
	{letter: 'p', text: func(t time.Time) string { return t.Format("PM") }},
	{letter: 'P', text: func(t time.Time) string { return t.Format("pm") }},
	{letter: 'Z', text: func(t time.Time) string { return t.Format("MST") }},
	{letter: 'z', text: func(t time.Time) string { return t.Format("-0700") }},
	{letter: 'n', text: func(time.Time) string { return "\n" }},
	{letter: 't', text: func(time.Time) string { return "\t" }},
	{letter: '%', text: func(time.Time) string { return "%" }},
	{letter: 'C', width: 2, pad: '0', number: func(t time.Time) int { return t.Year() / 100 }},
	{letter: 'd', width: 2, pad: '0', number: time.Time.Day},
	{letter: 'e', width: 2, pad: ' ', number: time.Time.Day},
	{letter: 'g', width: 2, pad: '0', number: func(t time.Time) int { return isoYear(t) % 100 }},
	{letter: 'G', width: 4, pad: '0', number: isoYear},
	{letter: 'H', width: 2, pad: '0', number: time.Time.Hour},
	{letter: 'I', width: 2, pad: '0', number: hour12},
	{letter: 'j', width: 3, pad: '0', number: time.Time.YearDay},
	{letter: 'k', width: 2, pad: ' ', number: time.Time.Hour},
	{letter: 'l', width: 2, pad: ' ', number: hour12},
	{letter: 'm', width: 2, pad: '0', number: func(t time.Time) int { return int(t.Month()) }},
	{letter: 'M', width: 2, pad: '0', number: time.Time.Minute},
	{letter: 'N', width: 9, pad: '0', number: time.Time.Nanosecond},
	{letter: 'q', width: 1, pad: '0', number: func(t time.Time) int { return (int(t.Month()) + 2) / 3 }},
	{letter: 's', width: 1, pad: '0', number: time.Time.Second}, // append has the right one
	{letter: 'S', width: 2, pad: '0', number: time.Time.Second},
	{letter: 'u', width: 1, pad: '0', number: func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }},
	{letter: 'U', width: 2, pad: '0', number: func(t time.Time) int { return (t.YearDay() + 6 - int(t.Weekday())) / 7 }},
	{letter: 'V', width: 2, pad: '0', number: func(t time.Time) int { _, week := t.ISOWeek(); return week }},
	{letter: 'w', width: 1, pad: '0', number: func(t time.Time) int { return int(t.Weekday()) }},
	{letter: 'W', width: 2, pad: '0', number: func(t time.Time) int { return (t.YearDay() + 6 - (int(t.Weekday())+6)%7) / 7 }},
	{letter: 'y', width: 2, pad: '0', number: func(t time.Time) int { return t.Year() % 100 }},
	{letter: 'Y', width: 4, pad: '0', number: time.Time.Year},
	{letter: 'c', others: "%a %b %e %H:%M:%S %Y"},
	{letter: 'D', others: "%m/%d/%y"},
	{letter: 'F', others: "%Y-%m-%d"},
	{letter: 'r', others: "%I:%M:%S %p"},
	{letter: 'R', others: "%H:%M"},
	{letter: 'T', others: "%H:%M:%S"},
	{letter: 'x', others: "%m/%d/%y"},
	{letter: 'X', others: "%H:%M:%S"},
}

func isoYear(t time.Time) int {
	year, _ := t.ISOWeek()
	return year
}

func hour12(t time.Time) int { return (t.Hour()+11)%12 + 1 }

// AppendStrftime appends t as strftime(3) and GNU date do in the C locale: %F %T, also with
// the flags - _ 0 ^ and a width. The error is about the layout.
func AppendStrftime(b []byte, t time.Time, layout string) ([]byte, error) {
	for {
		at := strings.IndexByte(layout, '%')
		if at < 0 {
			return append(b, layout...), nil
		}
		b = append(b, layout[:at]...)
		flags, width, c, rest := cutConversion(layout[at+1:])
		if c == nil {
			unknown := layout[at : len(layout)-len(rest)]
			return b, fmt.Errorf("there is no %s in a time; give such as %%Y-%%m-%%d %%H:%%M:%%S", unknown)
		}
		b = c.append(b, t, flags, width)
		layout = rest
	}
}

// cutConversion returns what comes after a %: its flags, its width (-1: none), the conversion
// (nil: there is none), and the rest of the text.
func cutConversion(text string) (flags string, width int, c *conversion, rest string) {
	rest = strings.TrimLeft(text, "-_0^#+")
	flags, width = text[:len(text)-len(rest)], -1
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits > 0 {
		var err error
		const maxWidth = 1000
		if width, err = strconv.Atoi(rest[:digits]); err != nil || width > maxWidth {
			return flags, width, nil, rest[digits:]
		}
	}
	rest = rest[digits:]
	if strings.HasPrefix(rest, ":z") || strings.HasPrefix(rest, "::z") {
		colons := strings.IndexByte(rest, 'z')
		return flags, width, &zones[colons-1], rest[colons+1:]
	}
	if rest == "" {
		return flags, width, nil, rest
	}
	for i := range conversions {
		if conversions[i].letter == rest[0] {
			return flags, width, &conversions[i], rest[1:]
		}
	}
	return flags, width, nil, rest[1:]
}

// zones are %:z and %::z.
var zones = [...]conversion{
	{letter: 'z', text: func(t time.Time) string { return t.Format("-07:00") }},
	{letter: 'z', text: func(t time.Time) string { return t.Format("-07:00:00") }},
}

func (c *conversion) append(b []byte, t time.Time, flags string, width int) []byte {
	var text string
	pad := byte(' ')
	switch {
	case c.number != nil && c.letter == 'N':
		return appendFraction(b, t.Nanosecond(), width)
	case c.number != nil:
		pad = c.pad
		if text = strconv.Itoa(c.number(t)); c.letter == 's' { // may not fit an int
			text = strconv.FormatInt(t.Unix(), 10)
		}
		width = max(width, c.width)
	case c.others != "":
		inner, _ := AppendStrftime(nil, t, c.others)
		text = string(inner)
	default:
		text = c.text(t)
	}
	for _, flag := range flags {
		switch flag {
		case '-':
			width = 0
		case '_':
			pad = ' '
		case '0', '+':
			pad = '0'
		case '^':
			text = strings.ToUpper(text)
		}
	}
	for range width - len(text) {
		b = append(b, pad)
	}
	return append(b, text...)
}

// appendFraction appends the first digits of a second's fraction; all nine if there is no width.
func appendFraction(b []byte, nanoseconds, width int) []byte {
	digits := fmt.Sprintf("%09d", nanoseconds)
	if width < 0 {
		return append(b, digits...)
	}
	for len(digits) < width {
		digits += "0"
	}
	return append(b, digits[:max(1, width)]...)
}
