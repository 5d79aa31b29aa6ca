package du

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
	"ldx/internal/term"
)

// A Grouping sums up entries that have something in common, wherever they are.
type Grouping struct {
	title  string
	fields dir.Fields
	name   func(b []byte, e *dir.Entry, info *dir.Info) []byte // appends the name of the entry's group
	shown  func(b, name []byte) []byte                         // appends a name as it is shown; nil: as it is
	order  []string                                            // of names; nil: the biggest group first
}

// GroupNames returns the names of the Groupings.
func GroupNames() []string { return []string{"ext", "type", "user", "group", "links", "age"} }

// GroupBy returns the Grouping with one of GroupNames: by age at the time now, or by the
// property with that name.
func GroupBy(name string, now time.Time) *Grouping {
	switch name {
	case "age":
		return byAge(now)
	case "ext":
		return byExtension()
	}
	p := property.Get(name)
	return &Grouping{title: p.Name, fields: p.Needs, name: p.AppendRaw, shown: p.AppendShown}
}

// ownGroup is the group of directories where they have no extension and no age.
const ownGroup = "(directories)"

// byExtension groups by extension, in lowercase.
func byExtension() *Grouping {
	ext := property.Get("ext")
	return &Grouping{title: "extension", name: func(b []byte, e *dir.Entry, info *dir.Info) []byte {
		if e.Type == fs.ModeDir {
			return append(b, ownGroup...)
		}
		from := len(b)
		if b = ext.AppendRaw(b, e, info); len(b) == from {
			return append(b, "(none)"...)
		}
		for i := from; i < len(b); i++ {
			if 'A' <= b[i] && b[i] <= 'Z' {
				b[i] += 'a' - 'A'
			}
		}
		return b
	}}
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
	g := &Grouping{title: "changed last", fields: dir.ModTime, name: func(b []byte, e *dir.Entry, info *dir.Info) []byte {
		if e.Type == fs.ModeDir {
			return append(b, ownGroup...)
		}
		for _, a := range ages {
			if property.CompareTimes(info.ModTime, now.Add(-a.until)) > 0 {
				return append(b, a.name...)
			}
		}
		return append(b, older...)
	}}
	for _, a := range ages {
		g.order = append(g.order, a.name)
	}
	g.order = append(g.order, older, ownGroup)
	return g
}

// A groupSum is a group and what it takes.
type groupSum struct {
	name []byte
	sum  Sum
}

// sorted returns the groups in the order in which they are shown.
func (g *Grouping) sorted(groups map[string]Sum) (all []groupSum) {
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		one := groupSum{[]byte(key), groups[key]}
		if g.shown != nil {
			one.name = g.shown(nil, one.name)
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b groupSum) int {
		if g.order != nil {
			return slices.Index(g.order, string(a.name)) - slices.Index(g.order, string(b.name))
		}
		return cmp.Compare(b.sum.Bytes, a.sum.Bytes)
	})
	return all
}

// groups returns the groups to show.
func (s *Style) groups(r *Result, g *Grouping) []groupSum {
	return slices.DeleteFunc(g.sorted(r.Groups), func(one groupSum) bool { return !s.inRange(one.sum) })
}

// WriteGroups writes the groups for people. If there is no room for all, the last line sums up
// the rest.
func (v *View) WriteGroups(to io.Writer, r *Result, g *Grouping) error {
	all := v.groups(r, g)
	if room := v.room(len(all)); room < len(all) {
		rest := groupSum{name: fmt.Appendf(nil, "(%d others)", len(all)-room+1)}
		for _, one := range all[room-1:] {
			rest.sum.add(one.sum)
		}
		all = append(all[:room-1:room-1], rest)
	}
	if v.Total {
		all = append(all, groupSum{[]byte("total"), r.Total})
	}
	var w bytes.Buffer
	sums := make([]Sum, len(all))
	for i, one := range all {
		sums[i] = one.sum
	}
	names := term.WidthString(g.title)
	for _, one := range all {
		names = max(names, term.Width(one.name))
	}
	const entries = "   entries  "
	m := v.columns(sums, r.Total.Bytes, len(entries), names)
	m.head(&w)
	fmt.Fprintf(&w, "%s%s\n", entries, m.end([]byte(g.title), m.room()-len(entries)))
	for _, one := range all {
		m.write(&w, one.sum)
		m.line(&w, fmt.Sprintf("%10d  ", one.sum.Entries), one.name, nil, fs.ModeIrregular)
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroups writes a line for each group: size, number of entries and name, separated by
// tabs.
func (l *Lines) WriteGroups(to io.Writer, r *Result, g *Grouping) error {
	all, end := l.groups(r, g), byte('\n')
	if l.Null {
		end = 0
	}
	if l.Total {
		all = append(all, groupSum{[]byte("total"), r.Total})
	}
	var w bytes.Buffer
	for _, one := range all {
		fmt.Fprintf(&w, "%s\t%d\t%s%c", l.Unit.Append(nil, one.sum.Bytes), one.sum.Entries, l.Path(nil, one.name, nil, fs.ModeIrregular), end)
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroupsJSON writes an object for each group, on a line of its own.
func WriteGroupsJSON(to io.Writer, r *Result, g *Grouping) error {
	var w bytes.Buffer
	var b []byte
	for _, one := range g.sorted(r.Groups) {
		b = term.AppendJSON(append(b[:0], '{'), "group", one.name)
		w.Write(append(appendJSONSum(append(b, ','), one.sum), '}', '\n'))
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroupsCSV writes a header and a row for each group. escape is for a terminal, which
// could take names for commands.
func WriteGroupsCSV(to io.Writer, r *Result, g *Grouping, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "entries"}) // Error returns it
	for _, one := range g.sorted(r.Groups) {
		_ = w.Write([]string{csvText(one.name, escape), strconv.FormatUint(one.sum.Bytes, 10), strconv.FormatUint(one.sum.Entries, 10)})
	}
	w.Flush()
	return w.Error()
}
