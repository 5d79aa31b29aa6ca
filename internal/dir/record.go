package dir

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"math"
	"slices"
	"time"
)

// A Node is the number of a directory in a Recording. It is a hint, never a proof: the stamp
// decides. The zero value is no directory.
type Node uint32

// Excluded is the Node of a directory that was left out of the Recording on purpose.
const Excluded Node = math.MaxUint32

// A Stamp identifies a state of a directory's names. Two stamps are compared for equality,
// never for order: clocks are set back, and archives restore old times.
type Stamp struct {
	Device, Inode     uint64
	Modified, Changed int64 // mtime and ctime in nanoseconds
}

// Stable reports whether the stamp was older than slack when the listing began. A younger one
// proves nothing: a change right after the listing may leave the same times. Neither does the zero
// Stamp: the system gave none.
func (s Stamp) Stable(began time.Time, slack time.Duration) bool {
	return s != (Stamp{}) && max(s.Modified, s.Changed) < began.Add(-slack).UnixNano()
}

// A Recording has the names and types in directories as they were. It is safe for concurrent
// use.
type Recording interface {
	// Stamp returns the stamp recorded for n. proves is false if an equal stamp would not
	// prove that the directory has the entries recorded.
	Stamp(n Node) (s Stamp, proves bool)
	// Append appends entries of n from a position on to batch, as entries of d, and returns
	// the extended slice. At the beginning absent, unless it is nil, is asked about all names,
	// each with a NUL after it; if it returns true, only the directories are appended. io.EOF
	// comes with the last entries. After another error n is to be read from the system.
	Append(n Node, d *Dir, batch []Entry, at *Position, absent AbsentFunc) ([]Entry, error)
	// Children appends the directories recorded in n to list, and returns the extended slice.
	Children(n Node, list []Child) []Child
}

// An AbsentFunc reports whether all entries of these names that are not directories may be left
// out. Each name has a NUL after it. ascii says that all are in ASCII. It is called by several
// goroutines.
type AbsentFunc func(names []byte, ascii bool) bool

// A Position is a place in the entries of a directory in a Recording. The zero value is the
// beginning.
type Position struct {
	Entry, Child, Name int
	LeftOut            int // number of entries left out
}

// A Child is a directory in another, in a Recording.
type Child struct {
	Name  []byte // with a NUL after it
	Node  Node
	Inode uint64
}

// A Recorder takes the directories that one Reader has read from the system.
type Recorder interface {
	// Node returns the number of one more directory below a root. A directory gets its number
	// after its parent.
	Node(root int) Node
	// Record takes a copy of a listing that is complete. d is open, unless it could not be read.
	Record(l *Listing, d *Dir)
}

// A Listing is a directory as it was read from the system.
type Listing struct {
	Node, Parent Node
	Name         []byte        // in the parent
	Renamed      bool          // Node was recorded with another name
	Unread       bool          // it could not be read; there is nothing more
	Stamp        Stamp         // before it was read: a later change gives it another one
	Began        time.Time     // when it was begun to be read
	Names        []byte        // of all entries, each with a NUL after it
	Starts       []uint32      // where each begins in Names
	Types        []fs.FileMode // of all entries
}

// Append adds an entry.
func (l *Listing) Append(name []byte, kind fs.FileMode) {
	l.Types = append(l.Types, kind)
	l.Starts = append(l.Starts, uint32(len(l.Names)))
	l.Names = append(append(l.Names, name...), 0)
}

// Reset removes the entries, and keeps their memory.
func (l *Listing) Reset() { l.Names, l.Starts, l.Types = l.Names[:0], l.Starts[:0], l.Types[:0] }

// A recall is what a Reader does with recordings. The zero value does nothing.
type recall struct {
	recorder Recorder
	absent   AbsentFunc
	children []Child  // scratch: of the recorded directory that is read, by name
	byInode  []Child  // scratch: the same by inode, once a name was not among them
	spare    *Listing // to reuse
	at       Position
	ready    bool // the Reader's batch is to be returned
	active   bool // the current directory is recalled
	linked   bool // children are those of the current directory
}

// OnRecord sets the Recorder for what the Reader reads from the system.
func (r *Reader) OnRecord(to Recorder) { r.recall.recorder = to }

// Recalled reports whether the entries of d come from a Recording.
func (d *Dir) Recalled() bool { return d.recalled }

// OnRecall sets f to be asked about the names in each directory that is recalled.
func (r *Reader) OnRecall(f AbsentFunc) { r.recall.absent = f }

// LeftOut returns the number of entries of the current directory that were left out; see
// OnRecall.
func (r *Reader) LeftOut() int {
	if r.recall.active {
		return r.recall.at.LeftOut
	}
	return 0
}

// FileSystem returns the name of the file system of d, which a Recorder is given; "" if it is
// not known.
func (d *Dir) FileSystem() (string, error) { return fileSystem(d) }

// isRecorded reports whether d is in the tree of the root's Recording: no link leads to it.
func (d *Dir) isRecorded() bool {
	return d.parent == nil || !d.follow && !d.byPath && d.parent.node != 0 && d.parent.node != Excluded
}

// tryRecall makes d, the current directory, one that is listed from the Recording of its root,
// if d has not changed since. It reports whether it has. One that was renamed is read, for the
// Recorder to get its name.
func (r *Reader) tryRecall(d *Dir) bool {
	rec := d.root.recording
	if !d.isRecorded() || d.renamed || d.node == 0 && !d.root.unverified {
		return false
	}
	if !d.root.unverified && !r.unchanged(d) {
		return false
	}
	r.recall.at = Position{}
	batch, err := rec.Append(d.node, d, r.batch[:0], &r.recall.at, r.recall.absent)
	switch {
	case err == nil || err == io.EOF:
	case !d.root.unverified:
		return false
	default: // what is not recorded is empty
		batch, err = r.batch[:0], io.EOF
	}
	r.batch, r.end = batch, err
	r.recall.active, r.recall.ready, d.recalled = true, true, true
	if !d.root.unverified && d.parent != nil && childCount(batch) >= anchorAt {
		_ = r.openHandle(d) // its children are asked about by longer paths then
	}
	return true
}

// anchorAt is the number of directories in a recalled one from which opening it takes less time
// than asking about each by its whole path. It saved a twelfth of a recalled search.
const anchorAt = 8

// childCount returns the number of directories in batch.
func childCount(batch []Entry) (n int) {
	for i := range batch {
		if batch[i].Type == fs.ModeDir {
			n++
		}
	}
	return n
}

// unchanged reports whether d has the recorded stamp, and that proves something. If d is another
// directory, it has no Node then.
func (r *Reader) unchanged(d *Dir) bool {
	recorded, proves := d.root.recording.Stamp(d.node)
	if !proves {
		return false
	}
	now, ok := r.stampBelow(d)
	if ok && d.isAnother(recorded, now) {
		d.node = 0
	}
	return ok && now == recorded
}

// isAnother reports whether another directory has the recorded name now. A root keeps its Node,
// whatever directory it is.
func (d *Dir) isAnother(recorded, now Stamp) bool {
	return d.parent != nil && recorded.Inode != 0 && recorded.Inode != now.Inode
}

// stampBelow returns the stamp of d, which is opened only if it is a root.
func (r *Reader) stampBelow(d *Dir) (s Stamp, ok bool) {
	if d.parent == nil {
		if d.reach() != nil {
			return s, false
		}
		return r.stampOf(d)
	}
	at := d.parent.anchor
	if at == nil {
		return s, false
	}
	start := len(r.prefix)
	for p := d; p != at; p = p.parent {
		start -= len(p.name) + 1
	}
	local := r.sys.local(d.parent, d.name, false)
	if !local {
		r.waiting(true)
		defer r.waiting(false)
	}
	last := len(r.prefix) - 1
	r.prefix[last] = 0
	r.calls.Entry++
	s, err := r.sys.stamp(d, at, r.prefix[start:last], local)
	r.prefix[last] = '/'
	return s, err == nil
}

// stampOf returns the stamp of d, which is open.
func (r *Reader) stampOf(d *Dir) (Stamp, bool) {
	local := r.sys.local(d, nil, false)
	if !local {
		r.waiting(true)
		defer r.waiting(false)
	}
	r.calls.Entry++
	s, err := r.sys.stamp(d, d, nil, local)
	return s, err == nil
}

// record begins the Listing of d, which has just been opened, if its parent is known to the
// Recorder.
func (r *Reader) record(d *Dir) {
	if r.recall.recorder == nil || !d.isRecorded() || d.node == Excluded {
		return
	}
	began := time.Now()
	stamp, _ := r.stampOf(d) // one that is not known proves nothing
	if d.node != 0 && d.root.recording != nil {
		if recorded, _ := d.root.recording.Stamp(d.node); d.isAnother(recorded, stamp) {
			d.node, d.renamed = 0, false
		}
	}
	if d.node == 0 {
		d.node = r.recall.recorder.Node(d.root.number)
	}
	if d.node == Excluded {
		return
	}
	l := r.recall.spare
	if r.recall.spare = nil; l == nil {
		l = &Listing{}
	}
	l.Reset()
	l.Node, l.Parent, l.Name, l.Stamp, l.Began = d.node, 0, d.name, stamp, began
	if l.Renamed = d.renamed; d.parent != nil {
		l.Parent = d.parent.node
	}
	d.listing = l
}

// unread has the Recorder know a directory that cannot be read.
func (r *Reader) unread(d *Dir) {
	if r.recall.recorder == nil || d.parent == nil || !d.isRecorded() {
		return
	}
	if d.node == 0 {
		d.node = r.recall.recorder.Node(d.root.number)
	}
	if d.node != Excluded {
		r.recall.recorder.Record(&Listing{Node: d.node, Parent: d.parent.node, Name: d.name, Unread: true}, d)
	}
}

// note looks at entries that were read from the system: for the Recorder, and to find the
// directories that are in the Recording.
func (r *Reader) note(batch []Entry) {
	d := r.dir
	if r.recall.active {
		return
	}
	if l := d.listing; l != nil {
		for i := range batch {
			e := &batch[i]
			if l.Append(e.Name, e.Type); e.Automount() || e.Remote() {
				l.Stamp = Stamp{} // a Recording does not have that
			}
		}
	}
	if d.root.recording != nil && d.node != 0 {
		r.link(d, batch)
	}
}

// link sets the Node of the directories that d had when it was recorded, by their names. One
// that was renamed has its inode.
func (r *Reader) link(d *Dir, batch []Entry) {
	c := &r.recall
	if !c.linked {
		c.linked = true
		c.children, c.byInode = d.root.recording.Children(d.node, c.children[:0]), c.byInode[:0]
		slices.SortFunc(c.children, func(a, b Child) int { return bytes.Compare(a.Name, b.Name) })
	}
	if len(c.children) == 0 {
		return
	}
	for i := range batch {
		e := &batch[i]
		if e.Type != fs.ModeDir {
			continue
		}
		if i, ok := slices.BinarySearchFunc(c.children, e.Name, func(c Child, name []byte) int { return bytes.Compare(c.Name, name) }); ok {
			e.Node, e.renamed = c.children[i].Node, false
		} else if info, err := e.Info(Identity); err == nil {
			e.Node, e.renamed = c.withInode(info.Inode, d), true
		}
	}
}

// withInode returns the Node of the child of d with that inode; 0 if there is none, or if it still
// has its name: then it is mounted on another one too.
func (c *recall) withInode(inode uint64, d *Dir) Node {
	if len(c.byInode) == 0 {
		c.byInode = append(c.byInode, c.children...)
		slices.SortFunc(c.byInode, func(a, b Child) int { return cmp.Compare(a.Inode, b.Inode) })
	}
	i, ok := slices.BinarySearchFunc(c.byInode, inode, func(c Child, inode uint64) int { return cmp.Compare(c.Inode, inode) })
	if !ok {
		return 0
	}
	old := Entry{Dir: d, Name: c.byInode[i].Name, Type: fs.ModeDir}
	if now, err := old.Info(Identity); err == nil && now.Inode == inode {
		return 0
	}
	return c.byInode[i].Node
}

// rewind starts the listing of the current directory again.
func (r *Reader) rewind() error {
	if r.recall.active {
		r.recall.at = Position{}
		return nil
	}
	if l := r.dir.listing; l != nil {
		l.Reset()
	}
	return r.sys.rewind(r.dir)
}

// recorded ends the Listing of d, if there is one.
func (r *Reader) recorded(d *Dir) {
	l := d.listing
	if l == nil {
		return
	}
	d.listing = nil
	switch {
	case r.end == io.EOF && r.invalid == nil:
		r.recall.recorder.Record(l, d)
	case r.end != nil:
		r.unread(d)
	}
	const maxKept = 1 << 20 // bytes
	if cap(l.Names) <= maxKept {
		r.recall.spare = l
	}
}
