package where

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/format"
	"ldx/internal/match"
	"ldx/internal/property"
)

// An operator compares a property with values. = is in with one value.
type operator uint8

const (
	in operator = iota
	below
	atMost
	above
	atLeast
	matches // a regular expression
	like    // a glob
)

// A subject is what is compared: a property, or a part of it.
type subject struct {
	*property.Property
	id bool // an owner as a number that has an order
}

// propertyOf returns the subject of that name.
func propertyOf(name string) (s subject, ok bool) {
	switch name {
	case "uid":
		name, s.id = "user", true
	case "gid":
		name, s.id = "group", true
	case "perm":
		name = "mode"
	}
	s.Property = property.Get(name)
	return s, s.Property != nil
}

// states are words that are tests by themselves, and types of package filter.
var states = [...]string{"empty", "broken", "executable", "readable", "writable"}

// bare returns the test that a word is by itself, or nil.
func bare(name string) *test {
	if name == "hidden" {
		return &test{cost: ofEntry, holds: func(_ *expression, e *dir.Entry) (bool, error) { return e.Hidden(), nil }}
	}
	if slices.Contains(states[:], name) {
		if t, err := filter.ParseType(name); err == nil {
			return typeTest(t)
		}
	}
	return nil
}

// Words returns the names of properties, and the words that are tests by themselves.
func Words() []string {
	return slices.Concat(property.Placeholders(), []string{"perm", "uid", "gid", "hidden"}, states[:])
}

// A comparison is a test as it is written.
type comparison struct {
	Options
	subject
	op                 operator
	one                bool // the value of =
	property, operator word
	values             []word

	at int // the index of the value that is wrong, if one is
}

// An operatorError means that a property cannot be compared in this way.
type operatorError struct{ reason string }

func (e *operatorError) Error() string { return e.reason }

// locate returns what is wrong with a comparison as an Error.
func (p *parser) locate(c *comparison, err error) error {
	if wrong, ok := errors.AsType[*operatorError](err); ok {
		return p.wrong(c.operator, "%s", wrong.reason)
	}
	w := c.values[c.at]
	if wrong, ok := errors.AsType[*match.Error](err); ok && wrong.Pattern != "" {
		w = c.values[wrong.Index]
		if shift := w.len - len(w.text); shift == 0 || shift == 2 { // as written, perhaps in quotes
			w.at, w.len = w.at+shift/2+wrong.At, wrong.Len
		}
		kind := "regular expression"
		if c.op == like {
			kind = "glob"
		}
		return p.wrong(w, "this is not a %s: %s%s", kind, wrong.Reason, p.hint(&c.values[wrong.Index]))
	}
	return p.wrong(w, "%v%s", err, p.hint(&w))
}

// hint says that a value is to be in quotes, if what follows it seems to belong to it.
func (p *parser) hint(value *word) string {
	next := p.peek()
	if value.quoted || next.len == 0 || slices.Contains([]string{")", ",", "and", "or"}, strings.ToLower(next.text)) {
		return ""
	}
	return "; a value with blanks, parentheses or a quote is to be in quotes"
}

// node returns the tests that the comparison is.
func (c *comparison) node() (*node, error) {
	switch kind := c.Kind(); {
	case c.Name == "type":
		return c.types()
	case c.Name == "mode":
		return c.modes()
	case kind == property.Text, kind == property.Target:
		return c.text()
	case kind == property.Clock:
		return c.times()
	case kind == property.Owner && !c.id:
		return c.owners()
	}
	return c.numbers()
}

// anyOf returns a node that is true if a test of one of the values is.
func (c *comparison) anyOf(of func(value string) (*test, error)) (*node, error) {
	n := &node{join: or}
	for i, v := range c.values {
		t, err := of(v.text)
		if err != nil {
			c.at = i
			return nil, err
		}
		n.kids = append(n.kids, &node{test: t})
	}
	if len(n.kids) == 1 {
		return n.kids[0], nil
	}
	return n, nil
}

// equality returns an error if the operator is about an order or a pattern.
func (c *comparison) equality() error {
	if c.op != in {
		return &operatorError{c.property.text + " can be compared with =, != and in alone"}
	}
	return nil
}

func (c *comparison) types() (*node, error) {
	if err := c.equality(); err != nil {
		return nil, err
	}
	n, err := c.anyOf(func(value string) (*test, error) {
		t, err := filter.ParseType(value)
		return typeTest(t), err
	})
	if err == nil && n.join == or { // types are a set, their restrictions are not
		for len(n.kids) > 1 && n.kids[0].test.of == aType && n.kids[1].test.of == aType {
			n.kids[1].test = typeTest(n.kids[0].test.types | n.kids[1].test.types)
			n.kids = n.kids[1:]
		}
	}
	return n, err
}

// typeTest returns the test for types, or for one with a restriction.
func typeTest(t filter.Type) *test {
	if t.Restricts() {
		return &test{cost: ofSystem, holds: func(x *expression, e *dir.Entry) (bool, error) { return t.Holds(e, x.ask) }}
	}
	of := &test{cost: ofEntry, of: aType, types: t}
	if t == filter.Directory {
		of.absent = func([]byte, bool) bool { return true }
	}
	return of
}

func (c *comparison) modes() (*node, error) {
	if err := c.equality(); err != nil {
		return nil, err
	}
	return c.anyOf(func(value string) (*test, error) {
		how, bits, err := filter.ParseMode(value)
		return ofAttribute(filter.Permissions(how, bits)), err
	})
}

// owners compares an owner by name or number.
func (c *comparison) owners() (*node, error) {
	if err := c.equality(); err != nil {
		return nil, err
	}
	lookUp := filter.UserID
	if c.Name == "group" {
		lookUp = filter.GroupID
	}
	return c.anyOf(func(value string) (*test, error) {
		id, err := lookUp(value)
		return c.number(func(n uint64) bool { return n == uint64(id) }), err
	})
}

func ofAttribute(a filter.Attribute) *test { return &test{cost: ofInfo, of: anAttribute, attribute: a} }

// times compares a time with a date, or its age with a duration.
func (c *comparison) times() (*node, error) {
	if c.op == in || c.op == matches || c.op == like {
		return nil, &operatorError{"a time can be compared with <, <=, > and >= alone"}
	}
	t, ago, err := filter.ParseWhen(c.values[0].text, c.Now)
	if err != nil {
		return nil, err
	}
	op := c.op
	if ago { // an age is below that of an earlier time
		op = [...]operator{below: above, atMost: atLeast, above: below, atLeast: atMost}[op]
	}
	field := c.Needs
	return &node{test: ofAttribute(filter.NewAttribute(field, func(info *dir.Info) bool {
		own := property.Time(info, field)
		return property.Known(own) && op.holds(property.CompareTimes(own, t))
	}))}, nil
}

// holds reports whether an operator holds for the result of a comparison.
func (op operator) holds(compared int) bool {
	switch op {
	case below:
		return compared < 0
	case atMost:
		return compared <= 0
	case above:
		return compared > 0
	case atLeast:
		return compared >= 0
	}
	return compared == 0
}

// numbers compares a number, or a size in bytes.
func (c *comparison) numbers() (*node, error) {
	op := c.op
	if op == matches || op == like {
		return nil, &operatorError{c.property.text + " is a number; give one of = != < <= > >= in"}
	}
	return c.anyOf(func(value string) (*test, error) {
		bound, err := strconv.ParseUint(value, 10, 64)
		switch {
		case err == nil:
		case c.Kind() == property.Bytes:
			var size int64
			if size, err = format.ParseSize(value); err != nil {
				return nil, err
			}
			bound = uint64(size)
		default:
			return nil, fmt.Errorf("%s is a number; give a whole number", c.property.text)
		}
		return c.number(func(n uint64) bool { return op.holds(cmp.Compare(n, bound)) }), nil
	})
}

// number returns a test of the property as a number.
func (c *comparison) number(is func(uint64) bool) *test {
	p := c.Property
	if p.Needs == 0 {
		return &test{cost: ofEntry, holds: func(_ *expression, e *dir.Entry) (bool, error) { return is(p.Number(e, nil)), nil }}
	}
	a := filter.NewAttribute(p.Needs, func(info *dir.Info) bool { return is(p.Number(nil, info)) })
	if p.Kind() == property.Bytes {
		a = a.OfFiles()
	}
	return ofAttribute(a)
}
