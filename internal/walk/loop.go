package walk

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"

	"ldx/internal/dir"
)

// How links are followed.
//
// Each directory is entered once, by its own path or by one of any number of links to it,
// which may even be below it. The same tree must give the same result each time, whichever
// worker is first. So the walk proceeds in rounds. The first round enters real directories
// only, and puts off the links that it finds. The second round enters these in the order
// of depth and path, and puts off the links found there; and so on, until a round finds no
// links to new directories.

func identify(e *dir.Entry) (dir.ID, error) {
	info, err := e.Info(dir.Identity)
	if err != nil {
		return dir.ID{}, err
	}
	return info.ID, nil
}

// loops has the directories that were entered, and the links for the next round.
type loops struct {
	mu      sync.Mutex
	entered map[dir.ID]int // the number of the root that the directory is, or notRoot
	links   []link
	linked  bool // the second round has begun
}

// errNoIdentity means that a link is not followed, since a loop could not be detected.
var errNoIdentity = errors.New("a second link on the way to a directory without an inode number: it may be a loop")

type link struct {
	ref  dir.Ref
	id   dir.ID
	path []byte // for sorting
}

const notRoot = -1

func newLoops() *loops { return &loops{entered: make(map[dir.ID]int)} }

// claim reports whether a directory below the root of that number has not been entered, and
// records that it is entered now. A directory without an identity is always new. In the first
// round, so is every directory that is not another root: there is only one way to it, and
// some file systems give several directories the same number.
func (l *loops) claim(id dir.ID, root int) bool {
	if id.Inode == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	as, known := l.entered[id]
	if !known {
		l.entered[id] = notRoot
	}
	return !known || !l.linked && (as == notRoot || as == root)
}

// claimRoot is like claim, for a root itself.
func (l *loops) claimRoot(id dir.ID, root int) bool {
	_, known := l.entered[id]
	if known && id.Inode != 0 {
		return false
	}
	l.entered[id] = root
	return true
}

func (l *loops) known(id dir.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.entered[id]
	return known && id.Inode != 0
}

// putOff adds a link to a directory to the next round.
func (l *loops) putOff(ref dir.Ref, id dir.ID) {
	ref = ref.Detach()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = append(l.links, link{ref: ref, id: id})
}

// next ends a round. It returns the directories that the next one begins with.
func (l *loops) next(drop func(dir.Ref)) (refs []dir.Ref) {
	l.mu.Lock()
	links := l.links
	l.links, l.linked = nil, true
	l.mu.Unlock()
	for i := range links {
		links[i].path = links[i].ref.AppendPath(nil)
	}
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.ref.Depth(), b.ref.Depth()), bytes.Compare(a.path, b.path))
	})
	for _, link := range links {
		if l.claim(link.id, notRoot) {
			refs = append(refs, link.ref)
		} else {
			drop(link.ref)
		}
	}
	return refs
}

func (l *loops) drain(drop func(dir.Ref)) {
	for _, link := range l.links {
		drop(link.ref)
	}
}

// nextRound queues the next round, and reports whether there is one. All other workers wait.
func (w *worker) nextRound() bool {
	switch {
	case len(w.pool.later) > 0 && w.retry():
		return true
	case w.pool.loops == nil:
		return false
	}
	refs := w.pool.loops.next(w.drop)
	if len(refs) == 0 {
		return false
	}
	w.requeue(refs)
	return true
}

// drop drops a directory that will not be listed.
func (w *worker) drop(ref dir.Ref) {
	w.reader.Drop(ref)
	if w.held != nil {
		w.held.sequence.skip(ref)
	}
}
