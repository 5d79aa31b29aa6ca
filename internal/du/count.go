package du

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"ldx/internal/dir"
	"ldx/internal/property"
	"ldx/internal/walk"
)

// A counter does one worker's part of a Count.
type counter struct {
	*run
	match func(*dir.Entry) (bool, error) // nil: all entries count
	node  *Node                          // counts the current directory
	own   bool                           // node is that of the current directory itself, not of one above it
	index uint32                         // index of the last entry visited in it
	sum   Sum                            // not yet added to node
	tag   uint32                         // tag of node

	free     []Node // nodes to use; freeTag is the tag of the first
	freeTag  uint32
	names    []byte  // names of nodes; see keepName
	shares   []share // by number of the root
	*share           // the share of the current root
	spare    []*Node // nodes to reuse, once among the biggest files
	group    []byte  // scratch
	path     []byte  // scratch
	reported Sum     // the part of all that Progress has
	all      Sum     // of all entries
}

// A share has the results of one root, which may turn out to be below another root.
type share struct {
	top    []*Node // the biggest files, smallest first
	groups map[string]*Sum
}

func (r *run) newCounter() *counter {
	c := &counter{run: r, shares: make([]share, len(r.dropped))}
	if r.opt.Match != nil {
		c.match = r.opt.Match()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counters = append(r.counters, c)
	return c
}

func (r *run) newVisitor() walk.Visitor {
	c := r.newCounter()
	return walk.Visitor{Begin: c.begin, Visit: c.visit, End: c.end, Pause: c.pause}
}

func (c *counter) visit(e *dir.Entry) walk.Action {
	if e.Dir.Depth < 0 {
		return walk.Prune // a root that is no longer a directory
	}
	c.index++
	if len(c.opt.Exclude) > 0 {
		if c.path = e.AppendPath(c.path[:0]); c.opt.Exclude.Match(c.path) {
			return walk.Prune
		}
	}
	counts, err := c.matches(e)
	if err != nil {
		c.report(err)
	}
	isDir := e.Type == fs.ModeDir
	if !counts && !isDir {
		return walk.Continue
	}
	info, err := e.Info(c.want)
	if err == nil && e.Type == fs.ModeSymlink && c.walk.Follow {
		err = dangling(e)
	}
	if err != nil {
		c.report(err)
		return walk.Prune
	}
	id := info.ID
	switch {
	case c.walk.OneFileSystem && info.Device != c.walked[e.Dir.Root()].device:
		return walk.Prune
	case c.given != nil && c.isGiven(e, id):
		return walk.Prune
	case isDir:
		c.addDir(e, e.Name, info, id, counts)
	default:
		c.addFile(e, e.Name, info, id)
	}
	return walk.Continue
}

// matches reports whether an entry counts.
func (c *counter) matches(e *dir.Entry) (bool, error) {
	if c.match == nil {
		return true, nil
	}
	return c.match(e)
}

func (c *counter) report(err error) {
	if !dir.Vanished(err) || errors.Is(err, errDangling) {
		c.walk.Report(err)
	}
}

var errDangling = errors.New("the link leads nowhere")

func dangling(e *dir.Entry) error {
	return &fs.PathError{Op: "follow", Path: e.Path(), Err: errDangling}
}

// isGiven reports whether an entry counts as a root instead: one given before the root that
// it is below, or that root itself. If the entry is a root given later, that root is
// dropped.
func (c *counter) isGiven(e *dir.Entry, id dir.ID) bool {
	other, ok := c.given[id]
	if !ok || id.Inode == 0 {
		return false
	}
	if other <= int(c.walked[e.Dir.Root()].node.index) {
		return true
	}
	c.dropped[other].Store(true)
	return false
}

// begin sets node for the entries of d.
func (c *counter) begin(d *dir.Dir) {
	node := c.walked[d.Root()].node
	c.share = &c.shares[node.index]
	if d.Tag != 0 {
		node = c.nodes.at(d.Tag)
	}
	if node != c.node {
		c.flush()
		c.node, c.tag = node, d.Tag
	}
	if c.own = int(node.depth) == d.Depth; c.own {
		c.index = node.seen
	}
}

// end stores the number of entries seen: another worker may continue the directory.
func (c *counter) end(*dir.Dir, error) {
	if c.own {
		c.node.seen = c.index
	}
}

// pause adds the sum to its node when the worker waits, and updates Progress.
func (c *counter) pause(idle bool) walk.Action {
	if idle {
		c.flush()
	}
	if p := c.opt.Progress; p != nil {
		p.Entries.Add(c.all.Entries - c.reported.Entries)
		p.Bytes.Add(c.all.Bytes - c.reported.Bytes)
		c.reported = c.all
	}
	return walk.Continue
}

// flush adds the sum to its node.
func (c *counter) flush() {
	if c.node == nil || c.sum.Entries == 0 {
		return
	}
	c.node.mu.Lock()
	c.node.add(c.sum)
	c.node.mu.Unlock()
	c.sum = Sum{}
}

// sumOf returns the disk usage of an entry, or what counts instead of that. An apparent size is meaningful for files and links
// only (GNU coreutils, NEWS of 9.2).
func (c *counter) sumOf(e *dir.Entry, info *dir.Info) Sum {
	bytes := info.Allocated
	if c.opt.Apparent {
		bytes = info.Size
	}
	switch {
	case c.opt.Inodes:
		bytes = 1
	case bytes < 0, e.Type == fs.ModeDir && !c.opt.CountDirs:
		bytes = 0
	}
	return Sum{Bytes: uint64(bytes), Entries: 1, Latest: property.Time(info, c.opt.Time)}
}

// addDir counts a directory itself, if counts is set, and sets the Tag of the node that its
// entries count in.
func (c *counter) addDir(e *dir.Entry, name []byte, info *dir.Info, id dir.ID, counts bool) {
	sum := Sum{}
	if counts {
		sum = c.sumOf(e, info)
	}
	e.Tag = c.tag
	if !c.own || c.depth >= 0 && int(c.node.depth) >= c.depth {
		c.sum.add(sum)
	} else {
		var node *Node
		node, e.Tag = c.newNode(name, fs.ModeDir, sum)
		node.next, c.node.first = c.node.first, node
		if c.walk.Follow {
			node.more = &more{id, string(c.groupOf(e, info))}
			return // follow decides whether it counts
		}
		if c.opt.Identities {
			node.more = &more{id: id}
		}
	}
	if counts {
		c.all.add(sum)
		c.addToGroup(c.groupOf(e, info), sum)
	}
}

// addFile counts an entry that is not a directory.
func (c *counter) addFile(e *dir.Entry, name []byte, info *dir.Info, id dir.ID) {
	sum := c.sumOf(e, info)
	isNode := c.own && (c.files && (c.depth < 0 || int(c.node.depth) < c.depth) || c.node.depth < 0)
	several := (info.Links > 1 || dir.LinksByOpening) && id.Inode != 0
	switch {
	case several && c.links != nil:
		c.addLink(e, name, info, id, sum, isNode)
		return
	case several && c.met != nil && !isNode && !c.met.add(id): // a root by itself needs no decision
		return
	}
	if isNode {
		node, _ := c.newNode(name, e.Type, sum)
		node.next, c.node.first = c.node.first, node
		if c.walk.Follow {
			node.more = &more{id, string(c.groupOf(e, info))}
			return // follow decides whether it counts
		}
		if c.isTop(node.Bytes, node.place()) {
			c.addTop(node)
		}
	} else {
		c.sum.add(sum)
		if at := (place{c.node, c.index}); c.isTop(sum.Bytes, at) {
			c.addTop(c.topNode(name, e.Type, sum))
		}
	}
	c.all.add(sum)
	c.addToGroup(c.groupOf(e, info), sum)
}

// addLink counts a file with several names.
func (c *counter) addLink(e *dir.Entry, name []byte, info *dir.Info, id dir.ID, sum Sum, isNode bool) {
	at := place{c.node, 0}
	if c.own {
		at.index = c.index
	}
	s := c.links.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	claimed, known := s.claimOf(id)
	if known && !at.before(claimed.place()) {
		return
	}
	*claimed = claim{node: at.node, index: at.index, bytes: sum.Bytes, latest: sum.Latest, isNode: isNode}
	if isNode || c.isTop(sum.Bytes, at) || c.opt.Group != nil {
		claimed.leaf, _ = c.newNode(name, e.Type, sum)
		claimed.leaf.more = &more{group: string(c.groupOf(e, info))}
	}
	if !known {
		c.all.add(sum)
	}
}

// newNode returns a new node below c.node, and its tag.
func (c *counter) newNode(name []byte, kind fs.FileMode, sum Sum) (*Node, uint32) {
	if len(c.free) == 0 {
		c.free, c.freeTag = c.nodes.grow()
	}
	node, tag := &c.free[0], c.freeTag
	c.free, c.freeTag = c.free[1:], tag+1
	node.Sum, node.Name, node.Type, node.inTree = sum, c.keepName(name), kind, true
	node.parent, node.depth, node.index = c.node, c.node.depth+1, c.index
	return node, tag
}

func (c *counter) keepName(name []byte) []byte {
	const chunk = 16 << 10
	if len(c.names)+len(name) > cap(c.names) {
		c.names = make([]byte, 0, max(chunk, len(name)))
	}
	n := len(c.names)
	c.names = append(c.names, name...)
	return c.names[n:len(c.names):len(c.names)]
}

// groupOf returns the name of e's group. It is valid until the next call.
func (c *counter) groupOf(e *dir.Entry, info *dir.Info) []byte {
	if c.opt.Group == nil {
		return nil
	}
	c.group = c.opt.Group.AppendKey(c.group[:0], e, info)
	return c.group
}

func (c *counter) addToGroup(group []byte, sum Sum) {
	if c.opt.Group == nil || sum.Entries == 0 {
		return
	}
	if c.groups == nil {
		c.groups = make(map[string]*Sum)
	}
	s := c.groups[string(group)]
	if s == nil {
		s = new(Sum)
		c.groups[string(group)] = s
	}
	s.add(sum)
}

// isTop reports whether a file is among the biggest that this worker has met. Of files of equal
// size, those that come first in the tree are.
func (c *counter) isTop(bytes uint64, at place) bool {
	switch {
	case len(c.top) < c.opt.Top:
		return true
	case c.opt.Top == 0 || bytes < c.top[0].Bytes:
		return false
	}
	return bytes > c.top[0].Bytes || at.before(c.top[0].place())
}

// addTop adds a file for which isTop is true. (They are few, so a sorted list will do.)
func (c *counter) addTop(node *Node) {
	at, _ := slices.BinarySearchFunc(c.top, node, func(a, b *Node) int { return biggestFirst(b, a) })
	if len(c.top) < c.opt.Top {
		c.top = slices.Insert(c.top, at, node)
		return
	}
	if smallest := c.top[0]; !smallest.inTree {
		c.spare = append(c.spare, smallest)
	}
	copy(c.top, c.top[1:at])
	c.top[at-1] = node
}

// topNode returns a node that is not in the tree.
func (c *counter) topNode(name []byte, kind fs.FileMode, sum Sum) *Node {
	n := len(c.spare)
	if n == 0 {
		node, _ := c.newNode(name, kind, sum)
		node.inTree = false
		return node
	}
	node := c.spare[n-1]
	c.spare = c.spare[:n-1]
	node.Sum, node.Name, node.Type = sum, append(node.Name[:0], name...), kind
	node.parent, node.depth, node.index = c.node, c.node.depth+1, c.index
	return node
}

// A table has the nodes by tag. The first tag is 1.
type table struct {
	mu     sync.Mutex
	chunks atomic.Pointer[[]*[chunkSize]Node]
}

const chunkSize = 64

// at returns the node with a tag.
func (t *table) at(tag uint32) *Node { return &(*t.chunks.Load())[tag/chunkSize][tag%chunkSize] }

// grow returns new nodes, and the tag of the first.
func (t *table) grow() (nodes []Node, tag uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var chunks []*[chunkSize]Node
	if old := t.chunks.Load(); old != nil {
		chunks = *old
	}
	tag = uint32(len(chunks)) * chunkSize
	nodes = make([]Node, chunkSize)
	chunks = append(chunks, (*[chunkSize]Node)(nodes))
	t.chunks.Store(&chunks)
	if tag == 0 {
		return nodes[1:], 1
	}
	return nodes, tag
}
