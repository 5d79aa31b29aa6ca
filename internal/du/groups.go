package du

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os/user"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"ldx/internal/dir"
)

// A Grouping says which entries are summed up together, wherever they are.
type Grouping struct {
	title  string
	fields dir.Fields
	name   func(b []byte, e *dir.Entry, info *dir.Info) []byte // appends the group's
	shown  func(name string) string                            // nil: as it is
	order  []string                                            // nil: the biggest first
}

// What directories take themselves is of no extension and no age.
const ownGroup = "(directories)"

// ByExtension puts together what has the same dir.Extension, in lowercase.
func ByExtension() *Grouping {
	return &Grouping{title: "extension", name: func(b []byte, e *dir.Entry, _ *dir.Info) []byte {
		if e.Type == fs.ModeDir {
			return append(b, ownGroup...)
		}
		ext := dir.Extension(e.Name)
		if len(ext) == 0 {
			return append(b, "(none)"...)
		}
		for _, c := range ext {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
		}
		return b
	}}
}

// ByType puts together what is of the same type, as dir.TypeName has it.
func ByType() *Grouping {
	return &Grouping{title: "type", name: func(b []byte, e *dir.Entry, _ *dir.Info) []byte { return append(b, dir.TypeName(e.Type)...) }}
}

// ByUser puts together what belongs to the same user.
func ByUser() *Grouping {
	return &Grouping{
		title:  "user",
		fields: dir.Owner,
		name: func(b []byte, _ *dir.Entry, info *dir.Info) []byte {
			return strconv.AppendUint(b, uint64(info.User), 10)
		},
		shown: func(id string) string {
			if u, err := user.LookupId(id); err == nil {
				return u.Username
			}
			return id
		},
	}
}

// ByAge puts together what changed last in the same day before now, or week, ...
func ByAge(now time.Time) *Grouping {
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
			if later(info.ModTime, now.Add(-a.until)) {
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
	Name   string `json:"group,omitempty"`
	Name64 string `json:"group_b64,omitempty"` // base64, where the name is not UTF-8
	Size   uint64 `json:"size"`
	N      uint64 `json:"entries"`
	sum    Sum
}

// sorted returns the groups as they are to be shown.
func (g *Grouping) sorted(groups map[string]Sum) (all []group) {
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		sum := groups[name]
		if g.shown != nil {
			name = g.shown(name)
		}
		all = append(all, group{Name: name, Size: sum.Bytes, N: sum.Entries, sum: sum})
	}
	slices.SortStableFunc(all, func(a, b group) int {
		if g.order != nil {
			return slices.Index(g.order, a.Name) - slices.Index(g.order, b.Name)
		}
		return cmp.Compare(b.Size, a.Size)
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
		rest := group{Name: fmt.Sprintf("(%d others)", len(all)-room+1)}
		for _, one := range all[room-1:] {
			rest.sum.add(one.sum)
		}
		rest.N = rest.sum.Entries
		all = append(all[:room-1:room-1], rest)
	}
	if v.Total {
		all = append(all, group{Name: "total", N: r.Total.Entries, sum: r.Total})
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
		fmt.Fprintf(&w, "%10d  %s\n", one.N, v.Path(nil, []byte(one.Name), fs.ModeIrregular))
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
		all = append(all, group{Name: "total", Size: r.Total.Bytes, N: r.Total.Entries})
	}
	var w bytes.Buffer
	for _, one := range all {
		fmt.Fprintf(&w, "%s\t%d\t%s%c", l.Unit.Append(nil, one.Size), one.N, l.Path(nil, []byte(one.Name), fs.ModeIrregular), end)
	}
	_, err := w.WriteTo(to)
	return err
}

// WriteGroupsJSON writes an object for each group, on a line of its own.
func WriteGroupsJSON(to io.Writer, r *Result, g *Grouping) error {
	encoder := newEncoder(to)
	for _, one := range g.sorted(r.Groups) {
		if !utf8.ValidString(one.Name) {
			one.Name, one.Name64 = "", base64.StdEncoding.EncodeToString([]byte(one.Name))
		}
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

// WriteGroupsCSV writes a row for each group, after one of names, which are escaped if
// they are for a terminal.
func WriteGroupsCSV(to io.Writer, r *Result, g *Grouping, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "entries"}) // Error tells
	for _, one := range g.sorted(r.Groups) {
		_ = w.Write([]string{csvText(one.Name, escape), strconv.FormatUint(one.Size, 10), strconv.FormatUint(one.N, 10)})
	}
	w.Flush()
	return w.Error()
}
