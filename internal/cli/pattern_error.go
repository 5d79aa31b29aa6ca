package cli

import (
	"fmt"
	"strings"

	"ldx/internal/command"
	"ldx/internal/match"
	"ldx/internal/term"
)

// quotedPattern quotes a pattern for a message, and cuts it if it is long.
func quotedPattern(pattern string) string { return command.Quote(term.Head(pattern, 60)) }

// A patternError says what is wrong with a pattern, and where.
type patternError struct {
	line  line
	wrong *match.Error
}

func (e *patternError) Error() string {
	kind := "not a regular expression"
	switch {
	case e.wrong.TooLarge:
		kind = "too large"
	case e.wrong.Syntax == match.Glob:
		kind = "not a glob"
	}
	text := fmt.Sprintf("the pattern is %s: %s", kind, e.wrong.Reason)
	if e.line.number > 0 {
		text = fmt.Sprintf("%s:%d: %s", e.line.file, e.line.number, text)
	}
	if e.wrong.Glob {
		text += "; did you mean -g " + quotedPattern(e.wrong.Pattern) + "?"
	}
	return text
}

// shownColumns is how much of a pattern is shown around what is wrong.
const shownColumns = 68

// shown returns the pattern, or the part of it around what is wrong, and a line that marks the
// place.
func (e *patternError) shown() (pattern, mark string) {
	text := strings.ReplaceAll(e.wrong.Pattern, "\t", " ") // which is as wide as one knows
	at, end := e.wrong.At, e.wrong.At+e.wrong.Len
	wrong := term.Head(text[at:end], shownColumns)
	left := shownColumns - columns(wrong)
	room := min(left/4, columns(term.Head(text[end:], left/4))) // for what follows
	before := term.Tail(text[:at], left-room)
	after := term.Head(text[end:], max(room, left-columns(before)))
	return term.Escape(before + wrong + after), strings.Repeat(" ", columns(before)) + "^" + strings.Repeat("~", max(0, columns(wrong)-1))
}

// columns returns how many columns a text takes on a terminal, where it is shown with escapes.
func columns(text string) int { return term.WidthString(term.Escape(text)) }
