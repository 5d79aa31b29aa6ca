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
	Types        []Type         // any of these; none: any
	NotTypes     []Type         // and none of these
	MinDepth     int            // entries less deep do not pass; a root's own are at 1
	Extension    *match.Matcher // of the name, also where paths are matched; nil: any
	NotExtension *match.Matcher // nil: none
	Pattern      *match.Matcher // nil: any name
	And          []*match.Matcher
	Not          *match.Matcher // nil: none
	Attributes   []Attribute    // all of these
	DirSizes     bool           // directories have a size too

	// Roots, if set, are the absolute paths of the roots, and the patterns are
	// matched against the absolute path of an entry instead of its name.
	Roots []string
}

// A Filter is a set of tests, all of which an entry must pass. It is not safe for
// concurrent use: each worker has a Clone.
type Filter struct {
	kinds      Type   // which may pass; 0: any
	restrict   Type   // what must hold besides
	not        []Type // what must not
	minDepth   int
	filesOnly  bool // regular ones
	dirsToo    bool // but directories as well
	ext        *match.Matcher
	notExt     *match.Matcher
	patterns   []*match.Matcher // all of them
	notPattern *match.Matcher
	named      bool // there is a test of the name
	attributes []Attribute
	needs      dir.Fields
	along      dir.Fields // wanted besides, if there are any needs
	roots      []string
	path       []byte // of an entry
}

// New returns the Filter for opt.
func New(opt Options) *Filter {
	f := &Filter{
		not:        opt.NotTypes,
		minDepth:   opt.MinDepth,
		ext:        opt.Extension,
		notExt:     opt.NotExtension,
		notPattern: opt.Not,
		attributes: opt.Attributes,
		roots:      opt.Roots,
		dirsToo:    opt.DirSizes,
	}
	all := Type(0)
	for _, t := range opt.Types {
		all |= t
	}
	f.kinds, f.restrict = all.kinds(), all&restrictions
	for _, a := range f.attributes {
		f.needs |= a.needs
		f.filesOnly = f.filesOnly || a.files
	}
	for _, m := range append(opt.And[:len(opt.And):len(opt.And)], opt.Pattern) {
		if m != nil && !m.All() {
			f.patterns = append(f.patterns, m)
		}
	}
	f.named = f.ext != nil || f.notExt != nil || f.patterns != nil || f.notPattern != nil
	return f
}

// Clone returns another Filter of the same tests.
func (f *Filter) Clone() *Filter {
	clone := *f
	clone.path = nil
	return &clone
}

// All reports whether every entry passes.
func (f *Filter) All() bool {
	return f.kinds == 0 && f.restrict == 0 && len(f.not) == 0 && f.minDepth == 0 && !f.named && len(f.attributes) == 0
}

// Along has Match ask for these fields too wherever it asks the system for an entry's Info:
// those that its caller is going to ask for, so that there is one question.
func (f *Filter) Along(fields dir.Fields) { f.along = fields }

// Needs returns what Match may ask the Info of an entry for.
func (f *Filter) Needs() dir.Fields { return f.needs }

// Match reports whether the entry passes. An error, an *fs.PathError, is that the
// system or a pattern would not tell; the entry does not pass then.
func (f *Filter) Match(e *dir.Entry) (bool, error) {
	if f.kinds != 0 && f.kinds&typeOf(e.Type) == 0 || f.filesOnly && e.Type != 0 && (e.Type != fs.ModeDir || !f.dirsToo) || e.Depth() < f.minDepth {
		return false, nil
	}
	if f.named {
		ok, err := f.matchName(e)
		if err != nil {
			return false, &fs.PathError{Op: "match", Path: e.Path(), Err: err}
		}
		if !ok {
			return false, nil
		}
	}
	if f.needs != 0 {
		info, err := e.Info(f.needs | f.along)
		if err != nil {
			return false, err
		}
		for i := range f.attributes {
			if a := &f.attributes[i]; a.holds(info) == a.fails {
				return false, nil
			}
		}
	}
	if f.restrict != 0 {
		if ok, err := f.restrict.holds(e, f.along); !ok {
			return false, err
		}
	}
	for _, t := range f.not {
		if kinds := t.kinds(); kinds != 0 && kinds&typeOf(e.Type) == 0 {
			continue
		}
		if ok, err := (t & restrictions).holds(e, f.along); ok || err != nil {
			return false, err
		}
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
	if f.notExt != nil {
		if ok, err := f.notExt.Match(e.Name); ok || err != nil {
			return false, err
		}
	}
	text := e.Name
	if f.roots != nil {
		f.path = e.AppendAs(f.path[:0], f.roots[e.Dir.Root()])
		text = f.path
	}
	for _, m := range f.patterns {
		if ok, err := m.Match(text); !ok {
			return false, err
		}
	}
	if f.notPattern != nil {
		ok, err := f.notPattern.Match(text)
		return !ok, err
	}
	return true, nil
}
