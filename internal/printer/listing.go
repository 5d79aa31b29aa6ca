package printer

import (
	"bytes"
	"io"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/term"
)

// A Listing shows results with their metadata, a line each, as ls -lh does, sorted
// by path. Since its columns are as wide as they must be, it holds all results
// until it is closed. It is safe for concurrent use; each worker has a ListingBuffer.
type Listing struct {
	w      io.Writer
	line   *line
	now    time.Time
	sorter *Sorter

	mu      sync.Mutex
	buffers []*ListingBuffer
}

// A ListingBuffer takes one worker's results. It is not safe for concurrent use.
type ListingBuffer struct {
	listing *Listing
	rows    *SortBuffer  // what is shown of a result: its columns, a NUL after each, and its line
	width   [columns]int // of the widest
	ids     [columns]map[uint32]bool
	err     error // of the last result
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

// ownerColumns are those of numbers that are shown as names.
var ownerColumns = [columns]*owners{userColumn: &users, groupColumn: &groups}

// leftAligned are the columns of words.
var leftAligned = [columns]bool{modeColumn: true, userColumn: true, groupColumn: true}

// NewListing returns a Listing that writes to w, in an order; the zero Order is by path.
// Times are shown as of now: of those more than half a year from it, the year.
func NewListing(w io.Writer, style Style, order Order, now time.Time) *Listing {
	if style.Slash == SlashAuto {
		style.Slash = SlashNever
	}
	return &Listing{w: w, line: &line{style}, now: now, sorter: NewSorter(order)}
}

// Needs returns what the Info of each result will be asked for.
func (l *Listing) Needs() dir.Fields { return Fields | l.sorter.order.Needs() }

// NewBuffer returns an empty ListingBuffer.
func (l *Listing) NewBuffer() *ListingBuffer {
	b := &ListingBuffer{listing: l}
	b.ids[userColumn], b.ids[groupColumn] = make(map[uint32]bool), make(map[uint32]bool)
	b.rows = l.sorter.NewBuffer(b.append)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buffers = append(l.buffers, b)
	return b
}

// Add adds a result. The error is an *fs.PathError: the system would not tell, and
// the columns have question marks. That the file has vanished is none.
func (b *ListingBuffer) Add(e *dir.Entry) error {
	b.rows.Add(e)
	if dir.Vanished(b.err) {
		return nil
	}
	return b.err
}

// append appends a row.
func (b *ListingBuffer) append(row []byte, e *dir.Entry) []byte {
	texts := [columns]string{modeText(e.Type)[:1] + "?????????", "?", "?", "?", "?", "?"}
	info, err := e.Info(Fields)
	if b.err = err; err == nil {
		texts = b.listing.columns(info)
		b.ids[userColumn][info.User], b.ids[groupColumn][info.Group] = true, true
	}
	for i, text := range texts {
		if err != nil || ownerColumns[i] == nil {
			b.width[i] = max(b.width[i], term.WidthString(text))
		}
		row = append(append(row, text...), 0)
	}
	row = b.listing.line.append(row, e)
	if err == nil && e.Type == fs.ModeSymlink {
		if target := b.listing.line.target(e); target != nil {
			row = b.listing.line.appendText(append(row, " -> "...), target)
		}
	}
	return append(row, '\n')
}

func (l *Listing) columns(info *dir.Info) [columns]string {
	return [columns]string{
		modeColumn:  modeText(info.Mode),
		linksColumn: strconv.FormatUint(info.Links, 10),
		userColumn:  strconv.FormatUint(uint64(info.User), 10),
		groupColumn: strconv.FormatUint(uint64(info.Group), 10),
		sizeColumn:  string(format.Human.Append(nil, uint64(max(info.Size, 0)))),
		timeColumn:  l.timeText(info.ModTime),
	}
}

// Close writes the rows.
func (l *Listing) Close() error {
	width := l.width()
	var buf bytes.Buffer
	err := l.sorter.Each(0, func(row []byte) error {
		var texts [columns][]byte
		for i := range texts {
			texts[i], row, _ = bytes.Cut(row, []byte{0})
			if o := ownerColumns[i]; o != nil {
				texts[i] = o.nameOf(texts[i])
			}
		}
		for _, i := range shownColumns {
			space := width[i] - term.Width(texts[i])
			if leftAligned[i] {
				buf.Write(texts[i])
			}
			for range space {
				buf.WriteByte(' ')
			}
			if !leftAligned[i] {
				buf.Write(texts[i])
			}
			buf.WriteByte(' ')
		}
		buf.Write(row)
		if buf.Len() < chunk {
			return nil
		}
		_, err := buf.WriteTo(l.w)
		return err
	})
	if err != nil {
		return err
	}
	_, err = buf.WriteTo(l.w)
	return err
}

// width returns how wide the columns are. Names are looked up only now, when no directory
// is open any more.
func (l *Listing) width() (width [columns]int) {
	for _, b := range l.buffers {
		for i := range width {
			width[i] = max(width[i], b.width[i])
			for id := range b.ids[i] {
				width[i] = max(width[i], term.WidthString(ownerColumns[i].name(id)))
			}
		}
	}
	return width
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
	shown, now, before := ofTime(t), ofTime(l.now), ofTime(l.now.Add(-halfYear))
	layout := "Jan _2 15:04"
	if shown.compare(&now) > 0 || shown.compare(&before) < 0 {
		layout = "Jan _2  2006"
	}
	return string(format.AppendTime(nil, t, layout))
}
