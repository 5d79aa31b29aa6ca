// Package filter decides whether the user asked for an entry. Tests run from
// the cheapest to the dearest: type, then name, and what the system must be
// asked for last.
package filter

import (
	"io/fs"
	"os"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// Options is what an entry must be like.
type Options struct {
	Types     Types          // none: any type
	Extension *match.Matcher // of the name, also where paths are matched; nil: any
	Pattern   *match.Matcher // nil: any name
	And       []*match.Matcher
	Not       *match.Matcher // nil: none

	// Roots, if set, are the absolute paths of the roots, and the patterns are
	// matched against the absolute path of an entry instead of its name.
	Roots []string
}

// A Filter is a set of tests, all of which an entry must pass. It is not safe for
// concurrent use: each worker has a Clone.
type Filter struct {
	kinds    Types // which may pass; 0: any
	restrict Types // what must hold besides
	ext      *match.Matcher
	patterns []*match.Matcher // all of them
	not      *match.Matcher
	roots    []string
	path     []byte // of an entry
}

// New returns the Filter for opt.
func New(opt Options) *Filter {
	f := &Filter{
		kinds:    opt.Types.kinds(),
		restrict: opt.Types & restrictions,
		ext:      opt.Extension,
		not:      opt.Not,
		roots:    opt.Roots,
	}
	for _, m := range append(opt.And[:len(opt.And):len(opt.And)], opt.Pattern) {
		if m != nil && !m.All() {
			f.patterns = append(f.patterns, m)
		}
	}
	return f
}

// Clone returns another Filter of the same tests.
func (f *Filter) Clone() *Filter {
	clone := *f
	clone.path = nil
	return &clone
}

// Match reports whether the entry passes. An error, an *fs.PathError, is that the
// system or a pattern would not tell; the entry does not pass then.
func (f *Filter) Match(e *dir.Entry) (bool, error) {
	if f.kinds != 0 && f.kinds&typeOf(e.Type) == 0 {
		return false, nil
	}
	if f.ext != nil || f.patterns != nil || f.not != nil {
		ok, err := f.matchName(e)
		if err != nil {
			return false, &fs.PathError{Op: "match", Path: e.Path(), Err: err}
		}
		if !ok {
			return false, nil
		}
	}
	if f.restrict == 0 {
		return true, nil
	}
	if f.restrict&Executable != 0 && !e.Executable() {
		return false, nil
	}
	if f.restrict&Empty != 0 {
		return empty(e)
	}
	return true, nil
}

// matchName tests the name, and the path if that is what the patterns are for.
func (f *Filter) matchName(e *dir.Entry) (bool, error) {
	if f.ext != nil {
		if ok, err := f.ext.Match(e.Name); !ok {
			return false, err
		}
	}
	text := e.Name
	if f.roots != nil {
		text = f.absolute(e)
	}
	for _, m := range f.patterns {
		if ok, err := m.Match(text); !ok {
			return false, err
		}
	}
	if f.not != nil {
		ok, err := f.not.Match(text)
		return !ok, err
	}
	return true, nil
}

// absolute returns the entry's absolute path, which is valid until the next one.
func (f *Filter) absolute(e *dir.Entry) []byte {
	root := f.roots[e.Dir.Root()]
	f.path = append(f.path[:0], root...)
	if e.Depth() == 0 {
		return f.path
	}
	if !os.IsPathSeparator(root[len(root)-1]) {
		f.path = append(f.path, '/')
	}
	f.path = e.AppendBelow(f.path)
	return f.path
}

// empty reports whether e is a file without bytes or a directory without
// entries.
func empty(e *dir.Entry) (bool, error) {
	switch e.Type {
	case fs.ModeDir:
		return e.Empty()
	case 0:
		info, err := e.Info(dir.Size)
		return err == nil && info.Size == 0, err
	}
	return false, nil
}
