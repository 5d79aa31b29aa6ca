package du

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
)

// A View writes a Result for people: the biggest first, with bars for shares of the total.
type View struct {
	Style
	Tree    bool // show the content of a directory below it
	Depth   int  // of a tree with all directories down to this level, and the big files; 0: no such tree
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
	m := v.columns(sums, r.Total.Bytes, 0, v.names(all))
	var w bytes.Buffer
	if v.Tree {
		for _, top := range plant(all) {
			m.writeTree(&w, top, "", "")
		}
	} else {
		for _, n := range all {
			m.write(&w, n.Sum)
			path := n.AppendPath(nil)
			m.line(&w, "", path, path, n.Type)
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
		if v.Depth > 0 && (n.Bytes < minBytes(r.Total) || int(n.depth) > v.Depth) {
			continue
		}
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

// minBytes returns what the smallest node that is shown takes.
func minBytes(total Sum) uint64 { return uint64(minFraction * float64(total.Bytes)) }

// big returns the roots and then the nodes that are a good part of the total, and the number
// of roots.
func big(all []*Node, total Sum) (nodes []*Node, n int) {
	least := minBytes(total)
	var roots, rest []*Node
	for _, n := range all {
		switch {
		case n.depth == 0:
			roots = append(roots, n)
		case n.Bytes >= least:
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
	name, path := slices.Clip(top.Name), top.AppendPath(nil)
	if guide == "" {
		name = slices.Clip(path)
	}
	if top.Type == fs.ModeDir {
		name = appendSlash(name)
	}
	c.write(w, top.Sum)
	c.line(w, c.guide(guide, name), name, path, top.Type)
	for i, r := range top.rows {
		if i == len(top.rows)-1 {
			c.writeTree(w, r, below+last, below+"    ")
		} else {
			c.writeTree(w, r, below+branch, below+through)
		}
	}
}
