// Package dir lists directories. It makes entries from the records of the
// operating system's own directory call, without an allocation or a system call
// per entry. It is the only package that makes directory system calls.
//
// Policy (what is hidden, ignored, too deep or already seen) is in package walk.
package dir

import (
	"io/fs"
	"slices"
	"sync/atomic"
)

// A Dir is a directory: its place in the tree and, while it is listed or children will be
// opened below it, its handle. A Reader makes and recycles it: a Dir is valid as long as an
// Entry or a Ref of it.
type Dir struct {
	Depth int // 0 for a root; -1 for the parent of a file given as a root

	// Context is opaque to dir; a child inherits it.
	Context any
	Tag     uint32 // of the Ref by which the Dir was opened
	node    Node   // in the Recording of the root

	root   *root
	parent *Dir
	name   []byte  // in parent, with a NUL after it; nil for a root
	names  []byte  // names of children with a Ref; appended to, never rewritten
	reader *Reader // the Reader that lists it, or did last
	sys    sysDir  // the handle, if it is open
	open   bool    // sys must be closed
	begun  bool    // Open has succeeded
	holds  bool    // it has a reference to its parent's handle, until OnLeave
	follow bool    // it was opened through a link
	byPath bool    // its parent's handle may be closed

	renamed  bool     // it was recorded with another name
	recalled bool     // its entries come from the Recording
	listing  *Listing // what has been read of it, for a Recorder

	// Children are opened below the anchor, see handles.go. It is decided at the first
	// Ref of a child; shared means that it is the Dir itself.
	decided, shared bool
	anchor          *Dir

	// life counts references. The low half counts those to the handle: the Reader and
	// children not opened yet. The high half counts those to the Dir, for its path: the
	// same, and children that are Dirs.
	life atomic.Int64
}

// A root is where a walk starts.
type root struct {
	number int
	path   []byte // the path to open, with a NUL after it
	base   []byte // prefix of the paths of entries, ending in a slash
	label  []byte // prefix to print instead: "", or ending in a slash
	// absolute is the path that AppendAbsolute begins with, ending in a slash; nil: none.
	absolute []byte
	id       ID // of the directory that was opened; zero where the system does not say

	recording  Recording // nil: none
	unverified bool      // the stamps are not compared
}

const (
	needHandle = 1
	needDir    = 1 << 32
)

// keepName copies a name, with a NUL after it, to memory that stays until d is recycled. A
// full arena is left to the names in it and replaced, so that a directory with a million
// children keeps only the names of queued ones.
func (d *Dir) keepName(name []byte) []byte {
	const minSize, maxSize = 64, 4 << 10
	n, size := len(d.names), len(name)+1
	if n+size > cap(d.names) {
		d.names = make([]byte, 0, max(size, min(maxSize, max(minSize, 2*cap(d.names)))))
		n = 0
	}
	d.names = append(append(d.names, name...), 0)
	return d.names[n : n+size-1 : n+size]
}

// AppendEntry appends an entry of d to the batch and returns the extended slice, for a
// Recording. d must be the current directory of its Reader. name must be followed by a NUL, and both must not change while the
// entry is valid.
func (d *Dir) AppendEntry(batch []Entry, name []byte, kind fs.FileMode, node Node) []Entry {
	return append(batch, Entry{Dir: d, Name: name, Type: kind, Node: node})
}

// Remove removes d, which must be empty. It may only be called by the function of OnLeave. A
// root is not removed. The error is an *fs.PathError.
func (d *Dir) Remove() error {
	err := ErrRoot
	if r := d.reader; d.parent != nil {
		at, below := r.wayTo(d, !d.holds)
		r.waiting(true)
		err = r.sys.removeDir(d, at, below[:len(below)-1])
		r.waiting(false)
	}
	if err != nil {
		return &fs.PathError{Op: "remove", Path: string(withoutSlash(d.AppendPath(nil))), Err: err}
	}
	return nil
}

// close closes the handle, if it is open.
func (d *Dir) close() {
	if d.open {
		d.open = false
		d.sys.close()
	}
}

// Root returns the number of the root that d is below.
func (d *Dir) Root() int { return d.root.number }

// AppendPath appends d's path, beginning with the label of its root, to b and returns the
// extended slice. The path ends in a slash, unless it is empty.
func (d *Dir) AppendPath(b []byte) []byte { return d.appendPath(b, d.root.label) }

// AppendBelow appends d's path relative to its root to b and returns the extended slice. The
// path ends in a slash, unless d is the root.
func (d *Dir) AppendBelow(b []byte) []byte { return d.appendPath(b, nil) }

// contentKept is the size of the largest file buffer that a Reader keeps for the next file.
const contentKept = 1 << 20

// ReadFile returns the content of the file with the given name in d. A link is followed only
// if follow is set. The content of anything but a regular file is empty. d must be the
// directory that its Reader lists, and the content is valid until the next call. The error is
// an *fs.PathError; it wraps ErrTooLarge if the file has more than limit bytes.
func (d *Dir) ReadFile(name string, follow bool, limit int) ([]byte, error) {
	r := d.reader
	if !r.sys.local(d, []byte(name), follow) {
		r.waiting(true)
		defer r.waiting(false)
	}
	var made tries
	data, err := readFile(d, name, follow, limit, r.content[:0])
	for made.again(err) {
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

// appendPath appends the path of d to b, with a slash after it; base is the path of the root.
// It does not recurse: there may be tens of thousands of elements.
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
