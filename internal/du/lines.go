package du

import (
	"bufio"
	"io"
	"io/fs"
	"time"

	"ldx/internal/format"
)

// Style says how nodes are shown.
type Style struct {
	Unit     format.Unit
	Least    uint64 // only what takes at least so much
	Most     uint64 // and at most so much; 0: any
	Matching bool   // only directories in which something counts, and roots
	Total    bool   // and at the end, what all take

	// Path appends a path as it is to be shown, that of what has this type.
	Path func(b, path []byte, kind fs.FileMode) []byte
}

// shows reports whether n is to be shown.
func (s *Style) shows(n *Node) bool {
	return n.Bytes >= s.Least && (s.Most == 0 || n.Bytes <= s.Most) && (!s.Matching || n.Entries > 0 || n.depth == 0)
}

// Lines says how a Result is written as du does.
type Lines struct {
	Style
	Null bool   // a NUL ends a line, not a newline
	Time string // the layout of the latest time, after the size; "": none
}

// Write writes a line for each node, after those of what is in it: the size, a tab and
// the path.
func (l *Lines) Write(to io.Writer, r *Result) error {
	w := linesWriter{Lines: l, to: bufio.NewWriterSize(to, 32<<10)}
	for _, root := range r.Roots {
		w.path = append(w.path[:0], root.Name...)
		w.tree(root)
	}
	if l.Total {
		w.path = append(w.path[:0], "total"...)
		w.line(r.Total, fs.ModeIrregular)
	}
	return w.to.Flush()
}

type linesWriter struct {
	*Lines
	to   *bufio.Writer
	path []byte // of the node that is written
	buf  []byte // scratch
}

func (w *linesWriter) tree(n *Node) {
	length := len(w.path)
	for c := n.first; c != nil; c = c.next {
		w.path = append(appendSlash(w.path[:length]), c.Name...)
		w.tree(c)
	}
	w.path = w.path[:length]
	if w.shows(n) {
		w.line(n.Sum, n.Type)
	}
}

func (w *linesWriter) line(s Sum, kind fs.FileMode) {
	b := append(w.Unit.Append(w.buf[:0], s.Bytes), '\t')
	if w.Time != "" {
		b = append(time.Unix(0, s.Latest).AppendFormat(b, w.Time), '\t')
	}
	b = w.Path(b, w.path, kind)
	end := byte('\n')
	if w.Null {
		end = 0
	}
	w.buf = append(b, end)
	_, _ = w.to.Write(w.buf) // Flush tells
}
