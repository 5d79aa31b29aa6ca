package du

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// A View is a Result for people: the biggest first, with bars for what they are of all.
type View struct {
	Style
	Tree    bool // what is in a directory below it
	Lines   int  // of the screen; 0: no matter how many
	Width   int  // of the screen, in columns
	Deep    bool // all that has a node is shown, not only what is big enough to matter
	Colours bool
	ASCII   bool // the screen has no other characters
}

// smallest is the share of what is shown if there is no room for all.
const smallest = 0.01

// A row is a node that is shown.
type row struct {
	*Node
	rows []*row // below it
	hue  int    // in a Treemap, degrees
}

// Write writes a line for each node that is big enough.
func (v *View) Write(to io.Writer, r *Result) error {
	all := v.Only
	if all == nil {
		all = v.all(r)
		if v.Tree {
			all = v.biggest(all, r.Total)
		} else {
			all = v.shallow(all, r.Total)
		}
	}
	var w bytes.Buffer
	whole := r.Total.Bytes
	if v.Tree {
		for _, top := range plant(all) {
			v.writeTree(&w, top, whole, "", "")
		}
	} else {
		for _, n := range all {
			v.measures(&w, n.Sum, whole)
			w.Write(v.Path(nil, n.AppendPath(nil), n.Type))
			w.WriteByte('\n')
		}
	}
	if v.Total {
		v.measures(&w, r.Total, whole)
		w.WriteString("total\n")
	}
	_, err := w.WriteTo(to)
	return err
}

// all returns the nodes, with the biggest of the files that have none, the biggest first.
func (v *View) all(r *Result) []*Node {
	var all []*Node
	seen := make(map[*Node]bool)
	for n := range v.nodes(r) {
		all = append(all, n)
		seen[n] = true
	}
	for _, n := range r.Files {
		if !seen[n] && v.shows(n) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, biggestFirst)
	return all
}

// biggestFirst compares nodes for a view: a directory comes before what is in it.
func biggestFirst(a, b *Node) int {
	if a.Bytes == b.Bytes && a.depth != b.depth {
		return int(a.depth) - int(b.depth)
	}
	return bySize(b, a)
}

// biggest returns as many of the nodes as there is room for. (Those in which they are are
// among them: nothing is bigger than what it is in.)
func (v *View) biggest(all []*Node, total Sum) []*Node {
	if v.Deep {
		return all
	}
	all = matter(all, total)
	return all[:min(len(all), v.room(len(all)))]
}

// matter returns the nodes that are a good part of all, and the roots before the rest.
func matter(all []*Node, total Sum) []*Node {
	least := uint64(smallest * float64(total.Bytes))
	var roots, rest []*Node
	for _, n := range all {
		switch {
		case n.depth == 0:
			roots = append(roots, n)
		case n.Bytes >= least:
			rest = append(rest, n)
		}
	}
	return append(roots, rest...)
}

// shallow returns the nodes down to the greatest depth for which there is room.
func (v *View) shallow(all []*Node, total Sum) []*Node {
	if v.Deep {
		return all
	}
	all = matter(all, total)
	var at [64]int // nodes by depth, those below with the last
	for _, n := range all {
		at[min(int(n.depth), len(at)-1)]++
	}
	depth, sum := 1, at[0]+at[1]
	for depth+1 < len(at) && at[depth+1] > 0 && sum+at[depth+1] <= v.room(len(all)) {
		depth++
		sum += at[depth]
	}
	all = slices.DeleteFunc(all, func(n *Node) bool { return int(n.depth) > depth })
	all = all[:min(len(all), v.room(len(all)))]
	slices.SortFunc(all, biggestFirst)
	return all
}

// room returns how many lines there may be.
func (v *View) room(all int) int {
	const least = 5
	if v.Lines == 0 {
		return all
	}
	return max(v.Lines, least)
}

// measures writes a size, its share of the whole, and a bar for that.
func (v *View) measures(w *bytes.Buffer, s Sum, whole uint64) {
	share := 0.0
	if whole > 0 {
		share = float64(s.Bytes) / float64(whole)
	}
	fmt.Fprintf(w, "%7s %5.1f%% ", v.Unit.Append(nil, s.Bytes), 100*share)
	v.bar(w, share)
	if v.Time != "" {
		w.WriteString(s.when().Format(v.Time) + " ")
	}
}

// barWidth returns how long the bar of all is.
func (v *View) barWidth() int { return min(30, max(8, v.Width/5)) }

// bar writes a bar as long as a share, coloured as it is small or large.
func (v *View) bar(w *bytes.Buffer, share float64) {
	width := v.barWidth()
	full, part := "█", []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	if v.ASCII {
		full, part = "#", []string{""}
	}
	parts := int(share*float64(width*len(part)) + 0.5)
	bar := strings.Repeat(full, parts/len(part)) + part[parts%len(part)]
	length := (parts + len(part) - 1) / len(part)
	if v.Colours {
		colour := "32"
		switch {
		case share >= 0.5:
			colour = "31"
		case share >= 0.2:
			colour = "33"
		}
		bar = "\x1b[" + colour + "m" + bar + "\x1b[0m"
	}
	w.WriteString(bar + strings.Repeat(" ", width-length+1))
}

// plant makes trees of nodes that are sorted.
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

func (v *View) writeTree(w *bytes.Buffer, top *row, whole uint64, guide, below string) {
	branch, last, through := "├── ", "└── ", "│   "
	if v.ASCII {
		branch, last, through = "|-- ", "`-- ", "|   "
	}
	v.measures(w, top.Sum, whole)
	name := top.Name
	if guide == "" {
		name = top.AppendPath(nil)
	}
	w.WriteString(guide)
	w.Write(v.Path(nil, name, top.Type))
	if top.Type == fs.ModeDir && len(name) > 0 && name[len(name)-1] != '/' {
		w.WriteByte('/')
	}
	w.WriteByte('\n')
	for i, r := range top.rows {
		if i == len(top.rows)-1 {
			v.writeTree(w, r, whole, below+last, below+"    ")
		} else {
			v.writeTree(w, r, whole, below+branch, below+through)
		}
	}
}
