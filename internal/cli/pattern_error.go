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

// excerptColumns is the width of what is shown of something wrong.
const excerptColumns = 68

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
	if strings.HasPrefix(e.wrong.Reason, "invalid escape") {
		text += `; for a literal backslash write \\, in a path a slash`
	}
	if e.wrong.Glob {
		text += "; did you mean -g " + quotedPattern(e.wrong.Pattern) + "?"
	}
	return text
}

// shown returns the pattern, or the part of it around what is wrong, and a line that marks the
// place.
func (e *patternError) shown() (pattern, mark string) {
	return term.Excerpt(e.wrong.Pattern, e.wrong.At, e.wrong.At+e.wrong.Len, excerptColumns)
}
