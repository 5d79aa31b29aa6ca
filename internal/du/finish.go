package du

import (
	"cmp"
	"io/fs"
	"slices"

	"ldx/internal/dir"
)

// finish combines the results of all workers.
func (r *run) finish(result *Result) {
	last := r.counters[0] // counts what was decided after the walk
	if r.links != nil {
		for i := range r.links.shards {
			for _, claim := range r.links.shards[i].claims {
				last.settle(&claim)
			}
		}
	}
	r.above.order()
	if r.walk.Follow {
		r.follow(last)
	}
	keep(r.above, func(n *Node) bool { return !r.dropped[n.index].Load() })
	r.above.sumUp()
	result.Total = r.above.Sum
	if r.opt.Identities {
		result.sizes = make(map[dir.ID]uint64)
		result.note(r.above)
	}
	for n := r.above.first; n != nil; n = n.next {
		result.Roots = append(result.Roots, n)
	}
	if r.depth != r.opt.Depth || r.files != r.opt.Files {
		r.trim(r.above)
	}
	for _, c := range r.counters {
		for i, share := range c.shares {
			if r.dropped[i].Load() {
				continue
			}
			result.Files = append(result.Files, share.top...)
			for name, sum := range share.groups {
				all := result.Groups[name]
				all.add(*sum)
				result.Groups[name] = all
			}
		}
	}
	slices.SortFunc(result.Files, biggestFirst)
	result.Files = result.Files[:min(len(result.Files), r.opt.Top)]
}

// settle counts a file with several names at the place of the claim.
func (c *counter) settle(claim *claim) {
	c.share = &c.shares[claim.place().root()]
	if claim.leaf != nil {
		c.addToGroup([]byte(claim.leaf.more.group), claim.sum())
		claim.leaf.inTree = claim.isNode
		if c.isTop(claim.bytes, claim.leaf.place()) {
			c.addTop(claim.leaf)
		}
	}
	if !claim.isNode {
		claim.node.add(claim.sum())
		return
	}
	claim.leaf.next, claim.node.first = claim.node.first, claim.leaf
}

// order sorts the children of all nodes in the order of the listings.
func (n *Node) order() {
	var children []*Node
	for c := n.first; c != nil; c = c.next {
		children = append(children, c)
		c.order()
	}
	slices.SortFunc(children, func(a, b *Node) int { return cmp.Compare(a.index, b.index) })
	n.adopt(children)
}

// adopt sets the children of n.
func (n *Node) adopt(children []*Node) {
	n.first = nil
	for _, c := range slices.Backward(children) {
		c.next, n.first = n.first, c
	}
}

// keep drops the children of n for which keeps is false.
func keep(n *Node, keeps func(*Node) bool) {
	for at := &n.first; *at != nil; {
		if keeps(*at) {
			at = &(*at).next
		} else {
			*at = (*at).next
		}
	}
}

// note fills sizes, for SizeOf.
func (r *Result) note(n *Node) {
	for c := n.first; c != nil; c = c.next {
		if c.Type == fs.ModeDir {
			r.sizes[c.more.id] = c.Bytes
			r.note(c)
		}
	}
}

// sumUp adds the sums of its descendants to each node.
func (n *Node) sumUp() {
	for c := n.first; c != nil; c = c.next {
		c.sumUp()
		n.add(c.Sum)
	}
}

// trim drops the nodes that Options did not request.
func (r *run) trim(n *Node) {
	keep(n, func(c *Node) bool {
		r.trim(c)
		return n == r.above || (r.opt.Files || c.Type == fs.ModeDir) && (r.opt.Depth < 0 || int(n.depth) < r.opt.Depth)
	})
}

// biggestFirst compares nodes by size. Of nodes of equal size, a directory comes before
// its entries; others are in the order of the tree.
func biggestFirst(a, b *Node) int {
	c := cmp.Compare(b.Bytes, a.Bytes)
	switch {
	case c != 0 || a == b:
		return c
	case a.depth < b.depth && a.contains(b):
		return -1
	case b.depth < a.depth && b.contains(a):
		return 1
	case a.place().before(b.place()):
		return -1
	}
	return 1
}

func (n *Node) contains(other *Node) bool {
	for other.depth > n.depth {
		other = other.parent
	}
	return other == n
}

// AppendPath appends the path of n, beginning with that of its root, to b and returns the
// extended slice.
func (n *Node) AppendPath(b []byte) []byte {
	var chain []*Node
	for n.depth > 0 {
		chain = append(chain, n)
		n = n.parent
	}
	b = append(b, n.Name...)
	for _, n := range slices.Backward(chain) {
		b = append(appendSlash(b), n.Name...)
	}
	return b
}

func appendSlash(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '/' {
		return b
	}
	return append(b, '/')
}
