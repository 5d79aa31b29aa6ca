package match

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// A backtracker runs an expression with look-around, back-references, atomic
// groups or possessive quantifiers, which an automaton cannot run. That may
// take time exponential in the text, so it has a time limit for each text and
// for all.
type backtracker struct {
	pattern string
	re      *regexp2.Regexp
}

// Most texts take microseconds.
var (
	textLimit = time.Second / 4 // for one text
	slowLimit = time.Second     // for all slow texts of a Matcher
)

// A SlowError means that matching a text took too much time or memory.
type SlowError struct {
	Pattern string
	Reason  string
	GivenUp bool // no more texts will be matched
}

func (e *SlowError) Error() string {
	return fmt.Sprintf("the pattern '%s' %s", excerpt(e.Pattern), e.Reason)
}

// maxDepth limits the depth of nested groups, as package regexp does. regexp2
// takes time quadratic in the depth to compile them, and has no limit of its
// own.
const maxDepth = 1000

// newBacktracker compiles an expression.
func newBacktracker(expression string, fold bool) (*backtracker, *Error) {
	if depth(expression) > maxDepth {
		return nil, &Error{Pattern: expression, Len: len(expression), Reason: syntax.ErrNestingDepth.String()}
	}
	options := regexp2.RE2 | regexp2.Singleline
	if fold {
		options |= regexp2.IgnoreCase
	}
	re, err := regexp2.Compile(likeRegexp(expression), options, regexp2.OptionMaintainCaptureOrder())
	if err != nil {
		reason, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "error parsing regexp: "), " in `")
		return nil, &Error{Pattern: expression, Len: len(expression), Reason: reason}
	}
	re.MatchTimeout = textLimit
	return &backtracker{expression, re}, nil
}

// match reports whether the text matches. It adds the time of a slow text to
// slow, and gives up when slow has reached the limit.
func (b *backtracker) match(text []byte, slow *atomic.Int64) (bool, error) {
	return b.limited(slow, func() (bool, time.Duration, error) { return b.try(string(text)) })
}

// limited calls try, which matches a text and returns how long that took.
func (b *backtracker) limited(slow *atomic.Int64, try func() (bool, time.Duration, error)) (bool, error) {
	givenUp := func() error {
		return &SlowError{b.pattern, fmt.Sprintf("took %v for names that are slow to match: no more are tried", slowLimit), true}
	}
	if slow.Load() >= int64(slowLimit) {
		return false, givenUp()
	}
	ok, took, err := try()
	if err == nil && took > textLimit/10 { // the process may have been stopped meanwhile: try again
		_, took, _ = try()
	}
	var spent int64
	if took > textLimit/10 {
		spent = slow.Add(int64(took))
	}
	switch {
	case err == nil:
		return ok, nil
	case errors.Is(err, regexp2.ErrBacktrackingStackLimit):
		return false, &SlowError{b.pattern, "backtracks too far", false}
	case spent < int64(slowLimit):
		return false, &SlowError{b.pattern, fmt.Sprintf("takes longer than %v", textLimit), false}
	}
	return false, givenUp()
}

func (b *backtracker) try(text string) (ok bool, took time.Duration, err error) {
	start := time.Now()
	ok, err = b.re.MatchString(text)
	return ok, time.Since(start), err
}

// likeRegexp rewrites an expression so that regexp2 runs it as package regexp
// does: \b and \B use ASCII letters, and \W with case ignored does not match
// letters such as k, which are foldings of others beyond ASCII.
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
