package printer

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
	"ldx/internal/term"
)

// A List renders results with their metadata, a line each, as ls -lh does or in other columns.
// These are as wide as they must be, so its results are printed when all are known.
type List struct {
	style   Style
	end     byte
	columns []column
	needs   dir.Fields
	now     time.Time
}

// A column is a field of each result.
type column struct {
	property.Field
	recent bool // a time as ls shows it
	links  bool // paths, those of links with their targets
}

// NewList returns a List as ls has it. Each line ends in end. Times are shown as of now: of those
// more than half a year from it, the year.
func NewList(s Style, now time.Time, end byte) *List {
	l, _ := NewColumns(s, listColumns, end)
	l.now = now
	for i := range l.columns {
		l.columns[i].recent = l.columns[i].Name == "mtime"
		l.columns[i].links = l.columns[i].Name == "path"
	}
	return l
}

// NewColumns returns a List of properties, each as NAME or NAME:LAYOUT as in a Template. The error
// is that of property.NewField.
func NewColumns(s Style, names []string, end byte) (*List, error) {
	l := &List{style: s, end: end}
	for _, text := range names {
		name, layout, _ := strings.Cut(text, ":")
		f, err := property.NewField(name, layout)
		if err != nil {
			return l, fmt.Errorf("%s: %w", text, err)
		}
		l.columns = append(l.columns, column{Field: f})
		l.needs |= f.Needs
	}
	return l, nil
}

// Needs returns what the Info of each result is asked for.
func (l *List) Needs() dir.Fields { return l.needs }

// MayNeed returns the fields that are asked for only of results whose colour depends on them.
func (l *List) MayNeed() dir.Fields { return l.style.mayNeed() }

// Append appends a row: the columns, with a NUL between them, and the end. What the system does
// not say has question marks.
func (l *List) Append(row []byte, e *dir.Entry) []byte {
	var info *dir.Info
	var err error
	if l.needs != 0 {
		info, err = e.Info(l.needs)
	}
	for i := range l.columns {
		c := &l.columns[i]
		if i > 0 {
			row = append(row, 0)
		}
		switch {
		case c.Name == "path":
			row = l.appendPath(row, e, c.links && err == nil)
		case c.Needs == 0 || err == nil:
			row = l.appendCell(row, c, e, info)
		case c.Name == "mode":
			row = append(property.AppendMode(row, e.Type)[:len(row)+1], "?????????"...)
		default:
			row = append(row, '?')
		}
	}
	return append(row, l.end)
}

// appendPath appends the path, and a link's target if it is wanted.
func (l *List) appendPath(b []byte, e *dir.Entry, target bool) []byte {
	b = l.style.appendEntry(b, e, l.style.Slash == SlashAlways)
	if target && e.Type == fs.ModeSymlink {
		text, err := e.Target()
		l.style.report(err)
		if err == nil {
			if b = append(b, " -> "...); l.style.Quote != nil {
				b = l.style.Quote(b, text)
			} else {
				b = l.style.appendText(b, text)
			}
		}
	}
	return b
}

// appendCell appends what is in a column. Names of owners are looked up only when all
// results are held: then no directory is open any more.
func (l *List) appendCell(b []byte, c *column, e *dir.Entry, info *dir.Info) []byte {
	switch {
	case c.Needs == dir.Owner:
		return c.AppendRaw(b, e, info)
	case c.recent:
		return property.AppendTime(b, info.ModTime, l.now.Location(), l.layout(info.ModTime))
	}
	from := len(b)
	b, err := c.Append(b, e, info)
	l.style.report(err)
	if l.style.Escape {
		b = term.AppendEscaped(b[:from], bytes.Clone(b[from:]))
	}
	return b
}

// layout returns how ls shows a time in the C locale.
func (l *List) layout(t time.Time) string {
	const halfYear = 31556952 / 2 * time.Second // of the Gregorian calendar's mean year, as in ls
	if property.CompareTimes(t, l.now) > 0 || property.CompareTimes(t, l.now.Add(-halfYear)) < 0 {
		return "Jan _2  2006"
	}
	return "Jan _2 15:04"
}

// arrange implements arranger: it returns what turns a row into a line, with columns as wide as the widest of all.
func (l *List) arrange(all iter.Seq[[]byte]) func(b, row []byte) []byte {
	last := len(l.columns) - 1
	width := make([]int, last)
	var cell []byte
	next := func(i int, row []byte) (wide int, rest []byte) {
		raw, rest, _ := bytes.Cut(row, []byte{0})
		cell = l.columns[i].AppendShown(cell[:0], raw)
		return l.style.width(cell), rest
	}
	for row := range all {
		for i := range width {
			wide, rest := next(i, row)
			width[i], row = max(width[i], wide), rest
		}
	}
	return func(b, row []byte) []byte {
		for i := range width {
			wide, rest := next(i, row)
			space := width[i] - wide
			row = rest
			if !l.columns[i].IsText() {
				b = appendSpaces(b, space)
			}
			b = append(b, cell...)
			if l.columns[i].IsText() {
				b = appendSpaces(b, space)
			}
			b = append(b, ' ')
		}
		body := len(row) - 1 // without the end
		b = l.columns[last].AppendShown(b, row[:body])
		return append(b, row[body])
	}
}

// width returns the columns that a text with colours and hyperlinks takes on a terminal.
func (s *Style) width(text []byte) int {
	if s.Palette == nil && !s.Hyperlinks {
		return term.Width(text)
	}
	return term.Width(term.AppendPlain(nil, text))
}

func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}
