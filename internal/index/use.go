package index

import (
	"errors"
	"path/filepath"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// A Use is the recordings that a walk uses, and what it adds to them.
type Use struct {
	store   Store
	open    []*Recording
	writers []*writer // of open
	byRoot  []int     // in open, for each root of the walk; -1: none
}

// Use finds the recordings that the roots, which must have absolute paths, are in, and sets
// them in the roots. It returns an *UnusableError for each recording that cannot be used; the
// walk reads what is in it. The caller must close the Use after the walk.
func (s Store) Use(roots []walk.Root, unverified bool) (*Use, []error) {
	u := &Use{store: s, byRoot: make([]int, len(roots))}
	var errs []error
	for i := range roots {
		u.byRoot[i] = -1
		path, err := RealPath(roots[i].Absolute)
		if err != nil {
			continue // the walk reports it
		}
		r, err := u.find(path)
		if err != nil {
			errs = append(errs, err)
		}
		if r < 0 {
			continue
		}
		rec := u.open[r]
		if n := rec.node(path); n != 0 {
			u.byRoot[i] = r
			roots[i].Recording, roots[i].Node, roots[i].Unverified = rec, n, unverified
		}
	}
	return u, errs
}

// RealPath returns the path by which a tree is recorded: without links, with the separators of
// the system. path must be absolute. What follows .. is where a link before it leads.
func RealPath(path string) (string, error) { return filepath.EvalSymlinks(filepath.FromSlash(path)) }

// An UnusableError means that a recording cannot be used, and has to be made again.
type UnusableError struct {
	Root string
	Err  error
}

func (e *UnusableError) Error() string {
	return "the recording of " + e.Root + " cannot be used: " + e.Err.Error()
}
func (e *UnusableError) Unwrap() error { return e.Err }

// find returns the index of the recording of the tree that path is in; -1 if there is none.
func (u *Use) find(path string) (int, error) {
	rec, err := u.store.find(path)
	switch _, unusable := errors.AsType[*UnusableError](err); {
	case unusable:
		return -1, err
	case err != nil:
		return -1, nil
	}
	for i, known := range u.open {
		if known.snap.root == rec.snap.root {
			return i, rec.Close()
		}
	}
	u.open = append(u.open, rec)
	w := newUpdate(rec)
	w.heals = true
	u.writers = append(u.writers, w)
	return len(u.open) - 1, nil
}

// None reports whether no root is in a recording.
func (u *Use) None() bool { return len(u.open) == 0 }

// Recorder returns what one worker of the walk records with.
func (u *Use) Recorder() dir.Recorder {
	r := &useRecorder{use: u, own: make([]*recorder, len(u.writers))}
	for i, w := range u.writers {
		r.own[i] = w.recorder()
	}
	return r
}

type useRecorder struct {
	use *Use
	own []*recorder // by Use.open
}

func (r *useRecorder) Node(root int) dir.Node {
	if i := r.use.byRoot[root]; i >= 0 {
		return r.own[i].Node(root)
	}
	return dir.Excluded
}

func (r *useRecorder) Record(l *dir.Listing, d *dir.Dir) {
	if i := r.use.byRoot[d.Root()]; i >= 0 {
		r.own[i].Record(l, d)
	}
}

// Close adds what the walk has read to the recordings, unless another process writes them, and
// closes them. It returns errors that say that a recording is damaged.
func (u *Use) Close() (errs []error) {
	for i, rec := range u.open {
		if rec.isDamaged() {
			errs = append(errs, &DamagedError{rec.snap.root})
		}
		_ = u.store.heal(rec, u.writers[i]) // it stays as it was
		_ = rec.Close()
	}
	return errs
}

// heal writes w, and the snapshot anew if that is due.
func (s Store) heal(rec *Recording, w *writer) error {
	if w.empty() && !rec.due() {
		return nil
	}
	lock, err := s.lock(rec.snap.root)
	if err != nil {
		return err
	}
	defer lock.Close()
	return lock.update(w)
}
