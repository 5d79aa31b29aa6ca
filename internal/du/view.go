package du

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ldx/internal/format"
	"ldx/internal/term"
)

// A View writes a Result for people: the biggest first, with bars for shares of the total.
type View struct {
	Style
	Tree    bool // show the content of a directory below it
	Lines   int  // the height of the screen; 0: no limit
	Width   int  // the width of the screen, in columns
	All     bool // show every node, not only big ones
	Colours bool
	ASCII   bool // the screen shows ASCII only
}

// minFraction is the smallest fraction of the total that is shown, unless All is set.
const minFraction = 0.01

// A row is a node to show.
type row struct {
	*Node
	rows []*row // below it
	hue  int    // in a Treemap, degrees
}

// Write writes a line for each node.
func (v *View) Write(to io.Writer, r *Result) error {
	all := v.all(r)
	switch {
	case v.Only != nil || v.All:
	case v.Tree:
		all = v.biggest(all, r.Total)
	default:
		all = v.shallow(all, r.Total)
	}
	sums := []Sum{r.Total}
	for _, n := range all {
		sums = append(sums, n.Sum)
	}
	m := v.columns(sums, r.Total.Bytes)
	var w bytes.Buffer
	if v.Tree {
		for _, top := range plant(all) {
			m.writeTree(&w, top, "", "")
		}
	} else {
		for _, n := range all {
			m.write(&w, n.Sum)
			m.line(&w, "", n.AppendPath(nil), n.Type)
		}
	}
	if v.Total {
		m.write(&w, r.Total)
		w.WriteString("total\n")
	}
	_, err := w.WriteTo(to)
	return err
}

// all returns the nodes and r.Files, the biggest first.
func (v *View) all(r *Result) []*Node {
	var all []*Node
	for n := range v.nodes(r) {
		all = append(all, n)
	}
	if v.Only != nil {
		return all
	}
	seen := make(map[*Node]bool)
	for _, n := range all {
		seen[n] = true
	}
	for _, n := range r.Files {
		if !seen[n] && seen[n.parent] && v.shows(n) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, biggestFirst)
	return all
}

// biggest returns the biggest nodes, as many as there is room for. (The directories that they
// are in are among them, since these are at least as big.)
func (v *View) biggest(all []*Node, total Sum) []*Node {
	all, roots := big(all, total)
	return all[:min(len(all), max(roots, v.room(len(all))))]
}

// big returns the roots and then the nodes that are a good part of the total, and the number
// of roots.
func big(all []*Node, total Sum) (nodes []*Node, n int) {
	minBytes := uint64(minFraction * float64(total.Bytes))
	var roots, rest []*Node
	for _, n := range all {
		switch {
		case n.depth == 0:
			roots = append(roots, n)
		case n.Bytes >= minBytes:
			rest = append(rest, n)
		}
	}
	return append(roots, rest...), len(roots)
}

// shallow returns the nodes down to the greatest depth that there is room for.
func (v *View) shallow(all []*Node, total Sum) []*Node {
	all, roots := big(all, total)
	var at [64]int // number of nodes by depth; the last counts all deeper ones
	for _, n := range all {
		at[min(int(n.depth), len(at)-1)]++
	}
	depth, sum := 1, at[0]+at[1]
	for depth+1 < len(at) && at[depth+1] > 0 && sum+at[depth+1] <= v.room(len(all)) {
		depth++
		sum += at[depth]
	}
	all = slices.DeleteFunc(all, func(n *Node) bool { return int(n.depth) > depth })
	all = all[:min(len(all), max(roots, v.room(len(all))))]
	slices.SortFunc(all, biggestFirst)
	return all
}

// room returns the number of lines to write at most.
func (v *View) room(all int) int {
	const minLines = 5
	if v.Lines == 0 {
		return all
	}
	return max(v.Lines, minLines)
}

// columns are the columns before names.
type columns struct {
	*View
	total uint64
	size  int // width of sizes
}

func (v *View) columns(sums []Sum, total uint64) columns {
	c := columns{View: v, total: total, size: 7}
	for _, s := range sums {
		c.size = max(c.size, len(v.Unit.Append(nil, s.Bytes)))
	}
	return c
}

// width returns how wide all columns before names are.
func (c columns) width() int {
	width := c.size + len(" 100.0% ") + c.barWidth() + 1
	if c.Time != "" {
		width += len(time.Time{}.Format(c.Time)) + 1
	}
	return width
}

// write writes a size, its fraction of the total, and a bar for that.
func (c columns) write(w *bytes.Buffer, s Sum) {
	fraction := 0.0
	if c.total > 0 {
		fraction = min(1, float64(s.Bytes)/float64(c.total))
	}
	fmt.Fprintf(w, "%*s %5.1f%% ", c.size, c.Unit.Append(nil, s.Bytes), 100*fraction)
	c.bar(w, fraction)
	if c.Time != "" {
		fmt.Fprintf(w, "%-*s ", len(time.Time{}.Format(c.Time)), c.when(s))
	}
}

// line writes a guide and a path after the columns. A path that is too long for the screen
// loses its beginning.
func (c columns) line(w *bytes.Buffer, guide string, path []byte, kind fs.FileMode) {
	const minRoom = 12 // or nothing would be left of names
	dots := "…"
	if c.ASCII {
		dots = "..."
	}
	room := max(minRoom, c.Width-c.width()-term.WidthString(guide))
	if width := term.Width(path); c.Lines > 0 && width > room {
		for width > room-term.WidthString(dots) {
			_, size := utf8.DecodeRune(path)
			width -= term.Width(path[:size])
			path = path[size:]
		}
		path = append([]byte(dots), path...)
	}
	w.WriteString(guide)
	w.Write(c.Path(nil, path, kind))
	w.WriteByte('\n')
}

// barWidth returns the length of the bar of the total.
func (v *View) barWidth() int { return min(30, max(8, v.Width/5)) }

// bar writes a bar for a fraction, and spaces up to barWidth. The colour depends on the fraction.
func (v *View) bar(w *bytes.Buffer, fraction float64) {
	width := v.barWidth()
	bar := format.Bar(fraction, width, v.ASCII)
	length := utf8.RuneCountInString(bar)
	if v.Colours {
		colour := "32"
		switch {
		case fraction >= 0.5:
			colour = "31"
		case fraction >= 0.2:
			colour = "33"
		}
		bar = "\x1b[" + colour + "m" + bar + "\x1b[0m"
	}
	w.WriteString(bar + strings.Repeat(" ", width-length+1))
}

// plant makes trees of sorted nodes.
func plant(nodes []*Node) (tops []*row) {
	rows := make(map[*Node]*row)
	for _, n := range nodes {
		rows[n] = &row{Node: n}
	}
	for _, n := range nodes {
		if above := rows[n.parent]; above != nil {
			above.rows = append(above.rows, rows[n])
		} else {
			tops = append(tops, rows[n])
		}
	}
	return tops
}

func (c columns) writeTree(w *bytes.Buffer, top *row, guide, below string) {
	branch, last, through := "├── ", "└── ", "│   "
	if c.ASCII {
		branch, last, through = "|-- ", "`-- ", "|   "
	}
	name := slices.Clip(top.Name)
	if guide == "" {
		name = top.AppendPath(nil)
	}
	if top.Type == fs.ModeDir {
		name = appendSlash(name)
	}
	c.write(w, top.Sum)
	c.line(w, guide, name, top.Type)
	for i, r := range top.rows {
		if i == len(top.rows)-1 {
			c.writeTree(w, r, below+last, below+"    ")
		} else {
			c.writeTree(w, r, below+branch, below+through)
		}
	}
}
