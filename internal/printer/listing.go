package printer

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"ldx/internal/dir"
	"ldx/internal/format"
)

// A Listing shows results with their metadata, a line each, as ls -lh does, sorted
// by path. Since its columns are as wide as they must be, it holds all results
// until it is closed. It is safe for concurrent use.
type Listing struct {
	w     io.Writer
	line  *line
	now   time.Time
	order Order

	mu   sync.Mutex
	rows []*row
}

// A row is a result's columns, what it is sorted by, and its path to show.
type row struct {
	item
	columns [columns]string
}

const (
	modeColumn = iota
	linksColumn
	userColumn
	groupColumn
	sizeColumn
	timeColumn
	columns
)

// leftAligned are the columns of words.
var leftAligned = [columns]bool{modeColumn: true, userColumn: true, groupColumn: true}

// NewListing returns a Listing that writes to w, in an order; the zero Order is by path.
// Times are shown as of now: of those more than half a year from it, the year.
func NewListing(w io.Writer, style Style, order Order, now time.Time) *Listing {
	if style.Slash == SlashAuto {
		style.Slash = SlashNever
	}
	return &Listing{w: w, line: &line{style}, now: now, order: order}
}

// Add adds a result. The error is an *fs.PathError: the system would not tell, and
// the columns have question marks.
func (l *Listing) Add(e *dir.Entry) error {
	info, err := e.Info(Fields)
	if err != nil {
		r := row{item: l.order.item(e, e.AppendPath(nil), l.line.append(nil, e))}
		for i := range r.columns {
			r.columns[i] = "?"
		}
		r.columns[modeColumn] = modeText(e.Type)[:1] + "?????????"
		l.mu.Lock()
		defer l.mu.Unlock()
		l.rows = append(l.rows, &r)
		return err
	}
	r := row{item: l.order.item(e, e.AppendPath(nil), l.line.append(nil, e))}
	if e.Type == fs.ModeSymlink {
		if target, err := e.Target(); err == nil {
			r.shown = append(r.shown, " -> "...)
			r.shown = l.line.appendText(r.shown, target)
		}
	}
	r.columns = [columns]string{
		modeColumn:  modeText(info.Mode),
		linksColumn: strconv.FormatUint(info.Links, 10),
		userColumn:  users.name(info.User),
		groupColumn: groups.name(info.Group),
		sizeColumn:  string(format.Human.Append(nil, uint64(max(info.Size, 0)))),
		timeColumn:  l.timeText(info.ModTime),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, &r)
	return nil
}

// Close writes the rows.
func (l *Listing) Close() error {
	slices.SortFunc(l.rows, func(a, b *row) int { return l.order.compare(&a.item, &b.item) })
	var width [columns]int
	for _, r := range l.rows {
		for i, text := range r.columns {
			width[i] = max(width[i], utf8.RuneCountInString(text))
		}
	}
	var buf bytes.Buffer
	for _, r := range l.rows {
		for _, i := range shownColumns {
			text := r.columns[i]
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if leftAligned[i] {
				buf.WriteString(text + space + " ")
			} else {
				buf.WriteString(space + text + " ")
			}
		}
		buf.Write(r.shown)
		buf.WriteByte('\n')
		if buf.Len() >= chunk {
			if _, err := buf.WriteTo(l.w); err != nil {
				return err
			}
		}
	}
	_, err := buf.WriteTo(l.w)
	return err
}

// modeText writes a mode as ls does (POSIX, "ls", STDOUT): drwxr-sr-t.
func modeText(mode fs.FileMode) string {
	text := []byte("----------")
	for _, t := range []struct {
		mode   fs.FileMode
		letter byte
	}{
		{fs.ModeDir, 'd'},
		{fs.ModeSymlink, 'l'},
		{fs.ModeNamedPipe, 'p'},
		{fs.ModeSocket, 's'},
		{fs.ModeDevice, 'b'},
		{fs.ModeDevice | fs.ModeCharDevice, 'c'},
		{fs.ModeIrregular, '?'},
	} {
		if mode.Type() == t.mode {
			text[0] = t.letter
		}
	}
	for i := range 9 {
		if mode&(1<<(8-i)) != 0 {
			text[1+i] = "rwx"[i%3]
		}
	}
	for _, special := range []struct {
		mode   fs.FileMode
		at     int
		letter string // with and without x
	}{{fs.ModeSetuid, 3, "sS"}, {fs.ModeSetgid, 6, "sS"}, {fs.ModeSticky, 9, "tT"}} {
		if mode&special.mode == 0 {
			continue
		}
		if text[special.at] == 'x' {
			text[special.at] = special.letter[0]
		} else {
			text[special.at] = special.letter[1]
		}
	}
	return string(text)
}

// timeText writes a time as ls does in the C locale.
func (l *Listing) timeText(t time.Time) string {
	const halfYear = 31556952 / 2 * time.Second // of the Gregorian calendar's mean year, as in ls
	t = t.In(l.now.Location())
	if t.After(l.now) || l.now.Sub(t) > halfYear {
		return t.Format("Jan _2  2006")
	}
	return t.Format("Jan _2 15:04")
}
