// Package dir reads directories: it turns what the operating system's own
// directory call answers into entries, without an allocation or a system call
// per entry. It is the only package that makes directory system calls.
//
// Policy (what is hidden, ignored, too deep, or already seen) is not known
// here; package walk has it.
package dir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Fields is a set of what an Info can tell.
type Fields uint16

// The fields of an Info. The system is asked only for those that are wanted.
const (
	Identity   Fields = 1 << iota // Device, Inode
	Mode                          // Mode
	Size                          // Size
	Owner                         // User, Group
	Links                         // Links
	ModTime                       // ModTime
	AccessTime                    // AccessTime
	ChangeTime                    // ChangeTime
	BirthTime                     // BirthTime
	Allocated                     // Allocated
)

// Everything is all of them.
const Everything = Identity | Mode | Size | Owner | Links | ModTime | AccessTime | ChangeTime | BirthTime | Allocated

// An Info is an entry's metadata. Only the fields that were asked for are set.
type Info struct {
	ID
	Mode fs.FileMode // type and permission bits
	Size int64       // bytes

	User, Group uint32 // numbers; 0 on Windows, which has none
	Links       uint64 // hard links; 1 where the system does not tell

	ModTime    time.Time // of the content
	AccessTime time.Time // as precise as the file system's mount options let it be
	ChangeTime time.Time // of the metadata; zero where the system has none
	BirthTime  time.Time // zero where the file system has none

	Allocated int64 // bytes that the file system keeps for the content, as st_blocks has them by 512

	have Fields
}

// A Dir is a directory that is open, or that still has children to be opened
// or read. A Reader makes and recycles it: a Dir is valid while an Entry or a
// Ref of it is, and no longer.
type Dir struct {
	Depth int // a root is 0; what holds a file given as root is -1

	// Context is for the Dir's user, and what a child begins with as its own.
	Context any
	Tag     uint32 // that of the Ref by which the Dir was opened

	root   *root
	parent *Dir
	name   []byte  // below parent, with a NUL after it; nil for a root
	names  []byte  // the names of children that were queued; filled up, never rewritten
	reader *Reader // that lists it, or did last
	sys    sysDir  // the open handle
	follow bool    // it was opened through a link

	// Children are opened below the anchor, see handles.go. It is chosen, and shared
	// says whether it is the Dir itself, when the first Ref of a child is made.
	decided, shared bool
	anchor          *Dir

	// life counts who needs what: in the low half those who need the handle
	// (the Reader, and children not yet opened), in the high half those who
	// need the Dir, for its path (the same, and children that are Dirs).
	life atomic.Int64
}

// A root is where a walk starts.
type root struct {
	number int
	path   []byte   // to open, with a NUL after it
	base   []byte   // what its children's paths begin with, ending in a slash
	label  []byte   // what is printed instead: "", or ending in a slash
	id     ID     // of the directory that was opened; zero where the system has none
}

// An ID is what one file alone has, as long as it exists.
type ID struct {
	Device uint64 // the file system, as st_dev
	Inode  uint64 // unique within Device; 0 where the system has no such number
}

const (
	needHandle = 1
	needDir    = 1 << 32
)

// An Entry is one name in a directory, as the directory's listing gave it. It
// is valid until its Reader's next call of Next, Open, Root or Suspend.
type Entry struct {
	Dir  *Dir
	Name []byte      // the basename's bytes, any but '/' and NUL; a file given as root: its last element
	Type fs.FileMode // the type bits alone; fs.ModeIrregular where the system would not tell

	sys      sysEntry // what the listing has told besides
	followed bool     // Type and Info are those of the link's target
	info     *Info
}

// Hidden reports whether the entry is hidden: its name begins with a dot, or, on
// Windows, it has the attribute.
func (e *Entry) Hidden() bool { return e.Name[0] == '.' || e.sys.hidden() }

// Remote reports whether listing the directory that e names would fetch it over a
// network: one whose content is in the cloud.
func (e *Entry) Remote() bool { return e.sys.remote() }

// Automount reports whether opening the directory that e names would mount
// something on it.
func (e *Entry) Automount() bool { return e.sys.automount() }

// Depth returns how many directories down from its root the entry is: 1 for a
// root's own entries, 0 for a file given as root.
func (e *Entry) Depth() int { return e.Dir.Depth + 1 }

// AppendPath appends the entry's path, as reached from its root, to b and
// returns the extended slice.
func (e *Entry) AppendPath(b []byte) []byte {
	b = append(b, e.Dir.reader.prefix...)
	return append(b, e.Name...)
}

// AppendBelow is as AppendPath, but for what comes below the root.
func (e *Entry) AppendBelow(b []byte) []byte {
	b = append(b, e.Dir.reader.prefix[len(e.Dir.root.label):]...)
	return append(b, e.Name...)
}

// AppendAs is as AppendPath, but for another label of the root.
func (e *Entry) AppendAs(b []byte, label string) []byte {
	b = append(b, label...)
	if e.Dir.Depth < 0 {
		return b
	}
	if needsSlash(label) {
		b = append(b, '/')
	}
	return e.AppendBelow(b)
}

// TypeName returns the name of a type.
func TypeName(kind fs.FileMode) string {
	switch kind.Type() {
	case 0:
		return "file"
	case fs.ModeDir:
		return "directory"
	case fs.ModeSymlink:
		return "symlink"
	case fs.ModeNamedPipe:
		return "pipe"
	case fs.ModeSocket:
		return "socket"
	case fs.ModeDevice:
		return "block-device"
	case fs.ModeDevice | fs.ModeCharDevice:
		return "char-device"
	}
	return "unknown"
}

// Extension returns what follows the last dot of a name that does not begin with it.
func Extension(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return nil
}

// Path returns the entry's path, as reached from its root.
func (e *Entry) Path() string { return string(e.AppendPath(nil)) }

// Info returns the entry's metadata, asking the system only for what is wanted
// and not yet known. After Follow it is that of the link's target. The Info is
// valid as long as the entry. An error is an *fs.PathError.
func (e *Entry) Info(want Fields) (*Info, error) {
	if e.info == nil {
		e.info = e.Dir.reader.newInfo()
	}
	if want&^e.info.have == 0 {
		return e.info, nil
	}
	want |= e.info.have // which a second answer would overwrite
	if err := e.stat(want, e.followed, e.info); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	e.info.have |= want
	return e.info, nil
}

func (e *Entry) stat(want Fields, follow bool, info *Info) error {
	local := e.waiting(follow)
	err := stat(e, want, follow, local, info)
	e.answered(local)
	return err
}

// waiting says that the system is going to be asked about e, and returns whether it is
// certain to answer at once.
func (e *Entry) waiting(follow bool) (local bool) {
	r := e.Dir.reader
	local = r.sys.local(e.Dir, e.Name, follow)
	if !local {
		r.waiting(true)
	}
	return local
}

// answered says that the system has been asked.
func (e *Entry) answered(local bool) {
	if !local {
		e.Dir.reader.waiting(false)
	}
}

// Stat returns the metadata of what a path leads to. The error is an *fs.PathError.
func Stat(path string, want Fields) (Info, error) {
	r := NewReader(0)
	defer r.Close()
	e, err := r.Root(Root(path, path, 0))
	if err != nil {
		return Info{}, err
	}
	if err := e.Follow(); err != nil {
		return Info{}, err
	}
	info, err := e.Info(want)
	if err != nil {
		return Info{}, err
	}
	return *info, nil
}

// asked counts a question to the system about e.
func (e *Entry) asked() { e.Dir.reader.calls.Entry++ }

// Follow makes a symbolic link's entry stand for its target: Type and Info are
// the target's from then on. A link that leads nowhere stays what it is. So does one
// whose target the system does not tell; the error, an *fs.PathError, says why.
func (e *Entry) Follow() error {
	if e.Type != fs.ModeSymlink || e.followed {
		return nil
	}
	info := e.Dir.reader.newInfo()
	switch err := e.stat(Identity|Mode, true, info); {
	case err == nil:
		info.have = Identity | Mode
		e.Type, e.followed, e.info = info.Mode.Type(), true, info
	case !leadsNowhere(err):
		return &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	return nil
}

// leadsNowhere reports whether err, of a link's target, means that there is none. Any other
// error leaves that open.
func leadsNowhere(err error) bool { return vanished(err) || errors.Is(err, errLinkLoop) }

// Followed reports whether e is a link that stands for its target.
func (e *Entry) Followed() bool { return e.followed }

// An Access is something that may be done with an entry.
type Access uint8

// What may be done.
const (
	Execute Access = 1 << iota // a directory is searched
	Write
	Read
)

// May reports whether this process may access the entry, or the target of a
// link, in each of these ways, whatever its type. The error, an *fs.PathError, means that
// the system did not say.
func (e *Entry) May(a Access) (bool, error) {
	local := e.waiting(true)
	may, err := access(e, a)
	e.answered(local)
	if err != nil {
		return false, &fs.PathError{Op: "access", Path: e.Path(), Err: err}
	}
	return may, nil
}

// Broken reports whether the entry is a symbolic link that leads nowhere. The error, an
// *fs.PathError, means that the system did not say.
func (e *Entry) Broken() (bool, error) {
	if e.Type != fs.ModeSymlink || e.followed {
		return e.Type == fs.ModeSymlink, nil
	}
	err := e.stat(Mode, true, e.Dir.reader.newInfo())
	if err != nil && !leadsNowhere(err) {
		return false, &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	return err != nil, nil
}

// MountedInItself reports whether e is a directory that contains itself, because a
// directory above it is mounted there once more (mount --bind). Who entered it would count
// all entries again.
func (e *Entry) MountedInItself() bool { return mountedInItself(e) }

// ErrMountedInItself means that a directory is not entered for that reason.
var ErrMountedInItself = errors.New("file system loop: a directory above it is mounted here")

// Target returns what a symbolic link holds. The error is an *fs.PathError.
func (e *Entry) Target() ([]byte, error) {
	local := e.waiting(false)
	target, err := readLink(e)
	e.answered(local)
	if err != nil {
		return nil, &fs.PathError{Op: "readlink", Path: e.Path(), Err: err}
	}
	return target, nil
}

// Empty reports whether the directory that e names has no entries. The error is
// an *fs.PathError.
func (e *Entry) Empty() (bool, error) {
	some, err := e.Any(func(*Entry) bool { return true })
	return !some && err == nil, err
}

// Any lists the directory that e names and reports whether test is true for one
// of its entries, after which it is not called again. What would be fetched or
// mounted is not listed. The error is an *fs.PathError.
func (e *Entry) Any(test func(*Entry) bool) (bool, error) {
	switch {
	case e.Automount():
		return false, &fs.PathError{Op: "open", Path: e.Path(), Err: errAutomount}
	case e.Remote() && !mayFetch.Load():
		return false, &fs.PathError{Op: "open", Path: e.Path(), Err: ErrRemote}
	}
	r := probes.Get().(*Reader)
	r.calls, r.wait = Calls{}, e.Dir.reader.wait
	defer func() {
		r.Close()
		e.Dir.reader.calls.Add(r.calls)
		probes.Put(r)
	}()
	ref := e.Ref()
	_, err := r.Open(ref)
	for tries := 1; err != nil && Temporary(err); tries++ {
		if tries == maxTries {
			r.Drop(ref)
			break
		}
		_, err = r.Open(ref)
	}
	if err != nil {
		return false, err
	}
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		for i := range batch {
			if test(&batch[i]) {
				return true, nil
			}
		}
	}
}

// probes are for a look into a directory while another is being read.
var probes = sync.Pool{New: func() any { return NewReader(0) }}

// Ref returns a reference to the directory that e names, by which any Reader
// can open it, also once the entry itself is gone. A Ref must be given to Open
// or to Drop, exactly once.
func (e *Entry) Ref() Ref {
	d := e.Dir
	if !d.decided {
		d.reader.anchorChildren(d)
	}
	d.life.Add(needDir | needHandle)
	return Ref{dir: d, name: d.keepName(e.Name), follow: e.followed || e.sys.served()}
}

// keepName copies a name, and a NUL after it, to where it stays until d is
// recycled. A full arena is left to the names in it and replaced, so a
// directory with a million children holds on to the names of the queued ones
// only.
func (d *Dir) keepName(name []byte) []byte {
	const least, most = 64, 4 << 10
	n, size := len(d.names), len(name)+1
	if n+size > cap(d.names) {
		d.names = make([]byte, 0, max(size, min(most, max(least, 2*cap(d.names)))))
		n = 0
	}
	d.names = append(append(d.names, name...), 0)
	return d.names[n : n+size-1 : n+size]
}

// Root returns the number of the root that d was reached from.
func (d *Dir) Root() int { return d.root.number }

// AppendBelow appends d's path below its root, with a slash after it unless d is
// the root, to b and returns the extended slice.
func (d *Dir) AppendBelow(b []byte) []byte { return d.appendPath(b, nil) }

// ErrTooLarge means that a file has more bytes than ReadFile may return.
var ErrTooLarge = errors.New("the file is too large")

// contentKept is how many bytes a Reader keeps to read the next file into.
const contentKept = 1 << 20

// ReadFile returns what the file of the given name in d holds; a link is
// followed only if follow is set. What is no file holds nothing. The directory
// must be the one that its Reader lists, and what is returned is valid until it
// reads another file. The error is an *fs.PathError, with ErrTooLarge in it if
// the file has more than limit bytes.
func (d *Dir) ReadFile(name string, follow bool, limit int) ([]byte, error) {
	r := d.reader
	if !r.sys.local(d, []byte(name), follow) {
		r.waiting(true)
		defer r.waiting(false)
	}
	data, err := readFile(d, name, follow, limit, r.content[:0])
	for tries := 1; temporary(err) && tries < maxTries; tries++ {
		data, err = readFile(d, name, follow, limit, r.content[:0])
	}
	if r.content = data; cap(data) > contentKept {
		r.content = nil
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: string(d.reader.prefix) + name, Err: err}
	}
	return data, nil
}

// A Ref names a directory that is to be read: one below a directory that has
// been listed, a root, or one that a Reader suspended.
type Ref struct {
	Tag uint32 // is for the Ref's user, who finds it again in Dir.Tag

	follow bool // it may be a link
	byPath bool // it does not hold dir's handle
	resume bool // dir is open
	dir    *Dir
	name   []byte // below dir; nil: dir itself
}

// Root returns a Ref to a root directory, which is opened by path. The paths of
// its entries begin with label instead, and a slash where label has none at its
// end and is not empty. The number is found again in Dir.Root.
func Root(path, label string, number int) Ref {
	d := &Dir{root: &root{
		number: number,
		path:   append([]byte(path), 0)[:len(path)],
		base:   withSlash(path),
		label:  withSlash(label),
	}}
	d.life.Store(needDir | needHandle)
	return Ref{dir: d, follow: true}
}

func withSlash(path string) []byte {
	if needsSlash(path) {
		path += "/"
	}
	return []byte(path)
}

// withoutSlash returns a path without the slash that is after it, which is not that of
// a root or of a drive's.
func withoutSlash(path []byte) []byte {
	n := len(path)
	if n < 2 || !os.IsPathSeparator(path[n-1]) || !needsSlash(string(path[:n-1])) {
		return path
	}
	return path[:n-1]
}

// needsSlash reports whether a slash must come after path, for names to be below it.
// On Windows C: is the working directory on that drive, and C:/ another.
func needsSlash(path string) bool {
	n := len(path)
	drive := os.PathSeparator == '\\' && n == 2 && path[1] == ':'
	return n > 0 && !os.IsPathSeparator(path[n-1]) && !drive
}

// Detach lets go of the parent's handle, for a Ref of an entry that will wait
// long: the directory is then opened by its path. It returns the Ref to use from
// then on.
func (ref Ref) Detach() Ref {
	ref.dir.dropHandle()
	ref.byPath = true
	return ref
}

// Suspended reports whether ref is of a directory that a Reader suspended.
func (ref Ref) Suspended() bool { return ref.resume }

// Depth returns the depth of the directory that ref names.
func (ref Ref) Depth() int {
	if ref.name == nil {
		return ref.dir.Depth
	}
	return ref.dir.Depth + 1
}

// Beside reports whether ref names a directory in the same one as the directory that r
// opens or lists.
func (r *Reader) Beside(ref Ref) bool {
	return r.dir != nil && ref.name != nil && ref.dir == r.dir.parent
}

// AppendPath appends the path of the directory that ref names, as reached from
// its root and with a slash after it, to b and returns the extended slice.
func (ref Ref) AppendPath(b []byte) []byte {
	b = ref.dir.appendPath(b, ref.dir.root.label)
	if ref.name != nil {
		b = append(append(b, ref.name...), '/')
	}
	return b
}

// appendPath appends to b the path of d, with a slash after it, that begins
// with base for the root. No recursion: there may be tens of thousands of
// elements.
func (d *Dir) appendPath(b, base []byte) []byte {
	size := len(base)
	for p := d; p.parent != nil; p = p.parent {
		size += len(p.name) + 1
	}
	b = slices.Grow(b, size)
	end := len(b) + size
	b = append(b, base...)[:end]
	for p := d; p.parent != nil; p = p.parent {
		end--
		b[end] = '/'
		end -= copy(b[end-len(p.name):], p.name)
	}
	return b
}
