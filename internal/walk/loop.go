package walk

import (
	"bytes"
	"cmp"
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

// An identity is what a directory has only one of.
type identity struct{ device, inode uint64 }

func identify(e *dir.Entry) (identity, error) {
	info, err := e.Info(dir.Identity)
	if err != nil {
		return identity{}, err
	}
	return identity{info.Device, info.Inode}, nil
}

// loops remembers the directories that have been entered, and the links that
// wait for the next round.
type loops struct {
	mu      sync.Mutex
	entered map[identity]struct{}
	links   []link
}

type link struct {
	ref  dir.Ref
	id   identity
	path []byte // to sort by
}

func newLoops() *loops { return &loops{entered: make(map[identity]struct{})} }

// claim reports whether the directory has not been entered before, and counts
// it as entered. What has no identity on this system is always new.
func (l *loops) claim(id identity) bool {
	if id.inode == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.entered[id]
	l.entered[id] = struct{}{}
	return !known
}

func (l *loops) known(id identity) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.entered[id]
	return known
}

// putOff keeps a link to a directory for the next round.
func (l *loops) putOff(ref dir.Ref, id identity) {
	ref = ref.Detach()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = append(l.links, link{ref: ref, id: id})
}

// next ends a round and returns what the next one begins with.
func (l *loops) next(drop func(dir.Ref)) (refs []dir.Ref) {
	l.mu.Lock()
	links := l.links
	l.links = nil
	l.mu.Unlock()
	for i := range links {
		links[i].path = links[i].ref.AppendPath(nil)
	}
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.ref.Depth(), b.ref.Depth()), bytes.Compare(a.path, b.path))
	})
	for _, link := range links {
		if l.claim(link.id) {
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
	refs := w.pool.loops.next(w.reader.Drop)
	if len(refs) == 0 {
		return false
	}
	w.queue.push(refs)
	return true
}
