package match

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// An element is a part of an expression: a whole escape, the opening of a
// group, or one character.
type element struct {
	text  string
	at    int
	inSet bool // in [...], or one of its brackets
	last  bool // the closing bracket of a set
}

// opensGroup reports whether the element opens a group.
func (e element) opensGroup() bool {
	return !e.inSet && e.text[0] == '(' && (e.text[len(e.text)-1] != ')' || strings.HasPrefix(e.text, "(?("))
}

// depth returns the depth of nested groups in an expression.
func depth(expression string) (deepest int) {
	open := 0
	for e := range elements(expression) {
		switch {
		case e.opensGroup():
			open++
			deepest = max(deepest, open)
		case e.text == ")" && !e.inSet:
			open--
		}
	}
	return deepest
}

// elements yields the elements of an expression, valid or not.
func elements(expression string) iter.Seq[element] {
	return func(yield func(element) bool) {
		set := -1 // offset of an open "[", or -1
		for at := 0; at < len(expression); {
			e := element{at: at, text: expression[at:][:elementLen(expression[at:], set >= 0)], inSet: set >= 0}
			at += len(e.text)
			switch {
			case set < 0 && e.text == "[":
				set, e.inSet = e.at, true
			case set >= 0 && e.text == "]" && e.at > set+1 && expression[set+1:e.at] != "^":
				set, e.last = -1, true
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

// classLen returns the length of the [:name:] at the beginning of s, or 0.
func classLen(s string) int {
	name, ok := strings.CutPrefix(s, "[:")
	if !ok {
		return 0
	}
	rest := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz^")
	if !strings.HasPrefix(rest, ":]") {
		return 0
	}
	return len(s) - len(rest) + len(":]")
}

// escapeLen returns the length of the escape at the beginning of s.
func escapeLen(s string) int {
	if strings.HasPrefix(s, `\Q`) {
		quoted, _, _ := strings.Cut(s, `\E`)
		return min(len(quoted)+2, len(s))
	}
	if len(s) < 2 {
		return len(s)
	}
	switch c := s[1]; c {
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return 1 + octalLen(s[1:])
	case 'p', 'P', 'x', 'k':
		if n := bracedLen(s[2:]); n > 0 {
			return 2 + n
		}
		if c == 'x' {
			return min(4, len(s))
		}
		if c != 'k' {
			return min(3, len(s))
		}
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return 1 + size
}

// octalLen returns the number of digits that form an octal number. A single
// digit other than 0 is a back-reference.
func octalLen(s string) int {
	n := 1
	for n < min(3, len(s)) && '0' <= s[n] && s[n] <= '7' {
		n++
	}
	return n
}

// bracedLen returns the length of the {name}, <name> or 'name' at the beginning
// of s, or 0. A name has no backslash, so an invalid expression is not searched
// to its end over and over.
func bracedLen(s string) int {
	if s == "" {
		return 0
	}
	opening := strings.IndexByte("{<'", s[0])
	if opening < 0 {
		return 0
	}
	closing := "}>'"[opening]
	end := strings.IndexAny(s[1:], string(closing)+`\`)
	if end < 0 || s[1+end] != closing {
		return 0
	}
	return 1 + end + 1
}

// groupLen returns the length of the opening of the group at the beginning of
// s.
func groupLen(s string) int {
	for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.HasPrefix(s, open) {
			return len(open)
		}
	}
	name := strings.TrimPrefix(s[len("(?"):], "(") // the name in a condition
	end := strings.IndexAny(name, ">:)(")
	switch {
	case end < 0:
		return len(s)
	case name[end] == '(': // not in a name
		return len(s) - len(name) + end
	}
	return len(s) - len(name) + end + 1
}
