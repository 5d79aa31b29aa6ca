package dupes

import (
	"fmt"
	"iter"
	"slices"

	"ldx/internal/dir"
)

// A Deed is what is done with copies.
type Deed uint8

// The deeds.
const (
	HardLink Deed = iota + 1 // replace a copy by a hard link to the one that is kept
	Reflink                  // let a copy share the blocks of the one that is kept
	Delete                   // delete a copy
)

var deedNames = [...]string{HardLink: "hard", Reflink: "reflink", Delete: "delete"}

// String returns the word for a deed.
func (d Deed) String() string { return deedNames[d] }

// A Root is a path that was searched.
type Root struct {
	Path string
	ID   dir.ID // of the directory that it leads to; zero: not known
	Link bool   // the path is a symbolic link: what it leads to is not changed
}

// A Planned is a group with what is to be done with it.
type Planned struct {
	Group
	Keep   int   // number of the copy that is kept
	Change []int // numbers of the copies that are changed
}

// Rules say which copy of a group is kept, and which are changed.
type Rules struct {
	Deed    Deed
	Keep    []Keep  // at least one
	Protect []*Glob // what these match is not changed
	Roots   []Root
}

// Plan returns the groups in which something is to be done. What is left out, and why, goes to
// report.
func (r *Rules) Plan(groups iter.Seq[Group], report func(error)) iter.Seq[Planned] {
	return func(yield func(Planned) bool) {
		for g := range groups {
			p := Planned{Group: g}
			var err error
			if p.Keep, err = pick(r.Keep, g.Copies); err != nil {
				report(passedOver(g.Copies[0].Names[0].Path, err))
				continue
			}
			for i := range g.Copies {
				if i != p.Keep && r.mayChange(&g.Copies[i], &g.Copies[p.Keep], report) {
					p.Change = append(p.Change, i)
				}
			}
			if len(p.Change) > 0 && !yield(p) {
				return
			}
		}
	}
}

// mayChange reports whether a copy may be changed. Protection is no error, and not reported.
func (r *Rules) mayChange(c, kept *Copy, report func(error)) bool {
	if r.isProtected(c) {
		return false
	}
	if r.Deed != Delete && c.Device != kept.Device {
		report(passedOver(c.Names[0].Path, fmt.Errorf("it is on another file system than %s", kept.Names[0].Path)))
		return false
	}
	return true
}

// isProtected reports whether a copy has a name that is protected, or that was found through a
// symbolic link.
func (r *Rules) isProtected(c *Copy) bool {
	return slices.ContainsFunc(c.Names, func(n Name) bool {
		return r.Roots[n.Root].Link || slices.ContainsFunc(r.Protect, func(g *Glob) bool { return g.match(&n) })
	})
}

// Saved returns the bytes on disk that the changes of a group free.
func (p *Planned) Saved() (n int64) {
	for _, i := range p.Change {
		if c := &p.Copies[i]; c.Links <= uint64(len(c.Names)) {
			n += c.Allocated
		}
	}
	return n
}
