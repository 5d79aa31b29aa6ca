package du

import (
	"sync"
	"time"

	"ldx/internal/dir"
)

// Files with several names (hard links).
//
// Such a file counts once: where a walk by a single worker would meet it first. With many
// workers, any name may be met first. So each name claims the file for its place, and the
// claim that comes first in the tree wins:
//
//	above            index 0: root a       index 1: root b
//	                 /          \                |
//	          0: a/x      1: a/dir          0: b/y
//	                          |
//	                     0: a/dir/z
//
// To compare two places, go up to the directory that both are below. The place with the
// smaller index there comes first. Here the order is x, z, y.
//
// With one node only, no place is needed: the first name met counts.

// A place is the position of an entry in the tree: the index-th entry of node's directory, or
// below that entry.
type place struct {
	node  *Node
	index uint32
}

// place returns the place of n.
func (n *Node) place() place { return place{n.parent, n.index} }

// root returns the number of the root that a is, or is below.
func (a place) root() uint32 {
	for a.node.depth >= 0 {
		a = place{a.node.parent, a.node.index}
	}
	return a.index
}

// before reports whether a comes before b in the tree.
func (a place) before(b place) bool {
	for a.node.depth > b.node.depth {
		a = place{a.node.parent, a.node.index}
	}
	for b.node.depth > a.node.depth {
		b = place{b.node.parent, b.node.index}
	}
	for a.node != b.node {
		a, b = place{a.node.parent, a.node.index}, place{b.node.parent, b.node.index}
	}
	return a.index < b.index
}

// A claim is the first place in the tree at which a file has been met so far.
type claim struct {
	node   *Node
	leaf   *Node // a node with the name; nil if the name is not needed
	bytes  uint64
	latest time.Time
	index  uint32
	isNode bool // leaf is a node of the tree
}

func (c *claim) place() place { return place{c.node, c.index} }

func (c *claim) sum() Sum { return Sum{Bytes: c.bytes, Entries: 1, Latest: c.latest} }

// links has the claims on files with several names. It is safe for concurrent use.
type links struct{ shards [64]shard }

// A shard has the files of some inodes. It is a hash table whose size is a power of two, with
// linear probing and a quarter of it free. (With Go's map, ldx du took a fifth more processor
// time for a tree of hard links.)
type shard struct {
	mu     sync.Mutex
	n      int
	ids    []dir.ID // inode 0: free
	at     []uint32 // for each id, its index in claims
	claims []claim
	_      [40]byte // so that no other shard shares the cache line
}

func newLinks() *links {
	l := &links{}
	for i := range l.shards {
		l.shards[i].grow(16)
	}
	return l
}

// hash spreads inode numbers, since those of neighbours differ in the low bits only (Fibonacci
// hashing: Knuth, The Art of Computer Programming, 6.4).
func hash(id dir.ID) uint64 { return (id.Inode + id.Device<<40) * 0x9E3779B97F4A7C15 }

func (l *links) shard(id dir.ID) *shard { return &l.shards[hash(id)>>58] }

// claimOf returns the claim on a file, and whether there was one; else the caller must fill it
// in. c is valid while the shard is locked.
func (s *shard) claimOf(id dir.ID) (c *claim, known bool) {
	slot := s.search(id)
	if s.ids[slot] == id {
		return &s.claims[s.at[slot]], true
	}
	slot = s.insert(id, slot)
	s.at[slot] = uint32(len(s.claims))
	s.claims = append(s.claims, claim{})
	return &s.claims[len(s.claims)-1], false
}

// insert adds a file at the slot that search has returned, and returns its slot, which changes
// if the table grows.
func (s *shard) insert(id dir.ID, slot int) int {
	if s.n++; 4*s.n > 3*len(s.ids) {
		s.grow(2 * len(s.ids))
		slot = s.search(id)
	}
	s.ids[slot] = id
	return slot
}

// search returns the slot of a file, or a free one for it.
func (s *shard) search(id dir.ID) int {
	mask := len(s.ids) - 1
	slot := int(hash(id)>>26) & mask // the bits above are those of the shard
	for s.ids[slot].Inode != 0 && s.ids[slot] != id {
		slot = (slot + 1) & mask
	}
	return slot
}

func (s *shard) grow(size int) {
	ids, at := s.ids, s.at
	s.ids, s.at = make([]dir.ID, size), make([]uint32, size)
	for i, id := range ids {
		if id.Inode == 0 {
			continue
		}
		slot := s.search(id)
		s.ids[slot], s.at[slot] = id, at[i]
	}
}
