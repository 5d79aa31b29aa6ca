// Package dupes finds files with the same content, and makes one of them.
//
//	dupes.go     what is found: groups of copies
//	table.go     the files of a search, in little memory
//	collector.go the Sink that fills it
//	find.go      the stages by which files that differ are told apart
//	report.go    groups for people and for programs
//	dirs.go      whole directories with the same content
//	keep.go      which copy of a group is kept
//	plan.go      what is to be done; planfile.go saves it
//	act.go       copies are compared again, and changed
//	step.go      the steps by which one name is changed
//	guard_*.go   what the system does: leases, attributes, shared blocks
package dupes

import (
	"cmp"
	"iter"
	"sync/atomic"
	"time"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
	"ldx/internal/walk"
)

// Options say how duplicates are found.
type Options struct {
	Roots     []walk.Root          // of the search, with their absolute paths
	Empty     bool                 // files without content are copies of each other too
	Workers   int                  // maximum number of files that are read at a time
	Catalogue *catalogue.Catalogue // has hashes, and keeps those that are made
	Report    func(error)          // gets each error; called concurrently
	Progress  *Progress            // if set, gets how far it has come
}

// A Progress says how far the reading has come. It is safe for concurrent use.
type Progress struct {
	Files atomic.Int64 // candidates that are left
	Total atomic.Int64 // bytes to hash; 0: not known yet
	Began atomic.Int64 // when hashing began, in nanoseconds since 1970
}

// A Result is what was found. Its methods are safe for concurrent use.
type Result struct {
	t      *table
	ids    []uint32
	copies []candidate
	sums   []catalogue.Sum
	groups []group
}

// A group is a range of copies with the same content.
type group struct {
	first, n uint32
	save     int64
}

// A Group is files with the same content.
type Group struct {
	Size   int64         // of each
	Save   int64         // bytes on disk that the largest copy alone would leave free
	Sum    catalogue.Sum // of each
	Copies []Copy        // in the order of their paths; at least two
}

// A Copy is one file of a Group.
type Copy struct {
	File
	Names []Name // in order; more than one if hard links to it were found
}

// A File says which file it is, and in which state.
type File struct {
	dir.ID
	Size      int64
	Modified  int64  // mtime in nanoseconds
	Changed   int64  // ctime in nanoseconds
	Allocated int64  // bytes on disk
	Links     uint64 // number of hard links
}

// A Name is where a file was found.
type Name struct {
	Path     string // as the search shows it
	Absolute string
	Root     int    // number of the root
	Folder   string // below the root, with slashes between names; "": the root itself
	Base     string // in that
	IsRoot   bool   // the root is the file itself
}

// Len returns the number of groups.
func (r *Result) Len() int { return len(r.groups) }

// Files returns the number of files beside one of each group.
func (r *Result) Files() (n int) {
	for _, g := range r.groups {
		n += int(g.n) - 1
	}
	return n
}

// Save returns the sum of what all groups save.
func (r *Result) Save() (n int64) {
	for _, g := range r.groups {
		n += g.save
	}
	return n
}

// Groups returns the groups, those that save most first.
func (r *Result) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for _, g := range r.groups {
			if !yield(r.group(g)) {
				return
			}
		}
	}
}

func (r *Result) group(g group) Group {
	copies := r.copies[g.first : g.first+g.n]
	out := Group{Save: g.save, Sum: r.sums[copies[0].sum], Copies: make([]Copy, len(copies))}
	for i := range copies {
		c := &out.Copies[i]
		ids := copies[i].ids(r.ids)
		c.File = r.t.file(ids[0])
		for _, id := range ids {
			c.Names = append(c.Names, r.t.name(id))
		}
	}
	out.Size = out.Copies[0].Size
	return out
}

// saved returns what would be free if the largest of some copies were the only one. A copy with
// names that were not found stays on disk, whatever is done with those that were.
func (t *table) saved(copies []candidate, ids []uint32) (total int64) {
	largest := int64(0)
	for i := range copies {
		f := t.file(copies[i].ids(ids)[0])
		if f.Links > uint64(copies[i].names) {
			continue
		}
		total += f.Allocated
		largest = max(largest, f.Allocated)
	}
	return total - largest
}

// compareNames orders names as the search was given their roots, and by path.
func (t *table) compareNames(a, b uint32) int {
	x, y := t.at(a), t.at(b)
	dx, dy := t.folder(a, x), t.folder(b, y)
	n := min(len(dx.path), len(dy.path))
	if c := cmp.Or(cmp.Compare(dx.root, dy.root), cmp.Compare(dx.path[:n], dy.path[:n])); c != 0 {
		return c
	}
	switch { // a base has no slash, so it differs from what ends in one
	case n < len(dy.path):
		return cmp.Compare(t.base(a, x), dy.path[n:])
	case n < len(dx.path):
		return cmp.Compare(dx.path[n:], t.base(b, y))
	}
	return cmp.Compare(t.base(a, x), t.base(b, y))
}

func unixNano(n int64) time.Time { return time.Unix(0, n) }
