package dir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// The seam to the operating system. Each system has one file with a sysReader,
// what one worker reads with, and a sysDir, the open handle of a directory.
// Their errors are bare errnos, which Reader dresses.
//
//	open    opens d below the open directory at, or if at is nil below the root's path.
//	        The directories on the way are in below, and d is the last. A link is followed
//	        only where the directory's follow is set, and in the root's path
//	next    appends the next batch of d's entries, without "." and "..", each
//	        with its type; io.EOF comes with the last batch, or after it; the
//	        entries that batch has already stay valid
//	rewind  makes the first batch of d the next one
//	close   closes the handle
//	local   reports whether the system is certain to answer at once what it is asked
//	        about the name in d, or about d itself if the name is nil; open and next
//	        are given that
//
// A sysEntry is what the listing has told of an entry besides its name and type:
//
//	hidden, remote, automount  as in Entry
//	served                     the directory is a link for the system, which a
//	                           driver serves: it is opened through the link
//
// stat sets the fields of info that are wanted, of the entry or of a link's
// target; access asks what this process may do with the entry; openFile opens a regular
// file, or the one that a followed link leads to; remove removes the entry, removeDir an empty
// directory d, whose parent is reached as in open; readFile
// appends what a file in an open directory holds, which is nothing, without an
// error, for what is no file, is in the cloud, or is a link that is not to be
// followed; vanished knows the errors of a directory that was removed or replaced, and
// temporary those that may not come again once others have been closed;
// mountedInItself reports whether e is a directory that is mounted below itself;
// maxReaders is how many Readers may list at a time, and maxShared how many handles
// may be kept open for children; fetchRemote is as FetchRemote, and setBuffer as
// SetBuffer. Who asks the system about an entry calls Entry.asked.
var (
	_ interface {
		open(d, at *Dir, below []*Dir, local bool) error
		local(d *Dir, name []byte, follow bool) bool
		next(d *Dir, batch []Entry, local bool) ([]Entry, error)
		rewind(d *Dir) error
		setBuffer(size int)
		removeDir(d, at *Dir, below []*Dir) error
	} = (*sysReader)(nil)
	_ interface{ close() } = (*sysDir)(nil)
	_ interface {
		hidden() bool
		remote() bool
		automount() bool
		served() bool
	} = sysEntry{}

	_ func(e *Entry, want Fields, follow, local bool, info *Info) error           = stat
	_ func(e *Entry) ([]byte, error)                                              = readLink
	_ func(e *Entry) (*os.File, error)                                            = openFile
	_ func(e *Entry) error                                                        = remove
	_ func(e *Entry, a Access) (bool, error)                                      = access
	_ func(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) = readFile
	_ func(err error) bool                                                        = vanished
	_ func(err error) bool                                                        = temporary
	_ func(e *Entry) bool                                                         = mountedInItself
	_ func() int                                                                  = maxReaders
	_ func() int                                                                  = maxShared
	_ func(allowed bool)                                                          = fetchRemote
)

// FetchRemote says whether the system may fetch over a network what this process
// opens: files and directories that are in the cloud.
func FetchRemote(allowed bool) {
	mayFetch.Store(allowed)
	fetchRemote(allowed)
}

var mayFetch atomic.Bool

// ErrRemote is that a directory or file would have to be fetched.
var ErrRemote = errors.New("its content is in the cloud")

var errAutomount = errors.New("opening it would mount something")

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
	path    []byte // scratch: a path to open
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

// Next returns the next batch of the open directory's entries, as many as the
// system hands over at a time. They are valid until the next call of Next, Open,
// Root or Suspend. After the last batch the error is io.EOF. After an error, an
// *fs.PathError, the directory counts as read.
func (r *Reader) Next() ([]Entry, error) {
	r.infos = r.infos[:0]
	for !r.done {
		if r.end != nil {
			r.finish()
			err := r.end
			if err == io.EOF && r.invalid != nil {
				err = r.invalid
			}
			if err != io.EOF && !vanished(err) {
				return nil, r.pathError("read", err)
			}
			break
		}
		// Some batches are empty: "." and ".." were all there was.
		r.batch, r.end = r.next(r.batch[:0])
		if len(r.batch) > 0 {
			return r.batch, nil
		}
	}
	return nil, io.EOF
}

func (r *Reader) next(batch []Entry) ([]Entry, error) {
	batch, err := r.nextOnce(batch)
	for tries := 1; err != nil && err != io.EOF && temporary(err) && tries < maxTries; tries++ {
		batch, err = r.nextOnce(batch)
	}
	return batch, err
}

func (r *Reader) nextOnce(batch []Entry) ([]Entry, error) {
	r.calls.List++
	local := r.sys.local(r.dir, nil, false)
	if local {
		return r.sys.next(r.dir, batch, true)
	}
	r.waiting(true)
	defer r.waiting(false)
	return r.sys.next(r.dir, batch, false)
}

// maxTries is how often the system is asked again that has too little memory, or too much
// open, for a moment.
const maxTries = 3

// Whole reads on until the batch that Next gave has all entries of the
// directory, and returns it; it is valid as Next's. If there are very many, it
// gives up and returns false: more will come with Next, or Preview.
func (r *Reader) Whole() (batch []Entry, whole bool) {
	const veryMany = 32 << 10 // some 3 MiB
	for r.end == nil {
		if len(r.batch) > veryMany {
			return r.batch, false
		}
		r.batch, r.end = r.next(r.batch)
	}
	return r.batch, true
}

// Preview calls f with what is left of the directory, batch by batch, and then
// has Next begin again with the first.
func (r *Reader) Preview(f func(batch []Entry)) {
	for r.end == nil {
		r.batch, r.end = r.next(r.batch[:0])
		f(r.batch)
	}
	r.end = r.sys.rewind(r.dir)
}

// CanSuspend reports whether it is worth suspending the directory: there may be
// more of it, and its open handle is among those that are counted.
func (r *Reader) CanSuspend() bool {
	return !r.done && r.end == nil && r.dir.shared && r.invalid == nil
}

// Suspend returns a Ref by which a Reader can go on where this one stopped,
// between two batches.
func (r *Reader) Suspend() Ref {
	ref := Ref{dir: r.dir, resume: true}
	if r.above != nil {
		r.dropAbove()
	}
	r.dir, r.done = nil, true
	return ref
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

// Drop gives up a Ref that is not going to be opened.
func (r *Reader) Drop(ref Ref) {
	switch {
	case ref.resume && !ref.dir.shared:
		ref.dir.close()
	case !ref.byPath && (ref.name != nil || ref.resume):
		ref.dir.dropHandle()
	}
	r.dropDir(ref.dir)
}

// Close releases what the Reader holds.
func (r *Reader) Close() {
	if !r.done {
		r.finish()
	}
	r.dropDir(r.dir)
	r.dir = nil
}

// finish ends the reading of the open directory.
func (r *Reader) finish() {
	r.done = true
	d := r.dir
	if !d.shared {
		d.close()
	}
	if d.decided {
		d.dropHandle()
	}
	switch {
	case r.above == nil:
	case r.leave != nil: // f may remove d
		d.holds, r.above = true, nil
	default:
		r.dropAbove()
	}
}

// Release lets go of the directory that was listed last, which is left if nothing below it is
// to be listed. Open, Enter and Close do so as well.
func (r *Reader) Release() {
	if r.done {
		r.dropDir(r.dir)
		r.dir = nil
	}
}

func (r *Reader) dropAbove() {
	r.above.dropHandle()
	r.above = nil
}

// pathError dresses an errno for the directory that is read.
func (r *Reader) pathError(op string, err error) error {
	return &fs.PathError{Op: op, Path: string(r.place()), Err: err}
}

func (r *Reader) newInfo() *Info {
	r.infos = append(r.infos, Info{})
	return &r.infos[len(r.infos)-1]
}

// newDir returns a Dir, a used one if there is one.
func (r *Reader) newDir() *Dir {
	n := len(r.free)
	if n == 0 {
		return new(Dir)
	}
	d := r.free[n-1]
	r.free = r.free[:n-1]
	d.open, d.begun, d.holds = false, false, false
	d.decided, d.shared, d.anchor = false, false, nil
	return d
}

// dropDir says that somebody no longer needs d, which may be nil. What nobody
// needs is kept for newDir, and its parent needed by one less. (A directory that
// never had a Ref of a child is its Reader's alone: there is nothing to count.)
func (r *Reader) dropDir(d *Dir) {
	const enough = 256
	for d != nil && (!d.decided || d.life.Add(-needDir)>>32 == 0) {
		parent := d.parent
		if d.begun && r.leave != nil {
			d.reader = r
			r.leave(d)
		}
		if d.holds {
			parent.dropHandle()
		}
		if parent != nil && len(r.free) < enough {
			d.names = d.names[:0]
			if cap(d.names) > 512 {
				d.names = nil
			}
			r.free = append(r.free, d)
		}
		d = parent
	}
}

// Vanished reports whether err is one that a directory gives when it has been
// removed, or replaced by something else, since it was listed.
func Vanished(err error) bool { return vanished(err) }

// Temporary reports whether err says that too much is open, or too little memory left.
func Temporary(err error) bool { return temporary(err) }

// errName means that a directory has an entry whose name is empty or has a slash, as those of
// damaged file systems may. It is left out.
var errName = errors.New("it has an entry whose name no file can have")
