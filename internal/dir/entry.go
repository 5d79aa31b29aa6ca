package dir

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"sync"
)

// An Entry is one name in a directory, as listed. It is valid until its Reader's next call of
// Next, Open, Root or Suspend.
type Entry struct {
	Dir  *Dir
	Name []byte      // the basename: any bytes but '/' and NUL; for a root that is a file, its last element
	Type fs.FileMode // the type bits only; fs.ModeIrregular where the system does not say
	Tag  uint32      // for the caller; a Ref of the entry gets it
	Node Node        // of a directory, in the Recording of its root

	sys      sysEntry // the rest of what the listing gave
	followed bool     // Type and Info are of the link's target
	renamed  bool     // Node, unless it is 0, was recorded with another name
	info     *Info
}

// Hidden reports whether the entry is hidden: its name begins with a dot or, on Windows, it
// has the hidden attribute.
func (e *Entry) Hidden() bool { return e.Name[0] == '.' || e.sys.hidden() }

// Remote reports whether listing the directory e would download it, because its content is in
// the cloud.
func (e *Entry) Remote() bool { return e.sys.remote() }

// Automount reports whether opening the directory e would mount a file system on it.
func (e *Entry) Automount() bool { return e.sys.automount() }

// Depth returns the number of levels between the entry and its root: 1 for the entries of a
// root, 0 for a file given as a root.
func (e *Entry) Depth() int { return e.Dir.Depth + 1 }

// AppendPath appends the entry's path, beginning with the label of its root, to b and returns
// the extended slice.
func (e *Entry) AppendPath(b []byte) []byte {
	b = append(b, e.Dir.reader.prefix...)
	return append(b, e.Name...)
}

// AppendBelow is like AppendPath, with the path relative to the root. That of a root itself is empty.
func (e *Entry) AppendBelow(b []byte) []byte {
	if e.Dir.Depth < 0 {
		return b
	}
	b = append(b, e.Dir.reader.prefix[len(e.Dir.root.label):]...)
	return append(b, e.Name...)
}

// AppendAbsolute is like AppendPath, with the absolute path that Ref.WithAbsolute has given to
// the root.
func (e *Entry) AppendAbsolute(b []byte) []byte {
	absolute := e.Dir.root.absolute
	if e.Dir.Depth < 0 {
		return append(b, withoutSlash(absolute)...)
	}
	return e.AppendBelow(append(b, absolute...))
}

// Extension returns the part of name after the last dot; nil if there is no dot but at the
// beginning.
func Extension(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return nil
}

// Path returns the entry's path, beginning with the label of its root.
func (e *Entry) Path() string { return string(e.AppendPath(nil)) }

// waiting is called before the system is asked about e. It returns whether the system is
// certain to answer at once.
func (e *Entry) waiting(follow bool) (local bool) {
	r := e.Dir.reader
	local = r.sys.local(e.Dir, e.Name, follow)
	if !local {
		r.waiting(true)
	}
	return local
}

// answered is called after the system was asked.
func (e *Entry) answered(local bool) {
	if !local {
		e.Dir.reader.waiting(false)
	}
}

// asked counts a system call for e.
func (e *Entry) asked() { e.Dir.reader.calls.Entry++ }

// MountedInItself reports whether e is a directory that contains itself, because a directory
// above it is mounted on it (mount --bind). A walk that entered it would count all entries
// again.
func (e *Entry) MountedInItself() bool { return mountedInItself(e) }

// Mounted reports whether the directory e is on another mount than its directory. Where the
// system does not say so, only mounts of other devices are known.
func (e *Entry) Mounted() bool { return mounted(e) }

// Open opens a regular file, or the one that a followed link leads to, for reading. It does
// not block on anything else, such as a named pipe, and does not download what is in the
// cloud. The caller must close the file. The error is an *fs.PathError; it wraps ErrNotRegular
// if the entry is not a regular file.
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

// Remove removes the entry: a link itself, not its target; a directory only if it is empty.
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

// Move renames the entry to a name in another open directory of the same file system: a link itself,
// not its target. What has that name already is not replaced: the error wraps fs.ErrExist. It wraps
// errors.ErrUnsupported where entries cannot be moved. The error is an *fs.PathError.
func (e *Entry) Move(to *os.File, name string) error {
	local := e.waiting(false)
	err := move(e, to, name)
	e.answered(local)
	if err != nil {
		return &fs.PathError{Op: "move", Path: e.Path(), Err: err}
	}
	return nil
}

// isDir reports whether the entry itself is a directory.
func (e *Entry) isDir() bool { return e.Type == fs.ModeDir && !e.followed }

// Empty reports whether the directory e has no entries. The error is an *fs.PathError.
func (e *Entry) Empty() (bool, error) {
	found, err := e.Any(func(*Entry) bool { return true })
	return !found && err == nil, err
}

// Any lists the directory e and reports whether test is true for one of its entries; it stops
// at the first. A directory that would be downloaded or mounted is not listed. The error is an
// *fs.PathError.
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
	ref := e.ownRef()
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

// ownRef is Ref, also for a root.
func (e *Entry) ownRef() Ref {
	if root := e.Dir.root; e.Dir.Depth < 0 {
		return Root(string(root.path), string(root.label), root.number)
	}
	return e.Ref()
}

// probes are Readers to look into a directory while another one is listed.
var probes = sync.Pool{New: func() any { return NewReader(0) }}

// Ref returns a reference to the directory e. Any Reader can open it, even after the entry is
// no longer valid. A Ref must be given to Open or Drop, exactly once.
func (e *Entry) Ref() Ref {
	d := e.Dir
	if !d.decided {
		d.reader.anchorChildren(d)
	}
	d.life.Add(needDir | needHandle)
	name := e.Name
	if !d.recalled { // a Recording keeps its names
		name = d.keepName(name)
	}
	return Ref{Tag: e.Tag, node: e.Node, renamed: e.renamed && e.Node != 0, dir: d, name: name, follow: e.followed || e.sys.served()}
}
