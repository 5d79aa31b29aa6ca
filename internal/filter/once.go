package filter

import (
	"io/fs"
	"sync"

	"ldx/internal/dir"
)

// once has the files that have passed. It is safe for concurrent use.
type once struct {
	follow bool
	mu     sync.Mutex
	seen   map[dir.ID]struct{}
}

// Once lets each file pass once, by the first of its names that is tested by f or a Clone. follow
// says that links stand for their targets.
func (f *Filter) Once(follow bool) {
	f.once = &once{follow: follow, seen: make(map[dir.ID]struct{})}
	f.more = true
	f.needs |= dir.Identity | dir.Links
}

// EachName returns a copy of f, by which a file passes under each of its names after all.
func (f *Filter) EachName() *Filter {
	each := *f
	each.once = nil
	return &each
}

// first reports whether the file of e, which passes all other tests, has not passed before.
func (o *once) first(e *dir.Entry, along dir.Fields) (bool, error) {
	if e.Type == fs.ModeDir && !o.follow { // it has one name
		return true, nil
	}
	info, err := e.Info(dir.Identity | dir.Links | along)
	if err != nil {
		return false, err
	}
	if info.Inode == 0 || info.Links < 2 && !o.follow {
		return true, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, known := o.seen[info.ID]
	o.seen[info.ID] = struct{}{}
	return !known, nil
}
