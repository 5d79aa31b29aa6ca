package property

import (
	"cmp"
	"io/fs"
	"slices"
	"time"

	"ldx/internal/dir"
	"ldx/internal/format"
)

// A Grouping puts entries that have something in common into one group, wherever they are.
type Grouping struct {
	Title     string     // what they have in common
	Needs     dir.Fields // what the Info of each entry is asked for
	DirsApart bool       // all directories are a group of their own

	key   func(b []byte, e *dir.Entry, info *dir.Info) []byte
	shown func(b, key []byte) []byte // nil: as it is
	order []string                   // of groups as they are shown; nil: the biggest first
}

// GroupNames returns the names of the Groupings.
func GroupNames() []string { return []string{"ext", "type", "dir", "user", "group", "links", "age"} }

// GroupBy returns the Grouping with one of GroupNames: by the directory that an entry is in, by age
// at the time now, or by the property with that name.
func GroupBy(name string, now time.Time) *Grouping {
	switch name {
	case "age":
		return byAge(now)
	case "ext":
		return &Grouping{Title: "extension", DirsApart: true, key: appendLowerExtension}
	case "dir":
		parent := format.PathPart("parent")
		return &Grouping{Title: "directory", key: func(b []byte, e *dir.Entry, _ *dir.Info) []byte {
			from := len(b)
			b = e.AppendPath(b)
			path := len(b)
			b = parent(b, b[from:])
			return b[:from+copy(b[from:], b[path:])]
		}}
	}
	p := Get(name)
	return &Grouping{Title: p.Name, Needs: p.Needs, key: p.AppendRaw, shown: p.AppendShown}
}

// directories is the group of DirsApart.
const directories = "(directories)"

// AppendKey appends what the entries of a group share to b and returns the extended slice. info is
// the Info of e.
func (g *Grouping) AppendKey(b []byte, e *dir.Entry, info *dir.Info) []byte {
	if g.DirsApart && e.Type == fs.ModeDir {
		return append(b, directories...)
	}
	return g.key(b, e, info)
}

// AppendShown appends the name of the group with a key.
func (g *Grouping) AppendShown(b, key []byte) []byte {
	if g.shown == nil {
		return append(b, key...)
	}
	return g.shown(b, key)
}

// Compare compares the names of two groups, and how big they are, by the order in which groups are
// shown. It is 0 if they may be in any order.
func (g *Grouping) Compare(a, b []byte, sizeA, sizeB uint64) int {
	if g.order != nil {
		return slices.Index(g.order, string(a)) - slices.Index(g.order, string(b))
	}
	return cmp.Compare(sizeB, sizeA)
}

// appendLowerExtension appends an extension, with the letters of ASCII in lowercase.
func appendLowerExtension(b []byte, e *dir.Entry, _ *dir.Info) []byte {
	from := len(b)
	if b = append(b, dir.Extension(e.Name)...); len(b) == from {
		return append(b, "(none)"...)
	}
	for i := from; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return b
}

// byAge groups by how long before now an entry was modified.
func byAge(now time.Time) *Grouping {
	const day = 24 * time.Hour
	ages := []struct {
		name  string
		until time.Duration
	}{
		{"in the future", 0},
		{"up to 1 day", day},
		{"up to 1 week", 7 * day},
		{"up to 1 month", 30 * day},
		{"up to 3 months", 91 * day},
		{"up to 1 year", 365 * day},
		{"up to 3 years", 3 * 365 * day},
	}
	const older = "older"
	g := &Grouping{Title: "changed last", Needs: dir.ModTime, key: func(b []byte, _ *dir.Entry, info *dir.Info) []byte {
		for _, a := range ages {
			if CompareTimes(info.ModTime, now.Add(-a.until)) > 0 {
				return append(b, a.name...)
			}
		}
		return append(b, older...)
	}}
	for _, a := range ages {
		g.order = append(g.order, a.name)
	}
	g.order = append(g.order, older, directories)
	return g
}
