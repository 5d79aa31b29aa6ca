package match

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unsafe"
)

// An Error reports what is wrong with a pattern, and where.
type Error struct {
	Pattern string // "" if the patterns together are at fault
	Index   int    // index of Pattern in the argument of New
	Syntax  Syntax
	At, Len int    // the invalid bytes of Pattern; Len may be 0
	Reason  string // a short text
	Glob    bool   // it is valid as a Glob

	TooLarge bool // it is valid, but too large
}

func (e *Error) Error() string {
	if e.Pattern == "" {
		return e.Reason
	}
	if e.TooLarge {
		return fmt.Sprintf("%q is too large: %s", excerpt(e.Pattern), e.Reason)
	}
	kind := [...]string{"regular expression", "glob", "literal", "literal", "literal"}[e.Syntax]
	return fmt.Sprintf("%q is not a %s: %s", excerpt(e.Pattern), kind, e.Reason)
}

// excerpt returns the beginning of a pattern, short enough for a message.
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

// A syntaxError is an error of the parser with its location.
type syntaxError struct {
	code syntax.ErrorCode
	expr string // the invalid part of the expression
	at   int    // offset of that part
}

func tooLarge(expression string) *syntaxError {
	return &syntaxError{code: syntax.ErrLarge, expr: expression}
}

// parseTree parses an expression. It counts Unicode classes first: some have
// hundreds of ranges, and the parser sorts them all before it checks their
// number.
func parseTree(expression string, flags syntax.Flags) (*syntax.Regexp, *syntaxError) {
	if strings.Count(expression, `\p`)+strings.Count(expression, `\P`) > maxClasses {
		return nil, tooLarge(expression)
	}
	tree, err := syntax.Parse(expression, flags)
	if err == nil {
		return tree, nil
	}
	wrong, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		wrong = &syntax.Error{Expr: expression}
	}
	return nil, &syntaxError{wrong.Code, wrong.Expr, offset(expression, wrong.Expr)}
}

// offset returns the offset of part in text. The parser quotes a slice of its
// input, so comparing addresses finds the right one of several equal parts
// without parsing prefixes.
func offset(text, part string) int {
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text)))
	if at <= uintptr(len(text)) && strings.HasPrefix(text[at:], part) {
		return int(at)
	}
	return max(0, strings.Index(text, part))
}

// explain converts an error of the parser to an Error.
func (opt Options) explain(pattern string, err *syntaxError) *Error {
	e := &Error{Pattern: pattern, Syntax: opt.Syntax, Reason: err.code.String(), At: err.at, Len: len(err.expr)}
	if opt.Syntax != Regexp { // the quoted part may be of the translation
		e.At = strings.Index(pattern, err.expr)
		if e.At < 0 {
			e.At, e.Len = 0, len(pattern)
		}
	}
	switch err.code {
	case syntax.ErrLarge:
		e.TooLarge = true
		e.Reason = fmt.Sprintf("its repetitions and classes make more than %d instructions; "+
			"lower the counts in {}, or use fewer classes such as \\pL", maxExtra)
	case syntax.ErrMissingBracket: // the rest of the pattern is quoted
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

// unbalanced returns the offset of the parenthesis without a partner.
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
