package format

import "strings"

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
