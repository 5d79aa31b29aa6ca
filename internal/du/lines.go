package du

import (
	"bufio"
	"io"
	"io/fs"
	"iter"
	"slices"
	"time"

	"ldx/internal/format"
)

// A Style says which nodes are shown, and how.
type Style struct {
	Unit     format.Unit
	Min, Max uint64  // show only nodes that take at least Min and at most Max; 0: any
	Matching bool    // show only directories in which something counts, and roots
	Only     []*Node // show these, in this order; nil: all
	Total    bool    // show the sum at the end

	// Time appends the latest time of a node; nil: it is not shown.
	Time func(b []byte, t time.Time) []byte

	// Path appends a path, or its end, as it is shown. whole is the path of a node whose type is
	// kind; nil if the text is of no node.
	Path func(b, path, whole []byte, kind fs.FileMode) []byte
}

// nodes yields the nodes to show and their paths: each after those below it, or as in Only. A
// path is valid until the next.
func (s *Style) nodes(r *Result) iter.Seq2[*Node, []byte] {
	return func(yield func(*Node, []byte) bool) {
		var path []byte
		if s.Only != nil {
			for _, n := range s.Only {
				if path = n.AppendPath(path[:0]); s.shows(n) && !yield(n, path) {
					return
				}
			}
			return
		}
		var below func(n *Node) bool
		below = func(n *Node) bool {
			length := len(path)
			for c := n.first; c != nil; c = c.next {
				path = append(appendSlash(path[:length]), c.Name...)
				if !below(c) {
					return false
				}
			}
			path = path[:length]
			return !s.shows(n) || yield(n, path)
		}
		for _, root := range r.Roots {
			if path = append(path[:0], root.Name...); !below(root) {
				return
			}
		}
	}
}

func (s *Style) shows(n *Node) bool {
	return s.inRange(n.Sum) && (!s.Matching || n.Entries > 0 || n.depth == 0)
}

func (s *Style) inRange(sum Sum) bool {
	return sum.Bytes >= s.Min && (s.Max == 0 || sum.Bytes <= s.Max)
}

// Biggest returns the n biggest of the directories to show.
func (s *Style) Biggest(r *Result, n int) []*Node {
	var all []*Node
	for node := range s.nodes(r) {
		if node.Type == fs.ModeDir {
			all = append(all, node)
		}
	}
	slices.SortFunc(all, biggestFirst)
	return all[:min(len(all), n)]
}

// Lines writes a Result as du does.
type Lines struct {
	Style
	Null bool // a NUL ends a line, not a newline
}

// Write writes a line for each node: size, time if Time is set, and path, separated by tabs.
func (l *Lines) Write(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var buf []byte
	line := func(s Sum, path, whole []byte, kind fs.FileMode) {
		buf = append(l.Unit.Append(buf[:0], s.Bytes), '\t')
		if l.Time != nil {
			buf = append(l.Time(buf, s.Latest), '\t')
		}
		buf = l.Path(buf, path, whole, kind)
		end := byte('\n')
		if l.Null {
			end = 0
		}
		_, _ = w.Write(append(buf, end)) // Flush returns the error
	}
	for n, path := range l.nodes(r) {
		line(n.Sum, path, path, n.Type)
	}
	if l.Total {
		line(r.Total, []byte("total"), nil, fs.ModeIrregular)
	}
	return w.Flush()
}
