// Package where is the language of --where: tests of properties, such as size > 1M, joined by
// and, or, not and parentheses.
//
//	parse.go     from text to a tree of tests
//	compare.go   what one test means: its property, operator and values; text.go has those of texts
//	code.go      the tree, cheapest test first, as code that leaves out what cannot matter
//
// A test of something that an entry does not have is false: the size of a directory, the target
// of a file, a creation time that the file system does not keep. != is the opposite of =, so it
// is true of these.
package where

import (
	"io/fs"
	"time"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// Options say what an expression means.
type Options struct {
	CaseSensitive bool      // letters are as they are
	IgnoreCase    bool      // in any case; without either, smart case
	Now           time.Time // when ages are measured
}

// An Error says what is wrong with an expression, and where.
type Error struct {
	Text    string
	At, Len int // the wrong bytes of Text
	Reason  string
}

func (e *Error) Error() string { return e.Reason }

// Add adds the tests of an expression to an entry's: those that must all hold each by itself, as
// if they were given by flags, and what is left as a Condition. The error is an *Error.
func Add(to *filter.Options, text string, opt Options) error {
	tree, err := parse(text, opt)
	if err != nil {
		return err
	}
	if tree = tree.split(to); tree != nil {
		to.Conditions = append(to.Conditions, compile(tree, to.DirSizes))
	}
	return nil
}

// An expression is a compiled tree. It is a filter.Condition.
type expression struct {
	code     []step
	start    int
	needs    dir.Fields
	dirSizes bool
	screens  bool // a step can rule out names

	ask     dir.Fields // of the Info of an entry
	scratch []byte
	reached []bool
}

func (x *expression) Clone() filter.Condition {
	clone := *x
	clone.scratch, clone.reached = nil, nil
	return &clone
}

func (x *expression) Needs() dir.Fields { return x.needs }

func (x *expression) Along(fields dir.Fields) { x.ask = x.needs | fields }

func (x *expression) Match(e *dir.Entry) (ok bool, err error) {
	i := x.start
	for i >= 0 {
		s := &x.code[i]
		switch s.of {
		case aType:
			ok = s.types.Has(e.Type)
		case aName:
			ok, err = matched(s.names, e, e.Name)
		case anAttribute:
			ok, err = s.attribute.Match(e, x.ask, x.dirSizes)
		default:
			ok, err = s.holds(x, e)
		}
		switch {
		case err != nil:
			return false, err
		case ok:
			i = s.yes
		default:
			i = s.no
		}
	}
	return i == accept, nil
}

func (x *expression) Absent(names []byte, ascii bool) bool {
	if !x.screens {
		return false
	}
	if x.reached == nil {
		x.reached = make([]bool, len(x.code))
	}
	clear(x.reached)
	x.reached[x.start] = true
	for i := x.start; i >= 0; i-- { // a step leads to earlier ones
		s := &x.code[i]
		switch {
		case !x.reached[i]:
			continue
		case s.absent == nil || !s.absent(names, ascii):
			if s.yes == accept {
				return false
			}
			x.reach(s.yes)
		}
		if s.no == accept {
			return false
		}
		x.reach(s.no)
	}
	return true
}

func (x *expression) reach(i int) {
	if i >= 0 {
		x.reached[i] = true
	}
}

// matched reports whether m matches a text of e.
func matched(m *match.Matcher, e *dir.Entry, text []byte) (bool, error) {
	ok, err := m.Match(text)
	if err != nil {
		err = &fs.PathError{Op: "match", Path: e.Path(), Err: err}
	}
	return ok, err
}
