package printer

import (
	"bytes"
	"io/fs"
	"time"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/term"
)

// A List renders results with their metadata, a line each, as ls -lh does. Its columns are
// as wide as they must be, so its results are printed when all are known.
type List struct {
	style   Style
	columns []*property.Property
	needs   dir.Fields
	now     time.Time
}

// NewList returns a List. Times are shown as of now: of those more than half a year from
// it, the year.
func NewList(s Style, now time.Time) *List {
	l := &List{style: s, now: now}
	for _, name := range listColumns {
		p := property.Get(name)
		l.columns = append(l.columns, p)
		l.needs |= p.Needs
	}
	return l
}

// Needs returns what the Info of each result is asked for.
func (l *List) Needs() dir.Fields { return l.needs }

// MayNeed returns the fields that are asked for only of results whose colour depends on them.
func (l *List) MayNeed() dir.Fields { return l.style.mayNeed() }

// Append appends a row: the columns, a NUL after each, and the line. What the system does
// not say has question marks.
func (l *List) Append(row []byte, e *dir.Entry) []byte {
	info, err := e.Info(l.needs)
	for _, p := range l.columns {
		switch {
		case err == nil:
			row = l.appendCell(row, p, e, info)
		case p.Needs == dir.Mode:
			row = append(property.AppendMode(row, e.Type)[:len(row)+1], "?????????"...)
		default:
			row = append(row, '?')
		}
		row = append(row, 0)
	}
	row = l.style.appendEntry(row, e, l.style.Slash == SlashAlways)
	if err == nil && e.Type == fs.ModeSymlink {
		target, err := e.Target()
		l.style.report(err)
		if err == nil {
			row = l.style.appendText(append(row, " -> "...), target)
		}
	}
	return append(row, '\n')
}

// appendCell appends what is in a column. Names of owners are looked up only when all
// results are held: then no directory is open any more.
func (l *List) appendCell(b []byte, p *property.Property, e *dir.Entry, info *dir.Info) []byte {
	switch p.Needs {
	case dir.Size:
		return format.Human.Append(b, uint64(max(info.Size, 0)))
	case dir.ModTime:
		return property.AppendTime(b, info.ModTime, l.now.Location(), l.layout(info.ModTime))
	}
	return p.AppendRaw(b, e, info)
}

// layout returns how ls shows a time in the C locale.
func (l *List) layout(t time.Time) string {
	const halfYear = 31556952 / 2 * time.Second // of the Gregorian calendar's mean year, as in ls
	if property.CompareTimes(t, l.now) > 0 || property.CompareTimes(t, l.now.Add(-halfYear)) < 0 {
		return "Jan _2  2006"
	}
	return "Jan _2 15:04"
}

// isLeft reports whether a column is aligned to the left, as words are.
func isLeft(p *property.Property) bool { return p.Needs == dir.Mode || p.Needs == dir.Owner }

// arrange implements arranger: it returns what turns a row into a line, with columns as wide as the widest of all.
func (l *List) arrange(all []*item) func(b, row []byte) []byte {
	width := make([]int, len(l.columns))
	var cell []byte
	next := func(p *property.Property, row []byte) (rest []byte) {
		raw, rest, _ := bytes.Cut(row, []byte{0})
		cell = p.AppendShown(cell[:0], raw)
		return rest
	}
	for _, it := range all {
		row := it.shown()
		for i, p := range l.columns {
			row = next(p, row)
			width[i] = max(width[i], term.Width(cell))
		}
	}
	return func(b, row []byte) []byte {
		for i, p := range l.columns {
			row = next(p, row)
			space := width[i] - term.Width(cell)
			if !isLeft(p) {
				b = appendSpaces(b, space)
			}
			b = append(b, cell...)
			if isLeft(p) {
				b = appendSpaces(b, space)
			}
			b = append(b, ' ')
		}
		return append(b, row...)
	}
}

func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}
