package dir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

// An Entry is one name in a directory, as the directory's listing gave it. It
// is valid until its Reader's next call of Next, Open, Root or Suspend.
type Entry struct {
	Dir  *Dir
	Name []byte      // the basename's bytes, any but '/' and NUL; a file given as root: its last element
	Type fs.FileMode // the type bits alone; fs.ModeIrregular where the system does not say
	Tag  uint32      // is for the Entry's user, and that of a Ref that is made of it

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

// ErrNotRegular means that something is no regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a regular file to be read, or one that a followed link leads to. It does not wait
// for what others may never answer, as a named pipe, nor fetch what is in the cloud. The file
// is the caller's to close. The error is an *fs.PathError, with ErrNotRegular in it for what
// is something else.
func (e *Entry) Open() (*os.File, error) {
	if e.Remote() && !mayFetch.Load() {
		return nil, &fs.PathError{Op: "open", Path: e.Path(), Err: ErrRemote}
	}
	local := e.waiting(e.followed)
	f, err := openFile(e)
	e.answered(local)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: e.Path(), Err: err}
	}
	return f, nil
}

// Remove removes the entry: a link itself, never its target; a directory only if it is empty.
// The error is an *fs.PathError.
func (e *Entry) Remove() error {
	local := e.waiting(false)
	err := remove(e)
	e.answered(local)
	if err != nil {
		return &fs.PathError{Op: "remove", Path: e.Path(), Err: err}
	}
	return nil
}

// isDir reports whether the entry itself is a directory.
func (e *Entry) isDir() bool { return e.Type == fs.ModeDir && !e.followed }

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
	return Ref{Tag: e.Tag, dir: d, name: d.keepName(e.Name), follow: e.followed || e.sys.served()}
}
