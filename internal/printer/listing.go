package printer

import (
	"bytes"
	"io"
	"io/fs"
	"os/user"
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
	w    io.Writer
	line *line
	now  time.Time

	mu     sync.Mutex
	rows   []row
	users  map[uint32]string
	groups map[uint32]string
}

// A row is a result's columns, and its path to sort by and to show.
type row struct {
	path, shown []byte
	columns     [columns]string
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

// NewListing returns a Listing that writes to w. Times are shown as of now: of
// those more than half a year from it, the year.
func NewListing(w io.Writer, style Style, now time.Time) *Listing {
	if style.Slash == SlashAuto {
		style.Slash = SlashNever
	}
	return &Listing{w: w, line: &line{style}, now: now, users: make(map[uint32]string), groups: make(map[uint32]string)}
}

// Add adds a result. The error is an *fs.PathError: the system would not tell, and
// the columns have question marks.
func (l *Listing) Add(e *dir.Entry) error {
	info, err := e.Info(Fields)
	if err != nil {
		r := row{path: e.AppendPath(nil), shown: l.line.append(nil, e)}
		for i := range r.columns {
			r.columns[i] = "?"
		}
		r.columns[modeColumn] = modeText(e.Type)[:1] + "?????????"
		l.mu.Lock()
		defer l.mu.Unlock()
		l.rows = append(l.rows, r)
		return err
	}
	r := row{path: e.AppendPath(nil), shown: l.line.append(nil, e)}
	if e.Type == fs.ModeSymlink {
		if target, err := e.Target(); err == nil {
			r.shown = append(r.shown, " -> "...)
			r.shown = l.line.appendText(r.shown, target)
		}
	}
	r.columns = [columns]string{
		modeColumn:  modeText(info.Mode),
		linksColumn: strconv.FormatUint(info.Links, 10),
		sizeColumn:  string(format.Human.Append(nil, uint64(max(info.Size, 0)))),
		timeColumn:  l.timeText(info.ModTime),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r.columns[userColumn] = nameOf(l.users, info.User, func(id string) (string, error) {
		u, err := user.LookupId(id)
		if err != nil {
			return "", err
		}
		return u.Username, nil
	})
	r.columns[groupColumn] = nameOf(l.groups, info.Group, func(id string) (string, error) {
		g, err := user.LookupGroupId(id)
		if err != nil {
			return "", err
		}
		return g.Name, nil
	})
	l.rows = append(l.rows, r)
	return nil
}

// nameOf returns the name of a user or group, or its number if it has none.
func nameOf(known map[uint32]string, id uint32, lookUp func(string) (string, error)) string {
	name, ok := known[id]
	if !ok {
		digits := strconv.FormatUint(uint64(id), 10)
		var err error
		if name, err = lookUp(digits); err != nil {
			name = digits
		}
		known[id] = name
	}
	return name
}

// Close writes the rows.
func (l *Listing) Close() error {
	slices.SortFunc(l.rows, func(a, b row) int { return comparePaths(a.path, b.path) })
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
