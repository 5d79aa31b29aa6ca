package du

import (
	"io/fs"

	"ldx/internal/dir"
)

// Following links.
//
// If links are followed, a directory has a place for each link to it, and the walk lists it
// at any one of them. So every entry gets a node. After the walk, follow goes through the
// tree in the order of a single worker. A file or directory counts at its first place only.

// follow keeps only the first node met for each file, and adds it to last's totals.
func (r *run) follow(last *counter) {
	bodies := make(map[dir.ID]*Node) // the nodes of directories that were listed
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
