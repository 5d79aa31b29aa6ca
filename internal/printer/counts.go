package printer

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/term"
)

// CountOptions says how Counts are shown.
type CountOptions struct {
	Separator string // for each slash; "": a slash
	End       byte   // of a line without bars

	Table   bool // with heads, shares and bars, for people
	Lines   int  // the height of the table; 0: no limit
	Width   int  // of the table, in columns
	Colours bool
	ASCII   bool // the screen shows ASCII only
}

// Counts counts results by what they have in common (--count-by). It is safe for concurrent use;
// each worker has a CountBuffer.
type Counts struct {
	by  *property.Grouping
	opt CountOptions

	mu  sync.Mutex
	all map[string]uint64
}

// NewCounts returns a Counts without results.
func NewCounts(by *property.Grouping, opt CountOptions) *Counts {
	return &Counts{by: by, opt: opt, all: make(map[string]uint64)}
}

// Needs returns what the Info of each result is asked for.
func (c *Counts) Needs() dir.Fields { return c.by.Needs }

// A CountBuffer has the counts of one worker. It is not safe for concurrent use.
type CountBuffer struct {
	to    *Counts
	key   []byte
	count map[string]*uint64
}

// NewBuffer returns an empty CountBuffer. It must be flushed when its worker is done.
func (c *Counts) NewBuffer() *CountBuffer {
	return &CountBuffer{to: c, count: make(map[string]*uint64)}
}

// Add counts a result.
func (b *CountBuffer) Add(e *dir.Entry) error {
	b.key = b.key[:0]
	var info *dir.Info
	var err error
	if b.to.by.Needs != 0 {
		info, err = e.Info(b.to.by.Needs)
	}
	if err != nil {
		b.key = append(b.key, '?')
	} else {
		b.key = b.to.by.AppendKey(b.key, e, info)
	}
	n := b.count[string(b.key)]
	if n == nil {
		n = new(uint64)
		b.count[string(b.key)] = n
	}
	*n++
	return nil
}

// Pause does nothing: counts are written when all results are known.
func (*CountBuffer) Pause() error { return nil }

// Flush adds the counts to those of the others.
func (b *CountBuffer) Flush() error {
	b.to.mu.Lock()
	defer b.to.mu.Unlock()
	for key, n := range b.count {
		b.to.all[key] += *n
	}
	clear(b.count)
	return nil
}

// A count is a group and its number of results.
type count struct {
	name []byte
	n    uint64
}

// Write writes a line for each group, in the order of the Grouping.
func (c *Counts) Write(w io.Writer) error {
	var all []count
	total := uint64(0)
	for _, key := range slices.Sorted(maps.Keys(c.all)) {
		name := format.Separate(c.by.AppendShown(nil, []byte(key)), c.opt.Separator)
		all = append(all, count{name, c.all[key]})
		total += c.all[key]
	}
	slices.SortStableFunc(all, func(a, b count) int { return c.by.Compare(a.name, b.name, a.n, b.n) })
	var text bytes.Buffer
	if c.opt.Table && total > 0 {
		c.table(&text, all, total)
	} else {
		for _, one := range all {
			fmt.Fprintf(&text, "%d\t%s%c", one.n, one.name, c.opt.End)
		}
	}
	_, err := text.WriteTo(w)
	return err
}

// table writes counts, their shares, bars and names. If there is no room for all, the last line
// has the rest; bars give way to names.
func (c *Counts) table(w *bytes.Buffer, all []count, total uint64) {
	all = c.fitting(all)
	number := len("results")
	names := term.WidthString(c.by.Title)
	for i := range all {
		all[i].name = term.AppendEscaped(nil, all[i].name)
		number = max(number, len(format.Grouped.Append(nil, all[i].n)))
		names = max(names, term.Width(all[i].name))
	}
	const share, minBar, maxBar = len(" 100.0%"), 8, 30
	bar := min(maxBar, c.opt.Width-number-share-len("    ")-names)
	heads := "  share  "
	if bar >= minBar {
		heads += fmt.Sprintf("%*s  ", bar, "")
	}
	fmt.Fprintf(w, "%*s%s%s\n", number, "results", heads, c.by.Title)
	for _, one := range all {
		fraction := float64(one.n) / float64(total)
		fmt.Fprintf(w, "%*s %5.1f%%  ", number, format.Grouped.Append(nil, one.n), 100*fraction)
		if bar >= minBar {
			w.WriteString(format.BarCell(fraction, bar, c.opt.ASCII, c.opt.Colours) + "  ")
		}
		w.WriteString(term.Tail(string(one.name), c.opt.Width-number-share-len("..."+"  ")) + "\n")
	}
}

// fitting returns as many counts as there is room for, the last one of the rest.
func (c *Counts) fitting(all []count) []count {
	room := c.opt.Lines - 1 // without the heads
	if c.opt.Lines == 0 || len(all) <= room {
		return all
	}
	room = max(1, room)
	rest := count{name: strconv.AppendInt([]byte("("), int64(len(all)-room+1), 10)}
	rest.name = append(rest.name, " others)"...)
	for _, one := range all[room-1:] {
		rest.n += one.n
	}
	return append(all[:room-1:room-1], rest)
}
