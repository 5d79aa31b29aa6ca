package du

import (
	"bytes"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"ldx/internal/format"
	"ldx/internal/term"
)

// columns are the columns before names.
type columns struct {
	*View
	total uint64
	size  int  // width of sizes
	time  int  // width of times
	bar   int  // length of the bar of the total; 0: there is none
	share bool // the share of the total is shown
}

const (
	minNames = 12 // columns of names; with less nothing would be left of them
	minBar   = 8
)

// columns returns what there is room for beside names of that width, which have more before them.
// Bars give way, and on a very narrow screen shares.
func (v *View) columns(sums []Sum, total uint64, before, names int) columns {
	c := columns{View: v, total: total, size: 7, bar: min(30, max(minBar, v.Width/5)), share: true}
	for _, s := range sums {
		c.size = max(c.size, len(v.Unit.Append(nil, s.Bytes)))
		if v.Time != nil {
			c.time = max(c.time, term.Width(v.Time(nil, s.Latest)))
		}
	}
	if v.Lines == 0 {
		return c
	}
	least := minBar
	if v.Only != nil { // whole paths matter more
		least = 0
	}
	c.bar = max(c.bar+min(0, v.Width-c.width()-before-names), least)
	if c.bar < minBar || c.room() < before+minNames {
		c.bar = 0
	}
	c.share = c.room() >= before+minNames
	return c
}

// names returns the width of the names of nodes, with what is before them in a tree.
func (v *View) names(nodes []*Node) (width int) {
	const guide = 4
	for _, n := range nodes {
		if v.Tree && n.depth > 0 {
			width = max(width, guide*int(n.depth)+term.Width(n.Name)+1)
		} else {
			width = max(width, term.Width(n.AppendPath(nil)))
		}
	}
	return width
}

// width returns how wide all columns before names are.
func (c columns) width() int {
	width := c.size + 1
	if c.share {
		width += len("100.0% ")
	}
	if c.bar > 0 {
		width += c.bar + 1
	}
	if c.time > 0 {
		width += c.time + 1
	}
	return width
}

// room returns how wide names may be, with what is before them.
func (c columns) room() int { return max(0, c.Width-c.width()) }

// head writes the heads of the columns.
func (c columns) head(w *bytes.Buffer) {
	fmt.Fprintf(w, "%*s ", c.size, "size")
	if c.share {
		fmt.Fprintf(w, "%6s ", "share")
	}
	if c.bar > 0 {
		fmt.Fprintf(w, "%*s ", c.bar, "")
	}
}

// write writes a size, its fraction of the total, and a bar for that.
func (c columns) write(w *bytes.Buffer, s Sum) {
	fraction := 0.0
	if c.total > 0 {
		fraction = min(1, float64(s.Bytes)/float64(c.total))
	}
	fmt.Fprintf(w, "%*s ", c.size, c.Unit.Append(nil, s.Bytes))
	if c.share {
		fmt.Fprintf(w, "%5.1f%% ", 100*fraction)
	}
	if c.bar > 0 {
		w.WriteString(format.BarCell(fraction, c.bar, c.ASCII, c.Colours) + " ")
	}
	if c.time > 0 {
		when := c.Time(nil, s.Latest)
		fmt.Fprintf(w, "%s%*s ", when, c.time-term.Width(when), "")
	}
}

// guide returns a guide before a name in a tree.
func (c columns) guide(guide string, name []byte) string {
	return string(c.end([]byte(guide), c.room()-min(minNames, term.Width(name))))
}

// line writes text and a path after the columns. A path that is too long for the screen loses its
// beginning. whole is the path of a node; nil if there is none.
func (c columns) line(w *bytes.Buffer, before string, path, whole []byte, kind fs.FileMode) {
	path = c.end(path, c.room()-term.WidthString(before))
	w.WriteString(before)
	w.Write(c.Path(nil, path, whole, kind))
	w.WriteByte('\n')
}

// end returns as much of the end of text as there is room for on the screen, after dots if that is
// not all.
func (c columns) end(text []byte, room int) []byte {
	dots := "…"
	if c.ASCII {
		dots = "..."
	}
	width := term.Width(text)
	if width <= room || c.Lines == 0 {
		return text
	}
	for width > max(0, room-term.WidthString(dots)) && len(text) > 0 {
		_, size := utf8.DecodeRune(text)
		width -= term.Width(text[:size])
		text = text[size:]
	}
	return append([]byte(dots), text...)
}
