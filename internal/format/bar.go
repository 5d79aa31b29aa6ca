package format

import (
	"strings"
	"unicode/utf8"
)

// Bar returns a bar for a fraction of at most 1 of width columns: in eighths of a column, or
// in whole ones if ascii is set.
func Bar(fraction float64, width int, ascii bool) string {
	full, partial := "█", []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	if ascii {
		full, partial = "#", []string{""}
	}
	n := int(fraction*float64(width*len(partial)) + 0.5)
	return strings.Repeat(full, n/len(partial)) + partial[n%len(partial)]
}

// BarCell is Bar with spaces up to the width. The colour, if it has one, depends on the fraction.
func BarCell(fraction float64, width int, ascii, colours bool) string {
	bar := Bar(fraction, width, ascii)
	space := strings.Repeat(" ", width-utf8.RuneCountInString(bar))
	if !colours {
		return bar + space
	}
	colour := "32"
	switch {
	case fraction >= 0.5:
		colour = "31"
	case fraction >= 0.2:
		colour = "33"
	}
	return "\x1b[" + colour + "m" + bar + "\x1b[0m" + space
}
