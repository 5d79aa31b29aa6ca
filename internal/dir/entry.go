package dir

import (
	"bytes"
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

// asked counts a question to the system about e.
func (e *Entry) asked() { e.Dir.reader.calls.Entry++ }

// MountedInItself reports whether e is a directory that contains itself, because a
// directory above it is mounted there once more (mount --bind). Who entered it would count
// all entries again.
func (e *Entry) MountedInItself() bool { return mountedInItself(e) }

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
	var made tries
	_, err := r.Open(ref)
	for made.again(err) {
		_, err = r.Open(ref)
	}
	if err != nil {
		if temporary(err) {
			r.Drop(ref)
		}
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
