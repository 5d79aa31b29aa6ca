package du

import (
	"bufio"
	"io"
	"io/fs"
	"iter"
	"slices"
	"time"

	"ldx/internal/format"
	"ldx/internal/property"
)

// A Style says which nodes are shown, and how.
type Style struct {
	Unit     format.Unit
	Least    uint64  // only what takes at least so much
	Most     uint64  // and at most so much; 0: any
	Matching bool    // only directories in which something counts, and roots
	Only     []*Node // just these, in that order; nil: all
	Total    bool    // and at the end, what all take
	Time     string  // the layout of the latest time, local, to be shown too; "": none

	// Path appends a path as it is to be shown, that of what has this type.
	Path func(b, path []byte, kind fs.FileMode) []byte
}

// nodes gives the nodes that are to be shown, each after those below it unless Only says
// otherwise, with their paths, which are valid until the next.
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
	return s.has(n.Sum) && (!s.Matching || n.Entries > 0 || n.depth == 0)
}

func (s *Style) has(sum Sum) bool {
	return sum.Bytes >= s.Least && (s.Most == 0 || sum.Bytes <= s.Most)
}

// when returns the latest time as it is to be shown.
func (s *Style) when(sum Sum) string {
	return string(property.AppendTime(nil, sum.Latest, time.Local, s.Time))
}

// Biggest returns the biggest directories that are to be shown, but not more than so many.
func (s *Style) Biggest(r *Result, most int) []*Node {
	var all []*Node
	for n := range s.nodes(r) {
		if n.Type == fs.ModeDir {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, biggestFirst)
	return all[:min(len(all), most)]
}

// Lines writes a Result as du does.
type Lines struct {
	Style
	Null bool // a NUL ends a line, not a newline
}

// Write writes a line for each node: the size, the time if it is wanted, and the path,
// with tabs between them.
func (l *Lines) Write(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var buf []byte
	line := func(s Sum, path []byte, kind fs.FileMode) {
		buf = append(l.Unit.Append(buf[:0], s.Bytes), '\t')
		if l.Time != "" {
			buf = append(append(buf, l.when(s)...), '\t')
		}
		buf = l.Path(buf, path, kind)
		end := byte('\n')
		if l.Null {
			end = 0
		}
		_, _ = w.Write(append(buf, end)) // Flush tells
	}
	for n, path := range l.nodes(r) {
		line(n.Sum, path, n.Type)
	}
	if l.Total {
		line(r.Total, []byte("total"), fs.ModeIrregular)
	}
	return w.Flush()
}
