package du

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"ldx/internal/property"
	"ldx/internal/term"
)

// GroupBy is property.GroupBy. Directories are a group of their own by age too.
func GroupBy(name string, now time.Time) *property.Grouping {
	g := property.GroupBy(name, now)
	g.DirsApart = g.DirsApart || name == "age"
	return g
}

// A groupSum is a group and what it takes.
type groupSum struct {
	name []byte
	sum  Sum
}

// sortGroups returns the groups in the order in which they are shown.
func sortGroups(g *property.Grouping, groups map[string]Sum) (all []groupSum) {
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groupSum{g.AppendShown(nil, []byte(key)), groups[key]})
	}
	slices.SortStableFunc(all, func(a, b groupSum) int {
		return g.Compare(a.name, b.name, a.sum.Bytes, b.sum.Bytes)
	})
	return all
}

// groups returns the groups to show.
func (s *Style) groups(r *Result, g *property.Grouping) []groupSum {
	return slices.DeleteFunc(sortGroups(g, r.Groups), func(one groupSum) bool { return !s.inRange(one.sum) })
}

// WriteGroups writes the groups for people. If there is no room for all, the last line sums up
// the rest.
func (v *View) WriteGroups(to io.Writer, r *Result, g *property.Grouping) error {
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
	names := term.WidthString(g.Title)
	for _, one := range all {
		names = max(names, term.Width(one.name))
	}
	const entries = "   entries  "
	m := v.columns(sums, r.Total.Bytes, len(entries), names)
	m.head(&w)
	fmt.Fprintf(&w, "%s%s\n", entries, m.end([]byte(g.Title), m.room()-len(entries)))
	for _, one := range all {
		m.write(&w, one.sum)
		m.line(&w, fmt.Sprintf("%10d  ", one.sum.Entries), one.name, nil, fs.ModeIrregular)
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroups writes a line for each group: size, number of entries and name, separated by
// tabs.
func (l *Lines) WriteGroups(to io.Writer, r *Result, g *property.Grouping) error {
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
func WriteGroupsJSON(to io.Writer, r *Result, g *property.Grouping) error {
	var w bytes.Buffer
	var b []byte
	for _, one := range sortGroups(g, r.Groups) {
		b = term.AppendJSON(append(b[:0], '{'), "group", one.name)
		w.Write(append(appendJSONSum(append(b, ','), one.sum), '}', '\n'))
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroupsCSV writes a header and a row for each group. escape is for a terminal, which
// could take names for commands.
func WriteGroupsCSV(to io.Writer, r *Result, g *property.Grouping, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "entries"}) // Error returns it
	for _, one := range sortGroups(g, r.Groups) {
		_ = w.Write([]string{csvText(one.name, escape), strconv.FormatUint(one.sum.Bytes, 10), strconv.FormatUint(one.sum.Entries, 10)})
	}
	w.Flush()
	return w.Error()
}
