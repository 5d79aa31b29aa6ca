// Package filter decides whether the user asked for an entry. Tests run from
// the cheapest to the dearest: type, then name, and what the system must be
// asked for last.
package filter

import (
	"io/fs"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// Options is what an entry must be like.
type Options struct {
	Types   Types          // none: any type
	Pattern *match.Matcher // nil: any name
}

// A Filter is a set of tests, all of which an entry must pass. It is safe for
// concurrent use.
type Filter struct {
	kinds    Types // which may pass; 0: any
	restrict Types // what must hold besides
	pattern  *match.Matcher
}

// New returns the Filter for opt.
func New(opt Options) *Filter {
	f := &Filter{kinds: opt.Types.kinds(), restrict: opt.Types & restrictions, pattern: opt.Pattern}
	if f.pattern != nil && f.pattern.All() {
		f.pattern = nil
	}
	return f
}

// Match reports whether the entry passes. An error is one of asking the system;
// the entry does not pass then.
func (f *Filter) Match(e *dir.Entry) (bool, error) {
	if f.kinds != 0 && f.kinds&typeOf(e.Type) == 0 {
		return false, nil
	}
	if f.pattern != nil && !f.pattern.Match(e.Name) {
		return false, nil
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
