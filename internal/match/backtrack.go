package match

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// A backtracker runs an expression with look-around, back-references, atomic
// groups or possessive quantifiers, which no automaton can. That may take time
// exponential in the text, so there is a limit, on each text and on all.
type backtracker struct {
	pattern string
	re      *regexp2.Regexp
	slow    atomic.Int32 // texts that took too long
}

// timeLimit is how long one text may take; most take microseconds.
var timeLimit = time.Second

// slowLimit is how many texts may take longer, before no more are tried.
const slowLimit = 10

// A SlowError is that a text could not be matched in the time or memory there is.
type SlowError struct {
	Pattern string
	Reason  string
	GivenUp bool // no text will be matched any more
}

func (e *SlowError) Error() string { return fmt.Sprintf("the pattern '%s' %s", e.Pattern, e.Reason) }

// newBacktracker returns the backtracker of an expression.
func newBacktracker(expression string, fold bool) (*backtracker, *Error) {
	options := regexp2.RE2 | regexp2.Singleline
	if fold {
		options |= regexp2.IgnoreCase
	}
	re, err := regexp2.Compile(likeRegexp(expression), options)
	if err != nil {
		reason, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "error parsing regexp: "), " in `")
		return nil, &Error{Pattern: expression, Len: len(expression), Reason: reason}
	}
	re.MatchTimeout = timeLimit
	return &backtracker{pattern: expression, re: re}, nil
}

func (b *backtracker) match(text []byte) (bool, error) {
	tooSlow := fmt.Sprintf("took longer than %v for each of %d names: no more are tried", timeLimit, slowLimit)
	if b.slow.Load() >= slowLimit {
		return false, &SlowError{b.pattern, tooSlow, true}
	}
	ok, err := b.re.MatchString(string(text))
	switch {
	case err == nil:
		return ok, nil
	case errors.Is(err, regexp2.ErrBacktrackingStackLimit):
		return false, &SlowError{b.pattern, "backtracks too far", false}
	case b.slow.Add(1) < slowLimit:
		return false, &SlowError{b.pattern, fmt.Sprintf("takes longer than %v", timeLimit), false}
	}
	return false, &SlowError{b.pattern, tooSlow, true}
}

// likeRegexp writes an expression so that regexp2 takes it as package regexp does:
// \b and \B are about the letters of ASCII, and \W, when case is ignored, has not
// those that are foldings of others beyond ASCII, such as k.
func likeRegexp(expression string) string {
	var b strings.Builder
	for e := range elements(expression) {
		text := e.text
		if !e.inSet {
			switch text {
			case `\b`:
				text = `(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`
			case `\B`:
				text = `(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))`
			case `\W`:
				text = `(?-i:\W)`
			}
		}
		b.WriteString(text)
	}
	return b.String()
}
