package walk

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"

	"ldx/internal/dir"
)

// Following links.
//
// A directory may be reached by its own path and by any number of links, also
// by one below itself, and is entered once. So that the same tree gives the
// same answer each time, whichever worker is first, a walk with links goes in
// rounds: the first goes by real paths from the roots, and puts the links that
// it meets off to the second, which takes them in the order of depth and path,
// and so on until there are no new ones.

func identify(e *dir.Entry) (dir.ID, error) {
	info, err := e.Info(dir.Identity)
	if err != nil {
		return dir.ID{}, err
	}
	return info.ID, nil
}

// loops remembers the directories that have been entered, and the links that
// wait for the next round.
type loops struct {
	mu      sync.Mutex
	entered map[dir.ID]int // as which root; notRoot: as none
	links   []link
	linked  bool // a round with links has begun
}

// errNoIdentity means that a link is not followed, since nothing would end a loop.
var errNoIdentity = errors.New("a second link on the way to a directory without an inode number: it may be a loop")

type link struct {
	ref  dir.Ref
	id   dir.ID
	path []byte // to sort by
}

const notRoot = -1

func newLoops() *loops { return &loops{entered: make(map[dir.ID]int)} }

// claim reports whether a directory below a root, by its number, has not been entered before,
// and counts it as entered. What has no identity is always new. So is, before the first
// link was followed, whatever is not another root: there is but one way to it, and file
// systems exist that give several directories the same number.
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

// claimRoot is as claim, for a root itself.
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

// putOff keeps a link to a directory for the next round.
func (l *loops) putOff(ref dir.Ref, id dir.ID) {
	ref = ref.Detach()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = append(l.links, link{ref: ref, id: id})
}

// next ends a round and returns what the next one begins with.
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

// nextRound queues the next round, if there is one. All other workers wait.
func (w *worker) nextRound() bool {
	switch {
	case len(w.pool.later) > 0 && w.retry():
		return true
	case w.pool.loops == nil:
		return false
	}
	refs := w.pool.loops.next(w.reader.Drop)
	if len(refs) == 0 {
		return false
	}
	w.queue.push(refs)
	return true
}
