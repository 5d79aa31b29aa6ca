package term

import "strings"

// Fold breaks a text at spaces into lines with at most the given number of columns. If that is 0, it
// returns the text. A longer word gets a line of its own. Each line begins with the spaces that the
// text begins with.
func Fold(text string, columns int) string {
	if columns <= 0 || WidthString(text) <= columns {
		return text
	}
	words := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(words)]
	var b strings.Builder
	at := 0
	for i, word := range strings.Split(words, " ") {
		width := WidthString(word)
		switch {
		case i == 0:
			b.WriteString(indent)
			at = len(indent)
		case at+1+width > columns:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += width
	}
	return b.String()
}
