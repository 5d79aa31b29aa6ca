package gnufind

import (
	"fmt"
	"strings"

	"ldx/internal/command"
	"ldx/internal/match"
)

// A pattern is one of find's: of -name, -path or -regex.
type pattern struct {
	word string // -name, -path or -regex
	text string
}

// folds reports whether letters in any case match.
func folds(word string) bool { return strings.HasPrefix(word, "-i") }

// glob returns a pattern of -name as ldx's globs have it: braces are literals in find's.
func (p pattern) glob() string {
	var b strings.Builder
	for rest := p.text; rest != ""; {
		n := globPart(rest)
		if rest[0] == '{' {
			b.WriteByte('\\')
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	return b.String()
}

// globPart returns the length of the first part of a glob: a set, an escaped character or a byte.
func globPart(glob string) int {
	switch {
	case glob[0] == '\\' && len(glob) > 1:
		return 2
	case glob[0] == '[':
		from := 1
		if from < len(glob) && (glob[from] == '!' || glob[from] == '^') {
			from++
		}
		for i := from; i < len(glob); i++ {
			switch {
			case glob[i] == '\\':
				i++
			case strings.HasPrefix(glob[i:], "[:"):
				if end := strings.Index(glob[i:], ":]"); end > 0 {
					i += end + 1
				}
			case glob[i] == ']' && i > from:
				return i + 1
			}
		}
	}
	return 1
}

// expression returns the pattern as a regular expression for absolute paths. before is what
// such a path has before the path that find sees.
func (p pattern) expression(before string) (string, error) {
	switch p.word {
	case "-name":
		return "/" + globExpression(p.text, "[^/]") + "$", nil
	case "-path":
		rest := strings.TrimLeft(p.text, "*")
		if rest != p.text {
			return p.unanchored(globExpression(rest, "."), literalHead(rest), before)
		}
		return p.anchored(globExpression(p.text, "."), before)
	}
	text, err := emacsExpression(p.text)
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(text, ".*"); ok && !strings.HasPrefix(rest, "?") && !strings.HasPrefix(rest, "|") {
		return p.unanchored(rest, emacsHead(rest), before)
	}
	return p.anchored(text, before)
}

// anchored returns an expression for a path that find sees as a whole.
func (p pattern) anchored(expression, before string) (string, error) {
	rest, dot := strings.CutPrefix(expression, `\./`)
	if !dot && p.word == "-regex" { // whose . may stand for itself
		rest, dot = strings.CutPrefix(expression, "./")
	}
	switch {
	case !strings.HasSuffix(before, "/") && !dot:
		return "", fmt.Errorf("find's %s %s has no counterpart in ldx; it does not begin with a * or ./", p.word, command.ShellWord(p.text))
	case !strings.HasSuffix(before, "/"):
		before += "/"
	}
	return "^" + literal(before) + ending(rest), nil
}

// unanchored returns an expression for the end of a path. It must not match what the absolute
// path alone has.
func (p pattern) unanchored(expression, head, before string) (string, error) {
	if !strings.HasSuffix(before, "/") && mayBeginWith(expression, "./") {
		return "", fmt.Errorf("find's %s %s has no counterpart in ldx; its dot is that of ./", p.word, command.ShellWord(p.text))
	}
	for i := range before {
		if head == "" || strings.HasPrefix(before[i:], head) || strings.HasPrefix(head, before[i:]) {
			return "^" + literal(before) + ".*" + ending(expression), nil
		}
	}
	return ending(expression), nil
}

// mayBeginWith reports whether an expression may match a text that begins with these bytes. It
// may be wrong only if it reports true.
func mayBeginWith(expression, text string) bool {
	if expression == "" || text == "" {
		return text == ""
	}
	n := 1
	switch expression[0] {
	case '[':
		n = setLen(expression)
	case '(':
		n = strings.LastIndexByte(expression, ')') + 1
	case '\\':
		n = 2
	}
	first, rest := expression[:n], expression[n:]
	if expression[0] == '(' {
		if strings.ContainsAny(strings.ReplaceAll(first[1:], `\.`, ""), `/.[*?+(\`) {
			return true
		}
	}
	m, err := match.New([]string{"^" + first}, match.Options{})
	if err != nil {
		return true
	}
	matches, err := m.Match([]byte(text[:1]))
	switch {
	case rest != "" && strings.IndexByte("*?", rest[0]) >= 0:
		return true // first may be missing
	case !matches && err == nil:
		return false
	case rest != "" && rest[0] == '+':
		return true
	}
	return mayBeginWith(rest, text[1:])
}

// ending anchors an expression at the end, unless anything may follow.
func ending(expression string) string {
	if short, ok := strings.CutSuffix(expression, ".*"); ok && short != "" && !strings.HasSuffix(short, `\`) {
		return short
	}
	return expression + "$"
}

// globExpression returns a glob as a regular expression whose * and ? are made of one, an expression
// for a character.
func globExpression(glob, one string) string {
	var b strings.Builder
	for rest := glob; rest != ""; {
		n := globPart(rest)
		switch part := rest[:n]; {
		case part == "*":
			b.WriteString(one + "*")
		case part == "?":
			b.WriteString(one)
		case n > 1 && part[0] == '[':
			if part[1] == '!' {
				part = "[^" + part[2:]
			}
			b.WriteString(part)
		case n == 2:
			b.WriteString(literal(part[1:]))
		default:
			b.WriteString(literal(part))
		}
		rest = rest[n:]
	}
	return b.String()
}

// literalHead returns what a glob begins with that stands for itself.
func literalHead(glob string) string {
	if i := strings.IndexAny(glob, `*?[\`); i >= 0 {
		return glob[:i]
	}
	return glob
}

// emacsHead returns the literal that an expression begins with, or a part of it.
func emacsHead(expression string) string {
	head := ""
	for rest := expression; rest != ""; {
		c := rest[0]
		if c == '\\' && len(rest) > 1 {
			rest = rest[1:]
		} else if strings.IndexByte(`.*+?()[]{}|^$`, c) >= 0 {
			break
		}
		if len(rest) > 1 && strings.IndexByte("*+?", rest[1]) >= 0 { // may be missing
			break
		}
		head += string(rest[:1])
		rest = rest[1:]
	}
	return head
}

// emacsExpression translates the syntax of find's -regex: \( \| \) group, and ( | ) { } are
// literals.
func emacsExpression(text string) (string, error) {
	var b strings.Builder
	depth := 0
	for rest := text; rest != ""; {
		n := 1
		switch c := rest[0]; {
		case c == '\\' && len(rest) > 1:
			n = 2
			switch next := rest[1]; {
			case next == '|' && depth == 0:
				return "", fmt.Errorf(`\| of find's -regex has a counterpart in ldx only between \( and \)`)
			case strings.IndexByte("(|)", next) >= 0:
				b.WriteByte(next)
				depth += strings.IndexByte(")|(", next) - 1
			case next >= 0x80 || strings.IndexByte(`.*+?[]{}^$\/-`, next) < 0:
				return "", fmt.Errorf("\\%c of find's -regex has no counterpart in ldx", next)
			default:
				b.WriteString(literal(rest[1:2]))
			}
		case strings.IndexByte("(|){}", c) >= 0:
			b.WriteString(`\` + rest[:1])
		case c == '[':
			if n = setLen(rest); n == 1 {
				return "", fmt.Errorf("find's -regex %q: a [ is not closed", text)
			}
			b.WriteString("[" + strings.ReplaceAll(rest[1:n-1], `\`, `\\`) + "]")
		default:
			b.WriteByte(c)
		}
		rest = rest[n:]
	}
	if _, err := match.New([]string{b.String()}, match.Options{}); err != nil {
		return "", fmt.Errorf("find's -regex: %w", err)
	}
	return b.String(), nil
}

// literal returns a text as a regular expression that matches it alone.
func literal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`\.+*?()|[]{}^$`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// setLen returns the length of the set that an expression begins with; 1: it has no end. A
// backslash in it is a literal.
func setLen(text string) int {
	from := 1
	if from < len(text) && text[from] == '^' {
		from++
	}
	if end := strings.IndexByte(text[min(from+1, len(text)):], ']'); end >= 0 {
		return from + 1 + end + 1
	}
	return 1
}
