package index

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync/atomic"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// An Update records a tree, or brings its recording up to date, by a walk of its root.
type Update struct {
	lock *writeLock
	rec  *Recording // nil: the tree is not recorded yet
	w    *writer
}

// Update takes the lock of the tree below root, an absolute and clean path. A recording that is
// damaged, or of another version, is replaced. File systems of the names in trusts are trusted,
// now and by later updates: a recording that does not trust them is replaced. The caller must
// close the Update.
func (s Store) Update(root string, trusts []string) (*Update, error) {
	lock, err := s.waitLock(root)
	if err != nil {
		return nil, err
	}
	u := &Update{lock: lock}
	rec, err := s.Open(root)
	switch {
	case err == nil && !containsAll(rec.snap.trusts, trusts):
		u.w = newWriter(root, slices.Concat(trusts, rec.snap.trusts))
		err = rec.Close()
	case err == nil:
		u.rec, u.w = rec, newUpdate(rec)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrDamaged), errors.Is(err, ErrVersion):
		u.w, err = newWriter(root, trusts), nil
	}
	if err != nil {
		lock.Close() //nolint:errcheck // nothing was written
		return nil, err
	}
	return u, nil
}

func containsAll(list, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(list, name) })
}

// Set has a walk of the root take what is recorded.
func (u *Update) Set(root *walk.Root) {
	if u.rec != nil {
		root.Recording, root.Node = u.rec, rootNode
	}
}

// Recorder returns what one worker of the walk records with.
func (u *Update) Recorder() dir.Recorder { return u.w.recorder() }

// Write writes what the walk has read, if anything has changed, and describes the recording
// then. complete says that the walk has lost nothing: so what it has not entered was left out
// on purpose.
func (u *Update) Write(complete bool) (Info, error) {
	var err error
	u.w.complete = complete
	switch {
	case u.rec == nil:
		err = u.lock.write(u.w)
	case !u.w.empty() || u.rec.due():
		err = u.lock.update(u.w)
	default:
		return u.rec.Info(), nil
	}
	if err != nil {
		return Info{}, err
	}
	now, err := u.lock.store.Open(u.lock.root)
	if err != nil {
		return Info{}, err
	}
	return now.Info(), now.Close()
}

// Close gives the lock back.
func (u *Update) Close() error {
	var err error
	if u.rec != nil {
		err = u.rec.Close()
	}
	return cmp.Or(err, u.lock.Close())
}

// A Check compares a tree with its recording, by a walk of its root that reads everything.
type Check struct {
	rec                  *Recording
	differs              func(text string)
	same, changed, wrong atomic.Int64
}

// Check opens the recording of the tree below root, as Open. differs gets each difference, by
// one worker at a time. The caller must close the Check.
func (s Store) Check(root string, differs func(text string)) (*Check, error) {
	rec, err := s.Open(root)
	if err != nil {
		return nil, err
	}
	return &Check{rec: rec, differs: differs}, nil
}

// Set has a walk of the root compare.
func (c *Check) Set(root *walk.Root) { root.Recording, root.Node = readAll{c.rec}, rootNode }

// readAll is a Recording that proves nothing, so that all is read.
type readAll struct{ *Recording }

func (r readAll) Stamp(n Node) (Stamp, bool) {
	s, _ := r.Recording.Stamp(n)
	return s, false
}

// Recorder returns what one worker of the walk compares with.
func (c *Check) Recorder() dir.Recorder { return &checker{Check: c} }

type checker struct {
	*Check
	own listing // scratch
}

// Node returns dir.Excluded: what is not recorded is not compared.
func (*checker) Node(int) dir.Node { return dir.Excluded }

// Record compares a directory with what is recorded of it.
func (c *checker) Record(read *dir.Listing, d *dir.Dir) {
	stamp, proves := c.rec.Stamp(read.Node)
	if !proves || stamp != read.Stamp {
		c.changed.Add(1)
		return
	}
	recorded, _ := c.rec.directory(read.Node)
	c.own.set(read)
	if c.rec.whole(read.Node, &recorded) && slices.Equal(c.own.sorted(), recorded.sorted()) {
		c.same.Add(1)
		return
	}
	c.wrong.Add(1)
	c.differs(filepath.Join(c.rec.snap.root, string(d.AppendBelow(nil))))
}

// sorted returns the entries of d, each as its type and name.
func (d *directory) sorted() []string {
	list, names := make([]string, 0, len(d.types)), d.names
	for _, kind := range d.types {
		end := bytes.IndexByte(names, 0)
		list = append(list, string(kind)+string(names[:end]))
		names = names[end+1:]
	}
	slices.Sort(list)
	return list
}

// A CheckResult has numbers of directories.
type CheckResult struct {
	Same    int64 // are as recorded
	Changed int64 // have another stamp than the recorded one, or one that proves nothing
	Wrong   int64 // have the recorded stamp and other entries
}

// Result returns what was compared.
func (c *Check) Result() CheckResult {
	return CheckResult{c.same.Load(), c.changed.Load(), c.wrong.Load()}
}

// Close closes the recording.
func (c *Check) Close() error { return c.rec.Close() }
