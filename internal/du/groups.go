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

// A Grouping says which entries are summed up together, wherever they are.
type Grouping struct {
	title  string
	fields dir.Fields
	name   func(b []byte, e *dir.Entry, info *dir.Info) []byte // appends the group's
	shown  func(b, name []byte) []byte                         // nil: as it is
	order  []string                                            // nil: the biggest first
}

// GroupNames returns the names of the Groupings.
func GroupNames() []string { return []string{"ext", "type", "user", "group", "links", "age"} }

// GroupBy returns the Grouping of one of GroupNames: by age, which counts from now, or by
// the property of that name.
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

// What directories take themselves is of no extension and no age.
const ownGroup = "(directories)"

// byExtension puts together what has the same extension, in lowercase.
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

// byAge puts together what changed last in the same day before now, or week, ...
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

// A group is what was summed up under a name.
type group struct {
	name []byte
	sum  Sum
}

// sorted returns the groups as they are to be shown.
func (g *Grouping) sorted(groups map[string]Sum) (all []group) {
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		one := group{[]byte(key), groups[key]}
		if g.shown != nil {
			one.name = g.shown(nil, one.name)
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b group) int {
		if g.order != nil {
			return slices.Index(g.order, string(a.name)) - slices.Index(g.order, string(b.name))
		}
		return cmp.Compare(b.sum.Bytes, a.sum.Bytes)
	})
	return all
}

// groups returns the groups that are to be shown.
func (s *Style) groups(r *Result, g *Grouping) []group {
	return slices.DeleteFunc(g.sorted(r.Groups), func(one group) bool { return !s.has(one.sum) })
}

// WriteGroups writes the groups for people. Where there is no room for all, the last line
// is of the rest.
func (v *View) WriteGroups(to io.Writer, r *Result, g *Grouping) error {
	all := v.groups(r, g)
	if room := v.room(len(all)); room < len(all) {
		rest := group{name: fmt.Appendf(nil, "(%d others)", len(all)-room+1)}
		for _, one := range all[room-1:] {
			rest.sum.add(one.sum)
		}
		all = append(all[:room-1:room-1], rest)
	}
	if v.Total {
		all = append(all, group{[]byte("total"), r.Total})
	}
	var w bytes.Buffer
	sums := make([]Sum, len(all))
	for i, one := range all {
		sums[i] = one.sum
	}
	m := v.columns(sums, r.Total.Bytes)
	fmt.Fprintf(&w, "%*s %6s %*s %10s  %s\n", m.size, "size", "share", v.barWidth(), "", "entries", g.title)
	for _, one := range all {
		m.write(&w, one.sum)
		fmt.Fprintf(&w, "%10d  %s\n", one.sum.Entries, v.Path(nil, one.name, fs.ModeIrregular))
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroups writes a line for each group: the size, how many entries there are and
// the name, with tabs between them.
func (l *Lines) WriteGroups(to io.Writer, r *Result, g *Grouping) error {
	all, end := l.groups(r, g), byte('\n')
	if l.Null {
		end = 0
	}
	if l.Total {
		all = append(all, group{[]byte("total"), r.Total})
	}
	var w bytes.Buffer
	for _, one := range all {
		fmt.Fprintf(&w, "%s\t%d\t%s%c", l.Unit.Append(nil, one.sum.Bytes), one.sum.Entries, l.Path(nil, one.name, fs.ModeIrregular), end)
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

// WriteGroupsCSV writes a row for each group, after one of names, which are escaped if
// they are for a terminal.
func WriteGroupsCSV(to io.Writer, r *Result, g *Grouping, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "entries"}) // Error returns it
	for _, one := range g.sorted(r.Groups) {
		_ = w.Write([]string{csvText(one.name, escape), strconv.FormatUint(one.sum.Bytes, 10), strconv.FormatUint(one.sum.Entries, 10)})
	}
	w.Flush()
	return w.Error()
}
