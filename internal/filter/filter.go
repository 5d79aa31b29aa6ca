// Package filter decides whether an entry is what the user asked for. Tests run from
// the cheapest to the most expensive: type, depth, name, and last the metadata that the
// system must be asked for.
package filter

import (
	"io/fs"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// Options are the tests that an entry must pass.
type Options struct {
	Types        []Type           // one of these; none: any
	NotTypes     []Type           // none of these
	MinDepth     int              // at least this depth; a root's own entries are at 1
	Extension    *match.Matcher   // matches the name, even if patterns match paths; nil: any
	NotExtension *match.Matcher   // does not match the name; nil: any
	Pattern      *match.Matcher   // nil: any
	And          []*match.Matcher // patterns that must match too
	Not          *match.Matcher   // a pattern that must not match; nil: none
	Attributes   []Attribute      // all must hold
	Conditions   []Condition      // all must hold
	Probes       []Probe          // all must hold
	DirSizes     bool             // directories have sizes, so that Size is a test of them too

	// FullPath has patterns matched against the absolute path of an entry instead of its name.
	// The roots must have theirs.
	FullPath bool
}

// A Condition is a test that is made of others. It is not safe for concurrent use.
type Condition interface {
	// Needs returns what Match may ask the Info of an entry for.
	Needs() dir.Fields
	// Along sets the fields that the Info of an entry is asked for too, if it is asked.
	Along(dir.Fields)
	// Match reports whether the condition holds. The error is an *fs.PathError.
	Match(*dir.Entry) (bool, error)
	// Absent reports whether Match is false for all entries of these names that are not
	// directories. It may return false if it is.
	Absent(names []byte, ascii bool) bool
	// Clone returns the same condition for another worker.
	Clone() Condition
}

// A Filter is a set of tests, all of which an entry must pass. It is not safe for
// concurrent use: each worker has a Clone.
type Filter struct {
	types      Type   // that may pass; 0: any
	restrict   Type   // restrictions that must hold
	not        []Type // none may hold
	minDepth   int
	filesOnly  bool // only regular files pass
	dirsToo    bool // and directories
	ext        *match.Matcher
	notExt     *match.Matcher
	patterns   []*match.Matcher // all of them
	notPattern *match.Matcher
	named      bool // there are tests of the name
	more       bool // there are tests after those of type, depth and name
	attributes []Attribute
	conditions []Condition
	probes     []Probe
	once       *once
	needs      dir.Fields
	along      dir.Fields // asked for along with needs
	fullPath   bool
	path       []byte // of the last entry; reused
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
		conditions: opt.Conditions,
		probes:     opt.Probes,
		fullPath:   opt.FullPath,
		dirsToo:    opt.DirSizes,
	}
	all := Type(0)
	for _, t := range opt.Types {
		all |= t
	}
	f.types, f.restrict = all.types(), all&restrictions
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
	f.more = len(f.attributes)+len(f.conditions)+len(f.not)+len(f.probes) > 0 || f.restrict != 0
	return f
}

// Clone returns a Filter with the same tests, for another worker.
func (f *Filter) Clone() *Filter {
	clone := *f
	clone.path = nil
	clone.conditions = nil
	for _, c := range f.conditions {
		clone.conditions = append(clone.conditions, c.Clone())
	}
	return &clone
}

// All reports whether every entry passes.
func (f *Filter) All() bool {
	return f.types == 0 && f.minDepth == 0 && !f.named && !f.more
}

// Along sets the fields that the caller will ask the Info of entries for. If Match asks the
// system about an entry, it asks for these too, so that the system is asked once.
func (f *Filter) Along(fields dir.Fields) {
	f.along = fields
	for _, c := range f.conditions {
		c.Along(f.needs | fields)
	}
}

// Needs returns what Match may ask the Info of an entry for.
func (f *Filter) Needs() dir.Fields {
	needs := f.needs
	for _, c := range f.conditions {
		needs |= c.Needs()
	}
	return needs
}

// Match reports whether the entry passes. If it returns an error, an *fs.PathError, the system
// failed to say or a pattern took too long, and the entry does not pass.
func (f *Filter) Match(e *dir.Entry) (bool, error) {
	wrongType := f.types != 0 && f.types&typeOf(e.Type) == 0 ||
		f.filesOnly && e.Type != 0 && (e.Type != fs.ModeDir || !f.dirsToo)
	if wrongType || e.Depth() < f.minDepth {
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
	if !f.more {
		return true, nil
	}
	return f.matchMore(e)
}

// matchMore runs the tests after those of type, depth and name.
func (f *Filter) matchMore(e *dir.Entry) (bool, error) {
	for _, c := range f.conditions {
		if ok, err := c.Match(e); !ok {
			return false, err
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
		if types := t.types(); types != 0 && types&typeOf(e.Type) == 0 {
			continue
		}
		if ok, err := (t & restrictions).holds(e, f.along); ok || err != nil {
			return false, err
		}
	}
	for _, probe := range f.probes {
		if ok, err := probe(e); !ok {
			return false, err
		}
	}
	if f.once != nil {
		return f.once.first(e, f.along)
	}
	return true, nil
}

// Absent reports whether Match is false for all entries of these names that are not directories;
// see dir.AbsentFunc. It may return false if Match is.
func (f *Filter) Absent(names []byte, ascii bool) bool {
	if f.types != 0 && f.types&^typeOf(fs.ModeDir) == 0 {
		return true
	}
	if f.ext != nil && f.ext.Absent(names, ascii) {
		return true
	}
	if !f.fullPath {
		for _, m := range f.patterns {
			if m.Absent(names, ascii) {
				return true
			}
		}
	}
	for _, c := range f.conditions {
		if c.Absent(names, ascii) {
			return true
		}
	}
	return false
}

// matchName tests the name, or the path if patterns match paths.
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
	if f.fullPath {
		f.path = e.AppendAbsolute(f.path[:0])
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
