package dir

import (
	"io"
	"io/fs"
	"os"
)

// A Reader lists directories, one at a time. Each worker has its own; it is not
// safe for concurrent use, but a Ref may go from one Reader to another.
type Reader struct {
	sys     sysReader
	want    Fields
	dir     *Dir  // the one being read, or the last one, kept for prefix
	above   *Dir  // its parent, whose anchor stays open while dir is read; nil: nothing does
	done    bool  // dir has been read, and closed unless it is shared
	end     error // what its next batch gives, once that is known
	batch   []Entry
	infos   []Info // of entries in batch
	prefix  []byte // the path of dir, with the slash that its entries' names follow
	way     []*Dir // scratch: to a directory to open
	content []byte // scratch: what a file holds
	calls   Calls
	free    []*Dir // to be used again
	invalid error  // what is wrong with names that were left out

	wait  func(waiting bool) // see OnWait
	waits int                // calls begun and not ended
	leave func(*Dir)         // see OnLeave
}

// MaxReaders returns how many Readers the system lets be at work at a time.
func MaxReaders() int { return maxReaders() }

// NewReader returns a Reader. Of the fields that Info will be asked for, it takes
// from the listing what the system gives there. Close releases what it holds.
func NewReader(want Fields) *Reader { return &Reader{want: want, done: true} }

// SetBuffer has the Reader ask for size bytes of a directory at a time, from 4 KiB to
// what memory there is, instead of what the system does best with. It is for a Reader
// that has not listed anything yet. Where package os reads, it changes nothing.
func (r *Reader) SetBuffer(size int) { r.sys.setBuffer(size) }

// OnWait has f called with true before each system call that may take long, because a
// server or another process answers it, and with false after it. (Where the system does
// not say which do, these are all.)
func (r *Reader) OnWait(f func(waiting bool)) { r.wait = f }

// OnLeave has f called for each directory that was opened or entered, when it and all below it
// has been listed, by this Reader and others, and no Ref of it is left. The one below comes
// first. A Dir's Context, Tag, path and Remove are all that f may use. The Reader that lets go
// of a directory last calls its own f, which must not use the Reader.
func (r *Reader) OnLeave(f func(*Dir)) { r.leave = f }

// waiting calls what OnWait was given.
func (r *Reader) waiting(on bool) {
	if r.wait == nil {
		return
	}
	if on {
		r.waits++
	}
	if r.waits == 1 { // one question may be a part of another
		r.wait(on)
	}
	if !on {
		r.waits--
	}
}

// AppendPlace appends the path of the directory that the Reader lists, opens, or asks about
// an entry of, to b and returns the extended slice. It may be called while the Reader waits,
// see OnWait.
func (r *Reader) AppendPlace(b []byte) []byte { return append(b, r.place()...) }

// place returns the path to report for the directory that is read.
func (r *Reader) place() []byte {
	if path := withoutSlash(r.prefix); len(path) > 0 || r.dir == nil {
		return path
	}
	return r.dir.root.path
}

// Calls is how many system calls were made for directories and their entries. Those
// for rule files are not among them.
type Calls struct {
	Open  int64 // of a directory
	List  int64 // the directory call: getdents64, NtQueryDirectoryFile, ...
	Close int64 // of a directory
	Entry int64 // about single entries: metadata, access, a link's target
}

// Calls returns what the Reader has called. (Whoever closes a handle that was
// shared, it counts for who opened it.)
func (r *Reader) Calls() Calls { return r.calls }

// Add adds others to c.
func (c *Calls) Add(others Calls) {
	c.Open += others.Open
	c.List += others.List
	c.Close += others.Close
	c.Entry += others.Entry
}

// Sum returns how many these are together.
func (c Calls) Sum() int64 { return c.Open + c.List + c.Close + c.Entry }

// Open opens the directory that ref names and makes it the one that Next lists;
// the one before must have been read to its end, or suspended. The error is an
// *fs.PathError. Vanished reports whether it comes of a change in the tree; after one
// that is Temporary the Ref is as good as before.
func (r *Reader) Open(ref Ref) (*Dir, error) {
	d := r.dirOf(ref)
	r.enter(d)
	if ref.resume {
		return d, nil
	}
	err := r.openHandle(d)
	switch {
	case err == nil:
		r.begin(d)
		return d, nil
	case temporary(err):
		err = r.pathError("open", err)
		if r.dir, r.done = nil, true; ref.name != nil {
			r.free = append(r.free, d)
		}
		return nil, err
	}
	r.done = true
	if d.parent != nil && !d.byPath {
		d.parent.dropHandle()
	}
	return nil, r.pathError("open", err)
}

// Enter is as Open, but does not open the directory, and Next lists nothing. It is for a
// directory whose entries are known: see Dir.AppendEntry. What an entry is asked for opens
// the directory when it is needed.
func (r *Reader) Enter(ref Ref) *Dir {
	d := r.dirOf(ref)
	r.enter(d)
	r.begin(d)
	r.end = io.EOF
	return d
}

// dirOf returns the Dir of what ref names, a new one unless it is a root's or was suspended.
func (r *Reader) dirOf(ref Ref) *Dir {
	d := ref.dir
	if ref.name != nil {
		d = r.newDir()
		d.parent, d.root, d.name, d.Depth = ref.dir, ref.dir.root, ref.name, ref.dir.Depth+1
		d.Context = ref.dir.Context
		d.life.Store(needDir | needHandle)
	}
	if !ref.resume {
		d.Tag, d.follow, d.byPath = ref.Tag, ref.follow, ref.byPath
	}
	return d
}

// openHandle opens d, which r lists.
func (r *Reader) openHandle(d *Dir) error {
	at, below := r.wayTo(d, d.byPath)
	local := at != nil && at == d.parent && r.sys.local(at, d.name, d.follow)
	if !local {
		r.waiting(true)
		defer r.waiting(false)
	}
	r.calls.Open++
	if err := r.sys.open(d, at, below, local); err != nil {
		return err
	}
	r.calls.Close++
	d.open = true
	return nil
}

// begin notes that the listing of d begins.
func (r *Reader) begin(d *Dir) {
	d.begun = true
	if d.parent != nil && !d.byPath {
		r.above = d.parent
	}
}

// reach opens d, which its Reader lists, unless it is open.
func (d *Dir) reach() error {
	if d.open || d.Depth < 0 {
		return nil
	}
	return d.reader.openHandle(d)
}

// enter makes d the directory that is read.
func (r *Reader) enter(d *Dir) {
	last := r.dir
	switch {
	case last == nil || d.parent == nil:
		r.prefix = d.appendPath(r.prefix[:0], d.root.label)
	case d.parent == last:
		r.prefix = append(append(r.prefix, d.name...), '/')
	case d.parent == last.parent:
		r.prefix = r.prefix[:len(r.prefix)-len(last.name)-1]
		r.prefix = append(append(r.prefix, d.name...), '/')
	default:
		r.prefix = d.appendPath(r.prefix[:0], d.root.label)
	}
	r.dropDir(last)
	r.dir, r.done, r.end, r.invalid, d.reader = d, false, nil, nil, r
}

// Root returns the entry of a root itself, whatever it is; a link is not
// followed. It is for a Ref that has not been opened yet, or that Open refused.
func (r *Reader) Root(ref Ref) (*Entry, error) {
	r.dropDir(r.dir) // prefix is no longer that of dir
	r.dir, r.done = nil, true
	label := ref.dir.root.label
	n := len(withoutSlash(label))
	start := n
	for start > 0 && !os.IsPathSeparator(label[start-1]) {
		start--
	}
	r.prefix, r.infos = append(r.prefix[:0], label[:start]...), r.infos[:0]
	e := &Entry{Dir: &Dir{Depth: -1, root: ref.dir.root, reader: r}, Name: label[start:n]}
	info, err := e.Info(r.want | Mode)
	if err != nil {
		return nil, err
	}
	e.Type = info.Mode.Type()
	return e, nil
}

// pathError dresses an errno for the directory that is read.
func (r *Reader) pathError(op string, err error) error {
	return &fs.PathError{Op: op, Path: string(r.place()), Err: err}
}

func (r *Reader) newInfo() *Info {
	r.infos = append(r.infos, Info{})
	return &r.infos[len(r.infos)-1]
}
