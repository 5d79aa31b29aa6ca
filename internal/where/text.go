package where

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// text compares a text.
func (c *comparison) text() (*node, error) {
	how := match.Options{Path: c.Name == "path"}
	switch c.op {
	case in:
		how.Syntax = match.Exact
	case matches:
		how.Syntax = match.Regexp
	case like:
		how.Syntax = match.Glob
	default:
		return nil, &operatorError{c.property.text + " is a text; give one of = != in ~ !~ like"}
	}
	if c.Name == "ext" && c.op == in {
		return c.extensions()
	}
	var values []string
	upper := false
	for i, v := range c.values {
		c.at = i
		switch {
		case v.text == "":
			return nil, fmt.Errorf("%s is never empty", c.property.text)
		case c.Name == "name" && match.HasSlash(v.text, how.Syntax):
			return nil, errors.New("no name has a slash; path is the property that has")
		}
		values = append(values, v.text)
		upper = upper || match.HasUpper(v.text, how.Syntax)
	}
	how.Fold = c.IgnoreCase || !c.CaseSensitive && !upper
	m, err := match.New(values, how)
	if err != nil {
		return nil, err
	}
	return &node{test: c.ofTexts(m)}, nil
}

// extensions compares the end of a name, so that an extension may have dots.
func (c *comparison) extensions() (*node, error) {
	n := &node{join: or}
	var endings []string
	var from []int // their values
	for i, v := range c.values {
		if v.text == "" {
			n.kids = append(n.kids, &node{test: &test{cost: ofName, holds: func(_ *expression, e *dir.Entry) (bool, error) {
				return len(dir.Extension(e.Name)) == 0, nil
			}}})
			continue
		}
		endings, from = append(endings, "."+strings.TrimPrefix(v.text, ".")), append(from, i)
	}
	if len(endings) > 0 {
		m, err := match.New(endings, match.Options{Syntax: match.Suffix, Fold: !c.CaseSensitive})
		if wrong, ok := errors.AsType[*match.Error](err); ok {
			c.at = from[wrong.Index]
			return nil, errors.New(wrong.Reason)
		}
		n.kids = append(n.kids, &node{test: ofNames(m)})
	}
	return n, nil
}

// ofNames returns the test that m matches the name.
func ofNames(m *match.Matcher) *test {
	return &test{cost: ofName, of: aName, names: m, absent: m.Absent}
}

// ofTexts returns the test that m matches the property.
func (c *comparison) ofTexts(m *match.Matcher) *test {
	switch c.Name {
	case "name":
		return ofNames(m)
	case "target":
		return &test{cost: ofSystem, holds: func(_ *expression, e *dir.Entry) (bool, error) {
			if e.Type != fs.ModeSymlink {
				return false, nil
			}
			target, err := e.Target()
			if err != nil {
				return false, err
			}
			return matched(m, e, target)
		}}
	}
	p := c.Property
	return &test{cost: ofPath, holds: func(x *expression, e *dir.Entry) (bool, error) {
		if x.scratch = p.AppendRaw(x.scratch[:0], e, nil); len(x.scratch) == 0 {
			return false, nil
		}
		return matched(m, e, x.scratch)
	}}
}
