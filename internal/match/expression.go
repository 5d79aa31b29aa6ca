package match

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A parsed is a parsed pattern: a literal, a tree or beyond.
type parsed struct {
	literal *literal
	tree    *syntax.Regexp // not simplified
	source  string         // tree's, for package regexp
	extra   int            // instructions in excess of those its length allows; may be negative
	beyond  *backtracker
}

// parse parses a pattern.
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
	p, err := opt.parseExpression(expression)
	if err != nil {
		if opt.Syntax == Regexp && err.code != syntax.ErrLarge && isBeyond(expression) {
			b, err := newBacktracker(expression, opt.Fold)
			if err != nil && strings.HasSuffix(err.Reason, ")") {
				err.At, err.Len = unbalanced(pattern), 1
			}
			return parsed{beyond: b}, err
		}
		return parsed{}, opt.explain(pattern, err)
	}
	return p, nil
}

// isPlain reports whether an expression is only a literal. It is cheaper than
// parsing.
func isPlain(expression string) bool {
	return expression != "" && !strings.ContainsAny(expression, "\\.+*?()|[]{}^$\ufffd")
}

func (opt Options) parseExpression(expression string) (parsed, *syntaxError) {
	flags, written := syntax.Perl|syntax.DotNL, "(?s)"
	if opt.Fold {
		flags, written = flags|syntax.FoldCase, "(?is)"
	}
	source := expression
	tree, err := parseTree(expression, flags)
	if err != nil && err.code == syntax.ErrInvalidRepeatSize {
		tree, source, err = parseCounts(expression, flags)
	}
	if err != nil {
		return parsed{}, err
	}
	extra := size(tree) - sizePerByte*len(expression)
	if extra > maxExtra {
		return parsed{}, tooLarge(expression)
	}
	tree = trimmed(tree)
	return parsed{literal: treeLiteral(tree), tree: tree, source: written + source, extra: extra}, nil
}

// dotted reports whether the pattern matches only texts that begin with a dot.
func (p *parsed) dotted() bool {
	if p.literal != nil {
		return p.literal.at&atStart != 0 && strings.HasPrefix(p.literal.text, ".")
	}
	return p.tree != nil && dotted(p.tree)
}

// dotted reports whether it is obvious that an expression matches only texts
// that begin with a dot.
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

// HasUpper reports whether a pattern has an uppercase letter that is a literal
// (not part of \W, \pL or the name of a group) or names a case, such as
// [[:lower:]] or \p{Lu}. With smart case such a pattern is case-sensitive.
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

// HasSlash reports whether a pattern has a slash outside of sets.
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

// isBeyond reports whether an expression has syntax that regexp2 supports and
// package regexp does not: (?=a) (?!a) (?<=a) (?<!a) (?>a) (?(1)a|b) \1 \k<a>
// (?P=a) a++.
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
