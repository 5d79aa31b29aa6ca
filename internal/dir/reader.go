package dir

import (
	"io/fs"
	"os"
)

// A Reader lists directories, one at a time. It is not safe for concurrent use: each worker
// has its own. A Ref may go from one Reader to another.
type Reader struct {
	sys     sysReader
	want    Fields
	dir     *Dir  // the current directory, or the last one, kept for prefix
	above   *Dir  // dir's parent, if its anchor stays open while dir is listed
	done    bool  // dir has been listed, and closed unless it is shared
	end     error // the error of the next batch, once it is known
	batch   []Entry
	infos   []Info // of entries in batch
	prefix  []byte // the path of dir with a slash at its end
	way     []*Dir // scratch: the way to a directory to open
	content []byte // scratch: the content of a file
	calls   Calls
	free    []*Dir // to reuse
	invalid error  // why entries were left out

	recall recall

	wait  func(waiting bool) // see OnWait
	waits int                // number of calls begun and not ended
	leave func(*Dir)         // see OnLeave
}

// MaxReaders returns the number of Readers that may list at the same time, by the limits of
// the system.
func MaxReaders() int { return maxReaders() }

// NewReader returns a Reader. want is the fields that Info will be asked for; the Reader takes
// them from the listing where the system has them there. The caller must Close it.
func NewReader(want Fields) *Reader { return &Reader{want: want, done: true} }

// SetBuffer sets the number of bytes of a directory that the Reader requests at a time, from 4
// KiB up. The default is what the system does best with. It must be called before the first
// listing, and has no effect where package os lists.
func (r *Reader) SetBuffer(size int) { r.sys.setBuffer(size) }

// OnWait sets f to be called with true before each system call that may take long, because a
// server or another process answers it, and with false after it. Where the system does not say
// which calls do, f is called for all.
func (r *Reader) OnWait(f func(waiting bool)) { r.wait = f }

// OnLeave sets f to be called for each directory that was opened, once it and
// everything below it has been listed, by any Reader, and no Ref of it is left. Directories
// below come first. f may use the Dir's Context, Tag, path and Remove, nothing else, and not
// the Reader. The Reader that drops the last reference to a directory calls its own f.
func (r *Reader) OnLeave(f func(*Dir)) { r.leave = f }

// waiting calls the function of OnWait.
func (r *Reader) waiting(on bool) {
	if r.wait == nil {
		return
	}
	if on {
		r.waits++
	}
	if r.waits == 1 { // one call may be part of another
		r.wait(on)
	}
	if !on {
		r.waits--
	}
}

// AppendPlace appends the path of the directory that the Reader opens, lists, or asks about an
// entry of, to b and returns the extended slice. It may be called while the Reader waits, see
// OnWait.
func (r *Reader) AppendPlace(b []byte) []byte { return append(b, r.place()...) }

// place returns the path of the current directory for errors.
func (r *Reader) place() []byte {
	if path := withoutSlash(r.prefix); len(path) > 0 || r.dir == nil {
		return path
	}
	return r.dir.root.path
}

// Calls counts system calls for directories and their entries. Those for rule files are not
// counted.
type Calls struct {
	Open  int64 // of a directory
	List  int64 // the directory call: getdents64, NtQueryDirectoryFile, ...
	Close int64 // of a directory
	Entry int64 // for single entries: metadata, access, a link's target
}

// Calls returns the number of calls made by the Reader. Closing a shared handle counts for the
// Reader that opened it.
func (r *Reader) Calls() Calls { return r.calls }

// Add adds others to c.
func (c *Calls) Add(others Calls) {
	c.Open += others.Open
	c.List += others.List
	c.Close += others.Close
	c.Entry += others.Entry
}

// Sum returns the number of all calls.
func (c Calls) Sum() int64 { return c.Open + c.List + c.Close + c.Entry }

// Open opens the directory that ref names, for Next to list. The directory before must have
// been read to its end or suspended. The error is an *fs.PathError. Vanished reports whether a
// change in the tree is the reason. If the error is Temporary, the Ref may be opened again.
func (r *Reader) Open(ref Ref) (*Dir, error) {
	d := r.dirOf(ref)
	r.enter(d)
	switch {
	case ref.resume:
		return d, nil
	case d.root.recording != nil && r.tryRecall(d):
		r.begin(d)
		return d, nil
	}
	err := d.reach()
	switch {
	case err == nil:
		r.begin(d)
		r.record(d)
		return d, nil
	case temporary(err):
		err = r.pathError("open", err)
		if r.dir, r.done = nil, true; ref.name != nil {
			r.free = append(r.free, d)
		}
		return nil, err
	}
	r.done = true
	r.unread(d)
	if d.parent != nil && !d.byPath {
		d.parent.dropHandle()
	}
	return nil, r.pathError("open", err)
}

// dirOf returns the Dir that ref names: a new one, unless ref is a root or suspended.
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
		if ref.name != nil {
			d.node, d.renamed = ref.node, ref.renamed
		}
	}
	return d
}

// openHandle opens d, the directory of r.
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

// begin is called when the listing of d begins.
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

// enter makes d the current directory.
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
	r.recall.active, r.recall.ready, r.recall.linked = false, false, false
}

// Root returns the entry of a root itself, whatever its type. A link is not followed. ref must
// not have been opened, unless Open returned an error. The error is an *fs.PathError.
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

// pathError returns err as an error with the path of the current directory.
func (r *Reader) pathError(op string, err error) error {
	return &fs.PathError{Op: op, Path: string(r.place()), Err: err}
}

func (r *Reader) newInfo() *Info {
	r.infos = append(r.infos, Info{})
	return &r.infos[len(r.infos)-1]
}
