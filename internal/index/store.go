package index

import (
	"cmp"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"ldx/internal/dir"
	"ldx/internal/state"
)

// A Store is a directory with recordings.
type Store struct{ path string }

// NewStore returns the store in the directory at path, which need not exist.
func NewStore(path string) Store { return Store{path} }

// DefaultStore returns this user's store, in state.Dir.
func DefaultStore() (Store, error) {
	path, err := state.Dir()
	return Store{path}, err
}

// file returns the path of a file for the tree below root.
func (s Store) file(root, extension string) string {
	h := fnv.New64a()
	h.Write([]byte(root))
	return filepath.Join(s.path, strconv.FormatUint(h.Sum64(), 16)+extension)
}

const (
	snapshotExt  = ".snapshot"
	logExt       = ".log"
	temporaryExt = ".new"
	lockExt      = ".lock"
)

// find opens the recording of the tree that the absolute, clean path is the root of or in; the
// smallest one. The error is fs.ErrNotExist if there is none, or an *UnusableError.
func (s Store) find(path string) (*Recording, error) {
	for {
		r, err := s.Open(path)
		if err == nil {
			return r, nil
		}
		parent := filepath.Dir(path)
		switch {
		case !errors.Is(err, fs.ErrNotExist):
			return nil, &UnusableError{path, err}
		case parent == path:
			return nil, err
		}
		path = parent
	}
}

// Open opens the recording of the tree below an absolute, clean path. The caller must close
// it. The error is fs.ErrNotExist if there is none, or wraps ErrDamaged, ErrVersion or
// ErrOwner.
func (s Store) Open(root string) (*Recording, error) {
	path := s.file(root, snapshotExt)
	snap, err := openSnapshot(path)
	if err == nil && snap.root != root {
		snap.close()                                                     //nolint:errcheck // it was only read
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist} // the same hash
	}
	if err != nil {
		return nil, err
	}
	r := &Recording{snap: snap}
	if data, err := state.Read(s.file(root, logExt)); err == nil {
		r.log = readLog(data, snap.id, snap.nodes())
	}
	return r, nil
}

// Exists reports whether there is a store. It costs one system call.
func (s Store) Exists() bool {
	_, err := os.Lstat(s.path)
	return err == nil
}

// Roots returns the roots of all recordings, sorted, and the errors of those that cannot be
// used.
func (s Store) Roots() (roots []string, errs []error) {
	entries, err := os.ReadDir(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != snapshotExt {
			continue
		}
		snap, err := openSnapshot(filepath.Join(s.path, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		roots = append(roots, snap.root)
		snap.close() //nolint:errcheck // it was only read
	}
	slices.Sort(roots)
	return roots, errs
}

// DropAll removes all recordings, also those that cannot be used, and the store. It goes on after
// an error.
func (s Store) DropAll() error {
	roots, _ := s.Roots()
	var errs []error
	for _, root := range roots {
		errs = append(errs, s.Drop(root))
	}
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return errors.Join(append(errs, ifExists(err))...)
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case snapshotExt, logExt, temporaryExt:
			if !slices.ContainsFunc(errs, func(err error) bool { return err != nil }) { // or it is being written
				errs = append(errs, ifExists(os.Remove(filepath.Join(s.path, e.Name()))))
			}
		}
	}
	os.Remove(s.path) //nolint:errcheck // something else may be in it
	return errors.Join(errs...)
}

// ifExists returns err unless it means that something does not exist.
func ifExists(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Drop removes the recording of the tree below root, an absolute and clean path. The error is
// fs.ErrNotExist if there is none.
func (s Store) Drop(root string) error {
	if _, err := os.Lstat(s.file(root, snapshotExt)); err != nil {
		return err
	}
	lock, err := s.waitLock(root)
	if err != nil {
		return err
	}
	return cmp.Or(lock.drop(), lock.Close())
}

// openSnapshot maps a snapshot and parses it. The error is an *fs.PathError.
func openSnapshot(path string) (snapshot, error) {
	data, unmap, err := state.Map(path)
	if err != nil {
		return snapshot{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	snap, err := parse(data)
	if err != nil {
		unmap() //nolint:errcheck // it was only read
		return snapshot{}, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	snap.unmap = unmap
	return snap, nil
}

// Drop removes the recording of the tree below root, and the file of the lock, which a writer that
// waits for it takes anew.
func (l *writeLock) drop() error {
	err := os.Remove(l.store.file(l.root, snapshotExt))
	for _, extension := range []string{logExt, temporaryExt} {
		if e := os.Remove(l.store.file(l.root, extension)); err == nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	os.Remove(l.store.file(l.root, lockExt)) //nolint:errcheck // Windows does not remove an open file
	return err
}

// A writeLock is the right to write the recording of one tree.
type writeLock struct {
	*state.Lock
	store Store
	root  string
}

// lock makes the store's directory if need be, and takes the lock of the tree below root,
// which must be absolute and clean; see state.NewLock.
func (s Store) lock(root string) (*writeLock, error) {
	lock, err := state.NewLock(s.file(root, lockExt))
	return &writeLock{lock, s, root}, err
}

// waitLock is like lock, but waits for a search that adds to the recording just now.
func (s Store) waitLock(root string) (*writeLock, error) {
	lock, err := state.WaitLock(s.file(root, lockExt))
	return &writeLock{lock, s, root}, err
}

// write writes what w has collected: a new snapshot in place of the old one, or more of the
// log. It returns ErrStale, and writes nothing, if the recording that w brings up to date has
// been written since. With nothing collected it writes nothing. Readers see the old recording or the
// new one; of a log that is cut short, they see the complete records.
func (l *writeLock) write(w *writer) error {
	if w.base != nil {
		return l.extend(w)
	}
	err := state.Replace(l.store.file(l.root, snapshotExt), l.store.file(l.root, temporaryExt), func(f *os.File) error {
		return w.writeSnapshot(f)
	})
	if err == nil {
		os.Remove(l.store.file(l.root, logExt)) //nolint:errcheck // it is of another snapshot, and ignored
	}
	return err
}

// update writes w, and the snapshot anew if that is due then.
func (l *writeLock) update(w *writer) error {
	if err := l.write(w); err != nil {
		return err
	}
	if w.base.isDamaged() {
		return l.rewrite()
	}
	size, err := l.logSize()
	if err == nil && logDue(size, len(w.base.snap.data)) {
		return l.rewrite()
	}
	return err
}

// logSize returns the size of the log; 0 if there is none.
func (l *writeLock) logSize() (int64, error) {
	info, err := os.Lstat(l.store.file(l.root, logExt))
	if err != nil {
		return 0, ifExists(err)
	}
	return info.Size(), nil
}

// isStale reports whether the recording has been written since r was opened.
func (l *writeLock) isStale(r *Recording) (bool, error) {
	snap, err := openSnapshot(l.store.file(l.root, snapshotExt))
	if err != nil {
		return false, err
	}
	id := snap.id
	snap.close() //nolint:errcheck // it was only read
	if id != r.snap.id {
		return true, nil
	}
	size, err := l.logSize()
	if err != nil || size == int64(r.log.size) {
		return false, err
	}
	now, err := l.store.Open(l.root) // a record may be torn
	if err != nil {
		return false, err
	}
	return now.log.size != r.log.size, now.Close()
}

// extend appends to the log. The file is cut after its last intact record, which no reader
// notices: logs are not mapped.
func (l *writeLock) extend(w *writer) error {
	if w.empty() {
		return nil
	}
	switch stale, err := l.isStale(w.base); {
	case err != nil:
		return err
	case stale:
		return ErrStale
	}
	f, err := state.OpenLog(l.store.file(l.root, logExt), w.base.log.size, logHeader(w.base.snap.id))
	if err != nil {
		return err
	}
	// Nothing is synced, which would delay the end of a search: what a power failure leaves is
	// read as far as it has its checksums.
	return cmp.Or(w.writeLog(f), f.Close())
}

// rewrite replaces the snapshot and the log by a snapshot of what they have together. Damaged
// parts are left out: they are read from the file system and recorded the next time.
func (l *writeLock) rewrite() error {
	r, err := l.store.Open(l.root)
	if err != nil {
		return err
	}
	defer r.Close()
	w := newWriter(l.root, r.snap.trusts)
	r.copyTo(w)
	return l.write(w)
}

// copyTo adds all directories of r to w, breadth first.
func (r *Recording) copyTo(w *writer) {
	type job struct {
		from, to, parent Node
		name             []byte
	}
	out := w.recorder()
	var below []dir.Child
	for queue := []job{{from: rootNode, to: w.newNode()}}; len(queue) > 0; queue = queue[1:] {
		j := queue[0]
		d, ok := r.directory(j.from)
		if !ok || !r.whole(j.from, &d) {
			continue
		}
		d.parent = j.parent
		out.add(&listing{j.to, j.name, d})
		below = r.Children(j.from, below[:0])
		for _, c := range below {
			if c.Node != dir.Excluded {
				queue = append(queue, job{c.Node, w.newNode(), j.to, c.Name})
			}
		}
	}
}
