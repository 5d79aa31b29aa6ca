package cli

import (
	"errors"
	"fmt"
	"time"

	"ldx/internal/filter"
	"ldx/internal/term"
	"ldx/internal/where"
)

// applyWhere adds the expressions of --where to opt.
func (f *filterFlags) applyWhere(opt *filter.Options, letters letterCase) error {
	for _, text := range f.where {
		err := where.Add(opt, text, where.Options{
			CaseSensitive: letters == caseSensitive,
			IgnoreCase:    letters == ignoreCase,
			Now:           time.Now(),
		})
		if wrong, ok := errors.AsType[*where.Error](err); ok {
			return &whereError{wrong}
		}
	}
	return nil
}

// A whereError says what is wrong with an expression of --where, and where.
type whereError struct{ wrong *where.Error }

func (e *whereError) Error() string { return fmt.Sprintf("--where: %s", e.wrong.Reason) }

// shown returns the expression, or the part of it around what is wrong, and a line that marks
// the place.
func (e *whereError) shown() (text, mark string) {
	return term.Excerpt(e.wrong.Text, e.wrong.At, e.wrong.At+e.wrong.Len, excerptColumns)
}
