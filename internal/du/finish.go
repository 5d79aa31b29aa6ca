package du

import (
	"cmp"
	"io/fs"
	"slices"

	"ldx/internal/dir"
)

// finish makes the result of what all workers have counted.
func (r *run) finish(result *Result) {
	last := r.counters[0] // takes what is left
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

// settle counts a file where its foremost name is.
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

// order brings the children of all nodes into the order of their listing.
func (n *Node) order() {
	var children []*Node
	for c := n.first; c != nil; c = c.next {
		children = append(children, c)
		c.order()
	}
	slices.SortFunc(children, func(a, b *Node) int { return cmp.Compare(a.index, b.index) })
	n.adopt(children)
}

// adopt makes these the children of n.
func (n *Node) adopt(children []*Node) {
	n.first = nil
	for _, c := range slices.Backward(children) {
		c.next, n.first = n.first, c
	}
}

// keep drops the children for which it is not true.
func keep(n *Node, is func(*Node) bool) {
	for at := &n.first; *at != nil; {
		if is(*at) {
			at = &(*at).next
		} else {
			*at = (*at).next
		}
	}
}

// note fills the table for SizeOf.
func (r *Result) note(n *Node) {
	for c := n.first; c != nil; c = c.next {
		if c.Type == fs.ModeDir {
			r.sizes[c.more.id] = c.Bytes
			r.note(c)
		}
	}
}

// sumUp adds to each node what is below it.
func (n *Node) sumUp() {
	for c := n.first; c != nil; c = c.next {
		c.sumUp()
		n.add(c.Sum)
	}
}

// trim leaves what is to be shown.
func (r *run) trim(n *Node) {
	keep(n, func(c *Node) bool {
		r.trim(c)
		return n == r.above || (r.opt.Files || c.Type == fs.ModeDir) && (r.opt.Depth < 0 || int(n.depth) < r.opt.Depth)
	})
}

// biggestFirst compares by size. Of equal nodes, a directory comes before what is in it,
// and what is met first before the rest.
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

// AppendPath appends the path of what n is of to b and returns the extended slice.
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
