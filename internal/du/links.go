package du

import (
	"sync"
	"time"

	"ldx/internal/dir"
)

// Files with several names.
//
// Such a file counts once, in the directory of that name which a walk by one worker
// would meet first. Since many walk, and some are ahead of others, each name claims the
// file for its place, and the foremost place wins:
//
//	above            index 0: root a       index 1: root b
//	                 /          \                |
//	          0: a/x      1: a/dir          0: b/y
//	                          |
//	                     0: a/dir/z
//
// Of two places, up to where both paths meet, the one with the lesser index there is
// foremost: here x, z, y. What has one node only needs no place: the first to come
// counts.

// A place is where an entry is: in the directory of a node, at that index, or
// somewhere below it.
type place struct {
	node  *Node
	index uint32
}

// place returns where n is.
func (n *Node) place() place { return place{n.parent, n.index} }

// root returns the number of the root that the place is in, or is.
func (a place) root() uint32 {
	for a.node.depth >= 0 {
		a = place{a.node.parent, a.node.index}
	}
	return a.index
}

// before reports whether a is met before b.
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

// A claim is the foremost place that a file has been met in.
type claim struct {
	node   *Node
	leaf   *Node // if somebody may want to know the name
	bytes  uint64
	latest time.Time
	index  uint32
	isNode bool // leaf is one of the tree's
}

func (c *claim) place() place { return place{c.node, c.index} }

func (c *claim) sum() Sum { return Sum{Bytes: c.bytes, Entries: 1, Latest: c.latest} }

// links has the claims on the files that have several names. It is safe for concurrent use.
type links struct{ shards [64]shard }

// A shard has the files of some inodes, in a hash table of a power of two, with linear
// probing and a quarter of it free. (With Go's map ldx du took a fifth more processor time
// over a tree of hard links.)
type shard struct {
	mu     sync.Mutex
	n      int
	ids    []dir.ID // inode 0: free
	at     []uint32 // of ids, where in claims
	claims []claim
	_      [40]byte // keeps the neighbours of a busy cache line away
}

func newLinks() *links {
	l := &links{}
	for i := range l.shards {
		l.shards[i].grow(16)
	}
	return l
}

// hash spreads inodes, whose low bits are those of neighbours (Fibonacci hashing, Knuth,
// The Art of Computer Programming, 6.4).
func hash(id dir.ID) uint64 { return (id.Inode + id.Device<<40) * 0x9E3779B97F4A7C15 }

func (l *links) shard(id dir.ID) *shard { return &l.shards[hash(id)>>58] }

// claimOf returns the claim on a file, and whether it is known. That of one that is not
// is to be made out. It is valid while the shard is locked.
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

// insert puts a file into the table, where search has found room, and returns where it
// is then.
func (s *shard) insert(id dir.ID, slot int) int {
	if s.n++; 4*s.n > 3*len(s.ids) {
		s.grow(2 * len(s.ids))
		slot = s.search(id)
	}
	s.ids[slot] = id
	return slot
}

// search returns where a file is, or where there is room for it.
func (s *shard) search(id dir.ID) int {
	mask := len(s.ids) - 1
	slot := int(hash(id)>>26) & mask // above are the bits of the shard
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
