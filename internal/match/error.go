package match

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unsafe"
)

// An Error says what is wrong with a pattern, and where.
type Error struct {
	Pattern string // "" if it is all of them together
	Index   int    // of Pattern among those that were given
	Syntax  Syntax
	At, Len int    // the bytes of Pattern that are wrong; Len may be 0
	Reason  string // in few words
	Glob    bool   // as a Glob it would be right

	TooLarge bool // it is written correctly
}

func (e *Error) Error() string {
	if e.Pattern == "" {
		return e.Reason
	}
	if e.TooLarge {
		return fmt.Sprintf("%q is too large: %s", excerpt(e.Pattern), e.Reason)
	}
	return fmt.Sprintf("%q is not a %s: %s", excerpt(e.Pattern), [...]string{"regular expression", "glob", "text", "text", "text"}[e.Syntax], e.Reason)
}

// excerpt returns the beginning of a pattern, as much as fits into a message.
func excerpt(pattern string) string {
	const maxRunes = 60
	n := 0
	for i := range pattern {
		if n++; n > maxRunes {
			return pattern[:i] + "..."
		}
	}
	return pattern
}

// A syntaxError is an error of the parser, and its place.
type syntaxError struct {
	code syntax.ErrorCode
	expr string // the part of the expression that is wrong
	at   int    // where that part begins
}

func tooLarge(expression string) *syntaxError {
	return &syntaxError{code: syntax.ErrLarge, expr: expression}
}

// parseTree parses an expression. Some classes of Unicode have hundreds of ranges,
// and the parser sorts them all before it looks at their number.
func parseTree(expression string, flags syntax.Flags) (*syntax.Regexp, *syntaxError) {
	if strings.Count(expression, `\p`)+strings.Count(expression, `\P`) > maxClasses {
		return nil, tooLarge(expression)
	}
	tree, err := syntax.Parse(expression, flags)
	if err == nil {
		return tree, nil
	}
	wrong := &syntax.Error{Expr: expression}
	errors.As(err, &wrong)
	return nil, &syntaxError{wrong.Code, wrong.Expr, offset(expression, wrong.Expr)}
}

// offset returns where a part of a text begins. The parser quotes a slice of what
// it parses, so that the addresses tell which of several equal parts is meant, and
// no parsing of prefixes is needed.
func offset(text, part string) int {
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text)))
	if at <= uintptr(len(text)) && strings.HasPrefix(text[at:], part) {
		return int(at)
	}
	return max(0, strings.Index(text, part))
}

// explain makes an Error of what the parser says.
func (opt Options) explain(pattern string, err *syntaxError) *Error {
	e := &Error{Pattern: pattern, Syntax: opt.Syntax, Reason: err.code.String(), At: err.at, Len: len(err.expr)}
	if opt.Syntax != Regexp { // what is quoted may be of the translation
		e.At = strings.Index(pattern, err.expr)
		if e.At < 0 {
			e.At, e.Len = 0, len(pattern)
		}
	}
	switch err.code {
	case syntax.ErrLarge:
		e.TooLarge = true
		e.Reason = fmt.Sprintf("its repetitions and classes make more than %d instructions; lower the counts in {}, or use fewer classes such as \\pL", maxExtra)
	case syntax.ErrMissingBracket: // the rest is quoted
		e.Len = 1
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		e.At, e.Len = unbalanced(pattern), 1
	case syntax.ErrTrailingBackslash:
		e.At, e.Len = len(pattern)-1, 1
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		_, wrong := globExpression(pattern, opt.Path)
		e.Glob = wrong == nil && strings.ContainsAny(pattern, "*?") && !strings.ContainsAny(pattern, `()|+^$\`)
		e.Reason = "there is nothing before the " + err.expr + " to repeat"
		if err.code == syntax.ErrInvalidRepeatOp {
			e.Reason = "one repetition of another: " + err.expr
		}
	}
	return e
}

// unbalanced returns where the parenthesis is that has no other.
func unbalanced(expression string) int {
	var open []int
	for e := range elements(expression) {
		switch {
		case e.inSet:
		case e.text == ")":
			if len(open) == 0 {
				return e.at
			}
			open = open[:len(open)-1]
		case e.opensGroup():
			open = append(open, e.at)
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
