package printer

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"slices"

	"ldx/internal/dir"
)

// A TreeView draws results as a tree, with the directories that they are in (--tree). It renders
// results for several workers, and puts them together for one, in the order of paths.
//
// The lines before a name depend on whether other names follow in each directory above it. So what
// is in a directory given as a root is drawn up to the last entry that another one has followed.
type TreeView struct {
	style Style
	guide guides

	root   uint64 // the number of the last result's root, plus 1; 0: there was none
	path   []byte // of the last result, below its root
	nodes  []node // that are not drawn
	names  []byte // of nodes
	more   []bool // scratch: by depth, another node follows in the same directory
	follow []bool // scratch: of all nodes, more of the levels down to theirs
	drawn  []byte
}

// guides are what is before a name: four columns for each directory above it.
type guides struct{ branch, last, through, space string }

// A node is a result or a directory above one.
type node struct {
	depth int // 0: a root
	end   int // of its name in names
}

// NewTreeView returns an empty TreeView. ascii says that the screen shows ASCII only.
func NewTreeView(s Style, ascii bool) *TreeView {
	t := &TreeView{style: s, guide: guides{"├── ", "└── ", "│   ", "    "}}
	if ascii {
		t.guide = guides{"|-- ", "`-- ", "|   ", "    "}
	}
	return t
}

// Needs returns what the Info of each result is asked for: nothing.
func (*TreeView) Needs() dir.Fields { return 0 }

// MayNeed returns the fields that are asked for only of results whose colour depends on them.
func (t *TreeView) MayNeed() dir.Fields { return t.style.mayNeed() }

// Append appends what Add takes: the number of the root and the length of its label, the path, and
// after a NUL the name as it is shown. It is safe for concurrent use.
func (t *TreeView) Append(b []byte, e *dir.Entry) []byte {
	b = binary.AppendUvarint(b, uint64(e.Dir.Root()))
	path := e.AppendPath(nil)
	label, shown := len(path)-len(e.AppendBelow(nil)), path[len(path)-len(e.Name):]
	switch {
	case t.style.Listed && len(e.Name) > 0:
		label = listedLabel(path)
	case e.Depth() == 0:
		label, shown = len(path), path
	}
	b = append(append(binary.AppendUvarint(b, uint64(label)), path...), 0)
	slash := e.Type == fs.ModeDir && t.style.Slash != SlashNever && len(e.Name) > 0
	b = t.style.appendLink(b, e)
	if t.style.Palette != nil {
		b = t.style.appendColoured(b, e, slices.Clone(shown), slash)
	} else if b = t.style.appendText(b, shown); slash {
		b = append(b, '/')
	}
	return t.style.appendLinkEnd(b)
}

// listedLabel returns the length of what no name is of a path in a list.
func listedLabel(path []byte) int {
	switch {
	case path[0] == '/':
		return len("/")
	case bytes.HasPrefix(path, []byte("./")):
		return len("./")
	}
	return 0
}

// Add adds a result and returns the lines that are drawn now. They are valid until the next call.
func (t *TreeView) Add(result []byte) []byte {
	root, n := binary.Uvarint(result)
	label, m := binary.Uvarint(result[n:])
	path, shown, _ := bytes.Cut(result[n+m:], []byte{0})
	below := bytes.TrimPrefix(path[label:], []byte("/"))
	t.drawn = t.drawn[:0]
	if t.root != root+1 {
		t.draw(false)
		t.root, t.path = root+1, t.path[:0]
		if len(below) == 0 { // the root is a file
			t.push(0, shown)
			return t.drawn
		}
		t.push(0, t.rootName(path[:label]))
	}
	shared := 0 // length of the directories that are drawn or in nodes
	depth := 1
	for i, c := range below {
		if c != '/' {
			continue
		}
		if i > len(t.path) || !bytes.Equal(below[:i], t.path[:i]) || i < len(t.path) && t.path[i] != '/' {
			break
		}
		shared = i + 1
		depth++
	}
	if depth == 1 && t.nodes != nil && len(t.path) > 0 {
		t.draw(true)
	}
	for rest := below[shared:]; ; depth++ {
		name, after, above := bytes.Cut(rest, []byte{'/'})
		if !above {
			break
		}
		t.push(depth, t.context(name))
		rest = after
	}
	t.push(depth, shown)
	t.path = append(t.path[:0], below...)
	return t.drawn
}

// Rest returns the lines that are not drawn yet.
func (t *TreeView) Rest() []byte {
	t.drawn = t.drawn[:0]
	t.draw(false)
	return t.drawn
}

func (t *TreeView) push(depth int, name []byte) {
	t.names = append(t.names, name...)
	t.nodes = append(t.nodes, node{depth, len(t.names)})
}

// rootName returns the name of a root, as its paths begin.
func (t *TreeView) rootName(label []byte) []byte {
	if len(label) == 0 {
		label = []byte(".")
	}
	return t.style.AppendPath(nil, label, fs.ModeDir, nil)
}

// context returns the name of a directory that is no result: where there are colours, it is faint.
func (t *TreeView) context(name []byte) []byte {
	var b []byte
	if t.style.Palette != nil {
		b = append(b, "\x1b[2m"...)
	}
	b = t.style.appendText(b, name)
	if t.style.Slash != SlashNever {
		b = append(b, '/')
	}
	if t.style.Palette != nil {
		b = append(b, "\x1b[0m"...)
	}
	return b
}

// draw draws all nodes. follows says that another one follows below the root.
func (t *TreeView) draw(follows bool) {
	deepest, sum := 0, 0
	for _, n := range t.nodes {
		deepest, sum = max(deepest, n.depth), sum+n.depth
	}
	t.more = slices.Grow(t.more[:0], deepest+2)[:deepest+2]
	clear(t.more)
	t.more[1] = follows
	t.follow = slices.Grow(t.follow[:0], sum)[:sum]
	for _, n := range slices.Backward(t.nodes) {
		clear(t.more[n.depth+1:])
		sum -= n.depth
		copy(t.follow[sum:], t.more[1:n.depth+1])
		t.more[n.depth] = true
	}
	from := 0
	for _, n := range t.nodes {
		for level := range n.depth {
			t.drawn = append(t.drawn, t.guide.at(t.follow[sum+level], level == n.depth-1)...)
		}
		sum += n.depth
		t.drawn = append(append(t.drawn, t.names[from:n.end]...), '\n')
		from = n.end
	}
	t.nodes, t.names = t.nodes[:0], t.names[:0]
}

// at returns the guide at one level: that of the name itself or of a directory above it, which
// others follow or not.
func (g *guides) at(follows, own bool) string {
	switch {
	case own && follows:
		return g.branch
	case own:
		return g.last
	case follows:
		return g.through
	}
	return g.space
}
