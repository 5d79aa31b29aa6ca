package hostile

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A tree holds the entries of an FS. Generated directories are filled when they
// are read.
type tree struct {
	fs    FS
	mu    sync.Mutex
	nodes []*node // the node with inode number n is at n-1; the root is 1
}

type node struct {
	path    string
	kind    uint32
	text    string // content of a file, or target of a link
	number  uint64
	parent  *node
	depth   int
	grows   bool // generated entries have not been added yet
	names   map[string]*node
	entries []*node
	listing []Entry // with all changes, once requested
}

func newTree(fs FS) *tree {
	t := &tree{fs: fs}
	root := t.add(nil, ".", Dir, "")
	root.grows = true
	for _, entry := range fs.Entries {
		name, target, isLink := strings.Cut(entry, " -> ")
		name, isEmpty := strings.CutSuffix(name, " =")
		switch {
		case isLink:
			t.put(name, Link, target)
		case isEmpty:
			t.put(name, File, "")
		case strings.HasSuffix(name, "/"):
			t.put(strings.TrimSuffix(name, "/"), Dir, "")
		default:
			t.put(name, File, name)
		}
	}
	for name, content := range fs.Contents {
		t.put(name, File, content).text = content
	}
	return t
}

// put adds an entry below the root, and the directories on the way.
func (t *tree) put(name string, kind uint32, text string) *node {
	if name == "." {
		return t.nodes[0]
	}
	parent := t.put(path.Dir(name), Dir, "")
	if there := parent.names[path.Base(name)]; there != nil {
		return there
	}
	return t.add(parent, path.Base(name), kind, text)
}

func (t *tree) add(parent *node, name string, kind uint32, text string) *node {
	n := &node{path: name, kind: kind, text: text, parent: parent, number: uint64(len(t.nodes) + 1)}
	t.nodes = append(t.nodes, n)
	if kind == Dir {
		n.names = map[string]*node{}
	}
	if parent != nil {
		n.path = path.Join(parent.path, name)
		n.depth = parent.depth + 1
		parent.names[name] = n
		parent.entries = append(parent.entries, n)
	}
	return n
}

// grow adds the generated entries of a directory. The caller must hold the
// lock.
func (t *tree) grow(n *node) {
	if !n.grows {
		return
	}
	n.grows = false
	for i := range t.fs.Files {
		t.generate(n, "f"+strconv.Itoa(i), File)
	}
	if t.fs.Endless || n.depth < t.fs.Depth {
		for i := range t.fs.Dirs {
			t.generate(n, "d"+strconv.Itoa(i), Dir)
		}
	}
}

func (t *tree) generate(parent *node, name string, kind uint32) {
	n := parent.names[name]
	if n == nil {
		n = t.add(parent, name, kind, "")
	}
	n.grows = n.kind == Dir
}

// Paths returns the paths of all entries but the root, in order. The tree must
// not be endless.
func (fs FS) Paths() []string {
	if fs.Endless {
		panic("hostile: an endless tree has endless paths")
	}
	t := newTree(fs)
	var paths []string
	for done := 0; done < len(t.nodes); { // it grows
		n := t.nodes[done]
		t.grow(n)
		paths = append(paths, n.path)
		done++
	}
	paths = paths[1:]
	slices.Sort(paths)
	return paths
}
