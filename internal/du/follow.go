package du

import (
	"io/fs"

	"ldx/internal/dir"
)

// Links that are followed.
//
// A directory has then as many places as links lead to it, and the walk lists it at any
// one of them. So everything gets a node, and when all is known one goes through the
// tree as a single worker would have: what is met first counts, and what is met again
// does not.

// follow leaves of each directory and file that node which is met first, and has last know
// of it.
func (r *run) follow(last *counter) {
	bodies := make(map[dir.ID]*Node) // the directories that were listed
	var collect func(n *Node)
	collect = func(n *Node) {
		for c := n.first; c != nil; c = c.next {
			if c.first != nil {
				bodies[c.more.id] = c
			}
			collect(c)
		}
	}
	collect(r.above)
	met := make(map[dir.ID]bool)
	var meet func(n *Node)
	meet = func(n *Node) {
		keep(n, func(c *Node) bool {
			isDir := c.Type == fs.ModeDir
			if c.more.id.Inode != 0 && (isDir || !r.opt.EachLink) {
				if met[c.more.id] {
					return false
				}
				met[c.more.id] = true
			}
			c.parent, c.depth = n, n.depth+1
			last.share = &last.shares[c.place().root()]
			last.addToGroup([]byte(c.more.group), c.Sum)
			if !isDir && last.isTop(c.Bytes, c.place()) {
				last.addTop(c)
			}
			if body := bodies[c.more.id]; isDir && body != nil && body != c {
				c.first, body.first = body.first, nil
			}
			meet(c)
			return true
		})
	}
	meet(r.above)
}
