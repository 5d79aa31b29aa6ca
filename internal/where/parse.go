package where

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The grammar. Words may be in any case.
//
//	either = both { "or" both }
//	both   = one { "and" one }
//	one    = "not" one | "(" either ")" | word | test
//	test   = property operator value | property ["not"] "like" value
//	       | property ["not"] "in" "(" value { "," value } ")"
//	value  = text without blanks and parentheses | 'text' | "text"
//
// In quotes each character is itself, and the quote is written twice.

// A parser is a position in a text.
type parser struct {
	Options
	text  string
	at    int
	depth int
}

// A word is a part of the text.
type word struct {
	text    string
	at, len int  // with quotes
	quoted  bool // and text may be shorter than what it is in
}

const maxDepth = 1000 // of parentheses and nots

func parse(text string, opt Options) (_ *node, err error) {
	p := &parser{Options: opt, text: text}
	n, err := p.either()
	if err != nil {
		return nil, err
	}
	if w := p.peek(); w.len > 0 {
		if w.text == ")" {
			return nil, p.wrong(w, `there is no "(" for this`)
		}
		return nil, p.wrong(w, "give and, or, or the end; a value with blanks, parentheses or a quote is to be in quotes")
	}
	return n, nil
}

// wrong returns the error that w is wrong.
func (p *parser) wrong(w word, format string, args ...any) error {
	return &Error{Text: p.text, At: w.at, Len: w.len, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) either() (*node, error) { return p.joined("or", or, p.both) }
func (p *parser) both() (*node, error)   { return p.joined("and", and, p.one) }

// joined reads one or more parts with a word between them.
func (p *parser) joined(by string, as join, part func() (*node, error)) (*node, error) {
	n, err := part()
	if err != nil {
		return nil, err
	}
	for strings.EqualFold(p.peek().text, by) {
		p.next()
		kid, err := part()
		if err != nil {
			return nil, err
		}
		if n.join != as {
			n = &node{join: as, kids: []*node{n}}
		}
		n.kids = append(n.kids, kid)
	}
	return n, nil
}

func (p *parser) one() (*node, error) {
	w := p.next()
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong(w, "there are more than %d parentheses and nots in each other", maxDepth)
	}
	defer func() { p.depth-- }()
	switch {
	case w.len == 0:
		return nil, p.wrong(w, "give a test here, such as size > 1M")
	case strings.EqualFold(w.text, "not"):
		n, err := p.one()
		if err != nil {
			return nil, err
		}
		return negate(n), nil
	case w.text != "(":
		return p.test(w)
	}
	n, err := p.either()
	if err != nil {
		return nil, err
	}
	if end := p.next(); end.text != ")" {
		if end.len > 0 {
			return nil, p.wrong(end, "give and, or, or ) here; a value with blanks, parentheses or a quote is to be in quotes")
		}
		return nil, p.wrong(w, "this parenthesis is not closed")
	}
	return n, nil
}

func negate(n *node) *node { return &node{join: not, kids: []*node{n}} }

// test reads a test that begins with the property w.
func (p *parser) test(w word) (*node, error) {
	if t := bare(strings.ToLower(w.text)); t != nil {
		return &node{test: t}, nil
	}
	subject, ok := propertyOf(strings.ToLower(w.text))
	if !ok {
		return nil, p.wrong(w, "there is no property %q; give one of %s", w.text, strings.Join(Words(), ", "))
	}
	c := comparison{Options: p.Options, subject: subject, property: w}
	negated, err := p.operator(&c)
	if err != nil {
		return nil, err
	}
	if c.op == in && !c.one {
		c.values, err = p.list()
	} else {
		var one word
		one, err = p.value("")
		c.values = []word{one}
	}
	if err != nil {
		return nil, err
	}
	n, wrong := c.node()
	switch {
	case wrong != nil:
		return nil, p.locate(&c, wrong)
	case negated:
		return negate(n), nil
	}
	return n, nil
}

// operators has the operators, longer ones before those that they begin with. Those that negate
// another one are the other with a not.
var operators = [...]struct {
	text    string
	op      operator
	negates bool
}{
	{"!=", in, true},
	{"!~", matches, true},
	{"==", in, false},
	{"=~", matches, false},
	{"<=", atMost, false},
	{">=", atLeast, false},
	{"=", in, false},
	{"<", below, false},
	{">", above, false},
	{"~", matches, false},
}

// operator reads the operator of c, and reports whether the test is negated.
func (p *parser) operator(c *comparison) (negated bool, err error) {
	p.blanks()
	for _, o := range operators {
		if strings.HasPrefix(p.text[p.at:], o.text) {
			c.operator = word{text: o.text, at: p.at, len: len(o.text)}
			p.at += len(o.text)
			c.op = o.op
			c.one = o.op == in
			return o.negates, nil
		}
	}
	w := p.next()
	if strings.EqualFold(w.text, "not") {
		negated = true
		w = p.next()
	}
	c.operator = w
	switch strings.ToLower(w.text) {
	case "in":
		c.op = in
	case "like":
		c.op = like
	default:
		return false, p.wrong(w, "give one of = != < <= > >= ~ !~ like in after %s", c.property.text)
	}
	return negated, nil
}

// list reads the values of in.
func (p *parser) list() (values []word, err error) {
	open := p.next()
	if open.text != "(" {
		return nil, p.wrong(open, "give a list in parentheses after in, such as (go, c)")
	}
	for {
		v, err := p.value(",")
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		p.blanks()
		switch {
		case strings.HasPrefix(p.text[p.at:], ","):
			p.at++
		case strings.HasPrefix(p.text[p.at:], ")"):
			p.at++
			return values, nil
		default:
			w := p.peek()
			if w.len == 0 {
				return nil, p.wrong(open, "this parenthesis is not closed")
			}
			return nil, p.wrong(w, "give a comma between two values, and ) after the last one")
		}
	}
}

// value reads a value, which ends at a blank, a parenthesis or one of stops unless it is in
// quotes.
func (p *parser) value(stops string) (word, error) {
	p.blanks()
	if rest := p.text[p.at:]; rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		return p.quoted(rest[0])
	}
	w := p.until(" \t\n\r()" + stops)
	if w.len == 0 {
		w = p.peek()
		return w, p.wrong(w, "give a value here; one with blanks, parentheses or a quote is to be in quotes")
	}
	return w, nil
}

func (p *parser) quoted(quote byte) (word, error) {
	var text strings.Builder
	start := p.at
	for i := start + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c != quote:
			text.WriteByte(c)
		case i+1 < len(p.text) && p.text[i+1] == quote:
			text.WriteByte(c)
			i++
		default:
			p.at = i + 1
			return word{text.String(), start, p.at - start, true}, nil
		}
	}
	return word{}, p.wrong(word{at: start, len: 1}, "this quote is not closed")
}

func (p *parser) blanks() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], " \t\n\r"))
}

// until returns the text before any of stops.
func (p *parser) until(stops string) word {
	end := strings.IndexAny(p.text[p.at:], stops)
	if end < 0 {
		end = len(p.text) - p.at
	}
	w := word{text: p.text[p.at : p.at+end], at: p.at, len: end}
	p.at += end
	return w
}

// next returns the next word or parenthesis, or another single character; it has no length at
// the end.
func (p *parser) next() word {
	p.blanks()
	if w := p.until(" \t\n\r()=!<>~,'\""); w.len > 0 || w.at == len(p.text) {
		return w
	}
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	w := word{text: p.text[p.at : p.at+size], at: p.at, len: size}
	p.at += size
	return w
}

func (p *parser) peek() word {
	at := p.at
	w := p.next()
	p.at = at
	return w
}
