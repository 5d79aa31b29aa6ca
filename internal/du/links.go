package du

import (
	"sync"
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

// An identity is what a file has only one of.
type identity struct{ device, inode uint64 }

// A place is where an entry is: in the directory of a node, at that index, or
// somewhere below it.
type place struct {
	node  *Node
	index uint32
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
	place
	sum    Sum
	leaf   *Node // if somebody may want to know the name
	isNode bool  // leaf is one of the tree's
}

// links remembers the files that have several names. It is safe for concurrent use.
type links struct {
	decide bool // which name counts; else the first to come
	shards [64]shard
}

// A shard has the files of some inodes.
type shard struct {
	mu     sync.Mutex
	seen   map[identity]struct{} // if there is nothing to decide
	claims map[identity]claim
	_      [40]byte // keeps the neighbours of a busy cache line away
}

func newLinks(decide bool) *links {
	l := &links{decide: decide}
	for i := range l.shards {
		if decide {
			l.shards[i].claims = make(map[identity]claim)
		} else {
			l.shards[i].seen = make(map[identity]struct{})
		}
	}
	return l
}

func (l *links) shard(id identity) *shard { return &l.shards[id.inode%uint64(len(l.shards))] }

// isFirst reports whether a file has not been met before.
func (l *links) isFirst(id identity) bool {
	s := l.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.seen)
	s.seen[id] = struct{}{}
	return len(s.seen) > n
}
