package walk

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
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
//
// With FollowAll a directory is entered under each path that leads there, in one round. A link to
// a directory that it is below is a loop. Each directory that is entered is recorded with the one
// above it, by its Tag.

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
	passed  int64

	roots []dir.ID          // with FollowAll, by number
	below []location        // with FollowAll, other directories
	byTag map[uint32]uint32 // the index in below plus 1 of a directory that is listed or queued; a Sequence gives a Tag again
}

// A location is a directory and the index in below plus 1 of the one above it, 0 for a root.
type location struct {
	id    dir.ID
	above uint32
}

// ErrLoop means that a link leads to a directory that it is below.
var ErrLoop = errors.New("the link leads to a directory above it")

// errNoIdentity means that a link is not followed, since a loop could not be detected.
var errNoIdentity = errors.New("a second link on the way to a directory without an inode number: it may be a loop")

type link struct {
	ref  dir.Ref
	id   dir.ID
	path []byte // for sorting
}

const notRoot = -1

func newLoops(roots int) *loops {
	return &loops{entered: make(map[dir.ID]int), byTag: make(map[uint32]uint32), roots: make([]dir.ID, roots)}
}

// record records a directory in d by its Tag, which it sets unless it is tagged.
func (l *loops) record(id dir.ID, d *dir.Dir, tag *uint32, tagged bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.below = append(l.below, location{id, l.byTag[d.Tag]})
	n := uint32(len(l.below))
	if !tagged {
		*tag = n
	}
	l.byTag[*tag] = n
}

// leadsUp reports whether d or a directory above it has an identity.
func (l *loops) leadsUp(id dir.ID, d *dir.Dir) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := l.byTag[d.Tag]; n != 0; n = l.below[n-1].above {
		if l.below[n-1].id == id {
			return true
		}
	}
	return l.roots[d.Root()] == id
}

// loops reports whether a directory is one that is above it too, and reports that as an error: it
// is mounted there or, with FollowAll, a link that leads there.
func (w *worker) loops(e *dir.Entry) bool {
	switch {
	case e.MountedInItself():
		w.pool.report(&fs.PathError{Op: "open", Path: e.Path(), Err: dir.ErrMountedInItself})
		return true
	case !w.pool.opt.FollowAll || !e.Followed():
		return false
	}
	id, err := identify(e)
	if err != nil || id.Inode == 0 || !w.pool.loops.leadsUp(id, e.Dir) {
		return false
	}
	w.stats.Passed++
	w.pool.report(&fs.PathError{Op: "follow", Path: e.Path(), Err: ErrLoop})
	return true
}

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
			l.passed++
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
