package match

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// An Error says what is wrong with a pattern, and where.
type Error struct {
	Pattern string // "" if it is all of them together
	Index   int    // of Pattern among those that were given
	Syntax  Syntax
	At, Len int    // the bytes of Pattern that are wrong; Len may be 0
	Reason  string // in few words
	Glob    bool   // as a Glob it would be right
}

func (e *Error) Error() string {
	if e.Pattern == "" {
		return e.Reason
	}
	return fmt.Sprintf("%q is not a %s: %s", e.Pattern, [...]string{"regular expression", "glob", "text", "text", "text"}[e.Syntax], e.Reason)
}

// A parsed pattern is a literal, a tree or beyond.
type parsed struct {
	literal *literal
	tree    *syntax.Regexp // not simplified
	source  string         // of tree, for package regexp
	beyond  *backtracker
}

// parse reads a pattern.
func (opt Options) parse(pattern string) (parsed, *Error) {
	pattern = norm.NFC.String(pattern)
	switch {
	case opt.Syntax == Fixed && pattern != "":
		return parsed{literal: newLiteral(pattern, 0, opt.Fold)}, nil
	case opt.Syntax == Exact:
		return parsed{literal: newLiteral(pattern, atStart|atEnd, opt.Fold)}, nil
	case !utf8.ValidString(pattern):
		at := strings.IndexFunc(pattern, func(r rune) bool { return r == utf8.RuneError })
		return parsed{}, &Error{Pattern: pattern, Syntax: opt.Syntax, At: at, Len: 1, Reason: "it is not UTF-8"}
	case opt.Syntax == Regexp && isPlain(pattern):
		return parsed{literal: newLiteral(pattern, 0, opt.Fold)}, nil
	}
	expression := pattern
	switch opt.Syntax {
	case Glob:
		var err *Error
		if expression, err = globExpression(pattern, opt.Path); err != nil {
			return parsed{}, err
		}
	case Suffix:
		expression = "." + regexp.QuoteMeta(pattern) + "$"
	}
	tree, err := opt.parseTree(expression)
	if err != nil {
		if opt.Syntax == Regexp && isBeyond(expression) {
			b, err := newBacktracker(expression, opt.Fold)
			if err != nil && strings.HasSuffix(err.Reason, ")") {
				err.At, err.Len = unbalanced(pattern), 1
			}
			return parsed{beyond: b}, err
		}
		return parsed{}, opt.explain(pattern, err)
	}
	flags := "(?s)"
	if opt.Fold {
		flags = "(?is)"
	}
	tree = trimmed(tree)
	return parsed{literal: treeLiteral(tree), tree: tree, source: flags + expression}, nil
}

// isPlain reports whether an expression is but a literal, without the cost of
// parsing it.
func isPlain(expression string) bool {
	return expression != "" && !strings.ContainsAny(expression, "\\.+*?()|[]{}^$\ufffd")
}

func (opt Options) parseTree(expression string) (*syntax.Regexp, error) {
	flags := syntax.Perl | syntax.DotNL
	if opt.Fold {
		flags |= syntax.FoldCase
	}
	return syntax.Parse(expression, flags)
}

// dotted reports whether the pattern matches nothing but what begins with a dot.
func (p *parsed) dotted() bool {
	if p.literal != nil {
		return p.literal.at&atStart != 0 && strings.HasPrefix(p.literal.text, ".")
	}
	return p.tree != nil && dotted(p.tree)
}

// dotted is that of an expression, as far as it is plain to see.
func dotted(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpConcat:
		return tree.Sub[0].Op == syntax.OpBeginText && beginsWithDot(tree.Sub[1]) || dotted(tree.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			if !dotted(sub) {
				return false
			}
		}
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return dotted(tree.Sub[0])
	}
	return false
}

func beginsWithDot(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpLiteral:
		return tree.Rune[0] == '.'
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			if !beginsWithDot(sub) {
				return false
			}
		}
		return true
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return beginsWithDot(tree.Sub[0])
	}
	return false
}

// explain makes an Error of what the parser says: it finds the place.
func (opt Options) explain(pattern string, err error) *Error {
	e := &Error{Pattern: pattern, Syntax: opt.Syntax, Reason: err.Error()}
	var syntaxErr *syntax.Error
	if !errors.As(err, &syntaxErr) {
		return e
	}
	e.Reason = syntaxErr.Code.String()
	if opt.Syntax == Glob { // what is quoted may be of the translation
		e.At, e.Len = strings.Index(pattern, syntaxErr.Expr), len(syntaxErr.Expr)
		if e.At < 0 {
			e.At, e.Len = 0, len(pattern)
		}
		return e
	}
	switch syntaxErr.Code {
	case syntax.ErrMissingBracket: // the rest is quoted
		e.At, e.Len = len(pattern)-len(syntaxErr.Expr), 1
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		e.At, e.Len = unbalanced(pattern), 1
	case syntax.ErrTrailingBackslash:
		e.At, e.Len = len(pattern)-1, 1
	default:
		e.At, e.Len = opt.locate(pattern, syntaxErr)
	}
	switch syntaxErr.Code {
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		_, err := globExpression(pattern, opt.Path)
		e.Glob = err == nil && strings.ContainsAny(pattern, "*?") && !strings.ContainsAny(pattern, `()|+^$\`)
		e.Reason = "there is nothing before the " + syntaxErr.Expr + " to repeat"
		if syntaxErr.Code == syntax.ErrInvalidRepeatOp {
			e.Reason = "one repetition of another: " + syntaxErr.Expr
		}
	}
	return e
}

// locate finds what an error quotes: it ends where the shortest beginning of the
// pattern ends that has the same error.
func (opt Options) locate(pattern string, want *syntax.Error) (at, size int) {
	for end := range len(pattern) + 1 {
		_, err := opt.parseTree(pattern[:end])
		var got *syntax.Error
		if errors.As(err, &got) && *got == *want && strings.HasSuffix(pattern[:end], want.Expr) {
			return end - len(want.Expr), len(want.Expr)
		}
	}
	return max(0, strings.Index(pattern, want.Expr)), len(want.Expr)
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
		case e.text[0] == '(' && !strings.HasSuffix(e.text, ")"):
			open = append(open, e.at)
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}

// HasUpper reports whether a pattern has an uppercase letter that stands for itself,
// and not for something else as in \W, \pL or the name of a group, or whether it
// names a case, as [[:lower:]] or \p{Lu}. That is what makes a pattern heed case that
// is not told to.
func HasUpper(pattern string, syn Syntax) bool {
	named := (syn == Regexp || syn == Glob) && (strings.Contains(pattern, "[:upper:]") || strings.Contains(pattern, "[:lower:]"))
	upper := strings.ContainsFunc(pattern, unicode.IsUpper)
	if named || syn != Regexp || !upper && !strings.Contains(pattern, `\x`) {
		return named || upper
	}
	for e := range elements(pattern) {
		switch {
		case strings.HasPrefix(e.text, "(?"):
		case strings.HasPrefix(e.text, `\x`):
			digits := strings.Trim(e.text[2:], "{}")
			if r, err := strconv.ParseUint(digits, 16, 32); err == nil && unicode.IsUpper(rune(r)) {
				return true
			}
		case strings.HasPrefix(e.text, `\p`), strings.HasPrefix(e.text, `\P`):
			if slices.Contains([]string{"Lu", "Ll", "Lt"}, strings.Trim(e.text[2:], "{^}")) {
				return true
			}
		case e.text[0] == '\\' && !strings.HasPrefix(e.text, `\Q`):
		case strings.ContainsFunc(strings.TrimSuffix(strings.TrimPrefix(e.text, `\Q`), `\E`), unicode.IsUpper):
			return true
		}
	}
	return false
}

// HasSlash reports whether a pattern has a slash outside of a set.
func HasSlash(pattern string, syn Syntax) bool {
	if syn != Regexp {
		return strings.Contains(pattern, "/")
	}
	for e := range elements(pattern) {
		if !e.inSet && strings.Contains(e.text, "/") {
			return true
		}
	}
	return false
}

// isBeyond reports whether an expression has what regexp2 understands and package
// regexp does not: (?=a) (?!a) (?<=a) (?<!a) (?>a) (?(1)a|b) \1 \k<a> (?P=a) a++.
func isBeyond(expression string) bool {
	last := ""
	for e := range elements(expression) {
		switch {
		case e.inSet:
			last = ""
			continue
		case e.text == "+" && last != "" && strings.Contains("*+?}", last):
			return true
		case len(e.text) > 1 && e.text[0] == '\\':
			if c := e.text[1]; '1' <= c && c <= '9' || c == 'k' {
				return true
			}
		}
		for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>", "(?(", "(?P="} {
			if strings.HasPrefix(e.text, open) {
				return true
			}
		}
		last = e.text
	}
	return false
}

// An element of an expression: an escape with what belongs to it, what opens a
// group, or one character.
type element struct {
	text  string
	at    int
	inSet bool // in [...], or its bracket
}

// elements goes through an expression, also a wrong one.
func elements(expression string) iter.Seq[element] {
	return func(yield func(element) bool) {
		set := -1 // where the [ is, if not -1
		for at := 0; at < len(expression); {
			e := element{at: at, text: expression[at:][:elementLen(expression[at:], set >= 0)], inSet: set >= 0}
			at += len(e.text)
			switch {
			case set < 0 && e.text == "[":
				set, e.inSet = e.at, true
			case set >= 0 && e.text == "]" && strings.Trim(expression[set+1:e.at], "^") != "":
				set = -1
			}
			if !yield(e) {
				return
			}
		}
	}
}

func elementLen(s string, inSet bool) int {
	_, size := utf8.DecodeRuneInString(s)
	switch {
	case s[0] == '\\':
		return escapeLen(s)
	case inSet && classLen(s) > 0:
		return classLen(s)
	case !inSet && strings.HasPrefix(s, "(?"):
		return groupLen(s)
	}
	return size
}

// classLen returns the length of the [:name:] that s begins with, or 0.
func classLen(s string) int {
	name, ok := strings.CutPrefix(s, "[:")
	if !ok {
		return 0
	}
	end := strings.Index(name, ":]")
	if end < 0 || strings.Trim(name[:end], "abcdefghijklmnopqrstuvwxyz^") != "" {
		return 0
	}
	return len("[:") + end + len(":]")
}

// escapeLen returns the length of the escape that s begins with.
func escapeLen(s string) int {
	if strings.HasPrefix(s, `\Q`) {
		quoted, _, _ := strings.Cut(s, `\E`)
		return min(len(quoted)+2, len(s))
	}
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case 'p', 'P', 'x', 'k':
		if len(s) > 2 {
			if closing := strings.IndexByte("{<'", s[2]); closing >= 0 {
				if end := strings.IndexByte(s[3:], "}>'"[closing]); end >= 0 {
					return 3 + end + 1
				}
			}
		}
		if s[1] == 'x' {
			return min(4, len(s))
		}
		if s[1] != 'k' {
			return min(3, len(s))
		}
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return 1 + size
}

// groupLen returns the length of what opens the group that s begins with.
func groupLen(s string) int {
	for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.HasPrefix(s, open) {
			return len(open)
		}
	}
	if end := strings.IndexAny(s, ">:)"); end >= 0 {
		return end + 1
	}
	return len(s)
}
