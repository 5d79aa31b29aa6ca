package search

import (
	"cmp"
	"errors"
	"hash/maphash"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/trash"
	"ldx/internal/walk"
)

// A Deletion says how results are deleted.
type Deletion struct {
	Dry    bool     // delete nothing: only count and call Each
	Only   *Deleter // delete only what this one has counted; nil: all results
	Mounts bool     // also delete on file systems that are mounted below the roots

	// Trash, if set, is where results are moved instead: a directory at once, with all that is in
	// it, which is not searched.
	Trash *trash.Can

	// Each, if set, is called for each result that has been deleted, with its path; a
	// directory's ends in a slash. Many workers may call it at a time. The path is valid until
	// Each returns.
	// An error ends the search; Close returns it.
	Each func(path []byte) error
}

// A Deleter is a Sink that deletes results: a directory after all below it, and only if it is
// empty then. Each is deleted by its name in the directory that was read, so that no link is
// followed on the way. Roots are not deleted. Errors are reported to Walk.Report, and the
// deletion goes on.
//
// The search must not follow links. It reads each directory before it deletes in it, and enters
// no other file system unless Mounts is set.
type Deleter struct {
	opt    Deletion
	report func(error)
	depth  int             // maximum, or walk.Unlimited
	roots  map[dir.ID]bool // if there are several: one may be found below another
	files  bool            // some of them are files
	places []string        // of the roots: absolute paths without links; only with Trash
	seed   maphash.Seed

	mu     sync.Mutex
	counts deletions
	paths  []uint64 // hashes of what was counted; sorted by Close
	err    error    // of Each
}

// deletions counts results.
type deletions struct{ files, dirs, bytes int64 }

// NewDeleter returns a Deleter for one search.
func NewDeleter(opt Deletion) *Deleter { return &Deleter{opt: opt, seed: maphash.MakeSeed()} }

// Files returns the number of results that were deleted and are not directories.
func (d *Deleter) Files() int64 { return d.counts.files }

// Dirs returns the number of directories that were deleted.
func (d *Deleter) Dirs() int64 { return d.counts.dirs }

// Bytes returns the total size of the files. It is known only with Dry.
func (d *Deleter) Bytes() int64 { return d.counts.bytes }

// prepare is called before the search begins.
func (d *Deleter) prepare(o *Options) {
	o.Walk.Whole = true // a file system may pass over entries if others are removed meanwhile
	o.Walk.OneFileSystem = o.Walk.OneFileSystem || !d.opt.Mounts
	d.report, d.depth = o.Walk.Report, o.Walk.MaxDepth
	if d.opt.Trash != nil {
		d.places = resolved(o.Roots)
		for i, place := range d.places {
			if d.opt.Trash.Holds(strings.TrimSuffix(place, "/")) {
				d.report(&fs.PathError{Op: "trash", Path: o.Roots[i].Path, Err: errInTrash})
			}
		}
	}
	if len(o.Roots) < 2 {
		return
	}
	d.roots = make(map[dir.ID]bool)
	for _, r := range o.Roots {
		if info, err := dir.Stat(r.Path, dir.Identity|dir.Mode); err == nil {
			d.roots[info.ID] = true
			d.files = d.files || !info.Mode.IsDir()
		}
	}
}

// Needs returns the size with Dry.
func (d *Deleter) Needs() dir.Fields {
	if d.opt.Dry {
		return dir.Size
	}
	return 0
}

// Worker returns the part of one worker.
func (d *Deleter) Worker() Worker { return &deleting{d: d} }

// Close returns true, since what could not be deleted has been reported, and the error of Each.
func (d *Deleter) Close() (bool, error) {
	slices.Sort(d.paths)
	return true, d.err
}

// has reports whether a path was counted.
func (d *Deleter) has(path []byte) bool {
	_, ok := slices.BinarySearch(d.paths, maphash.Bytes(d.seed, path))
	return ok
}

// enters reports whether the search is going to enter a directory, whether it is a result or
// not.
func (d *Deleter) enters(e *dir.Entry) bool {
	return (d.depth == walk.Unlimited || e.Depth() < d.depth) && !e.Automount() && (d.opt.Mounts || !e.Mounted())
}

// isRoot reports whether an entry is a root as well.
func (d *Deleter) isRoot(e *dir.Entry) bool {
	if e.Dir.Depth < 0 {
		return true
	}
	if len(d.roots) == 0 || e.Type != fs.ModeDir && !d.files {
		return false
	}
	info, err := e.Info(dir.Identity)
	return err == nil && d.roots[info.ID]
}

// A deleting is one worker's share of a deletion.
type deleting struct {
	d      *Deleter
	enters bool // the search enters the directory that Add gets
	whole  bool // the directory that Add got is moved as one, and not entered
	path   []byte
	counts deletions
	paths  []uint64
	err    error // of Each
}

// last is the Tag of a directory to delete once all below it has been.
const last = 1

// visitor returns v with what a deletion does besides: it looks at each directory before it is
// entered, and deletes it last.
func (w *deleting) visitor(v walk.Visitor) walk.Visitor {
	visit := v.Visit
	v.Visit = func(e *dir.Entry) walk.Action {
		if e.Type != fs.ModeDir {
			return visit(e)
		}
		if w.d.opt.Trash != nil && w.d.opt.Trash.Holds(w.d.place(e)) {
			return walk.Prune
		}
		w.enters, w.whole = w.d.enters(e), false
		if action := visit(e); w.enters && !w.whole || action == walk.Stop {
			return action
		}
		return walk.Prune
	}
	v.Leave = func(d *dir.Dir) {
		if d.Tag == last {
			w.path = d.AppendPath(w.path[:0])
			_ = w.delete(d.Remove, 0) // the next Add or Flush returns it too
		}
	}
	return v
}

// Add deletes a result, or has a directory deleted last.
func (w *deleting) Add(e *dir.Entry) error {
	w.path = e.AppendPath(w.path[:0])
	isDir := e.Type == fs.ModeDir
	if isDir {
		w.path = append(w.path, '/')
	}
	switch only := w.d.opt.Only; {
	case only != nil && !only.has(w.path):
	case w.d.isRoot(e):
		op := "remove"
		if w.d.opt.Trash != nil {
			op = "trash"
		}
		w.d.report(&fs.PathError{Op: op, Path: e.Path(), Err: dir.ErrRoot})
	case w.d.opt.Trash != nil:
		return w.discard(e)
	case isDir && w.enters:
		e.Tag = last
	default:
		return w.delete(e.Remove, w.d.size(e))
	}
	return nil
}

// size returns the size of a result that is not a directory, if it is needed.
func (d *Deleter) size(e *dir.Entry) int64 {
	if info, err := e.Info(d.Needs()); err == nil && e.Type != fs.ModeDir {
		return info.Size
	}
	return 0
}

// delete deletes what has the path w.path, and counts it.
func (w *deleting) delete(remove func() error, size int64) error {
	d := w.d
	if !d.opt.Dry {
		if err := remove(); err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // removed by someone else
				d.report(err)
			}
			return w.err
		}
	}
	if w.path[len(w.path)-1] == '/' {
		w.counts.dirs++
	} else {
		w.counts.files++
	}
	w.counts.bytes += size
	switch {
	case d.opt.Each == nil && d.opt.Dry:
		w.paths = append(w.paths, maphash.Bytes(d.seed, w.path))
	case d.opt.Each != nil && w.err == nil:
		w.err = d.opt.Each(w.path)
	}
	return w.err
}

// Pause does nothing: nothing is held back but counts.
func (*deleting) Pause() error { return nil }

// Flush adds the worker's counts to those of the Deleter.
func (w *deleting) Flush() error {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	w.d.counts.files += w.counts.files
	w.d.counts.dirs += w.counts.dirs
	w.d.counts.bytes += w.counts.bytes
	w.d.paths = append(w.d.paths, w.paths...)
	w.counts, w.paths = deletions{}, w.paths[:0]
	w.d.err = cmp.Or(w.d.err, w.err)
	return w.err
}
