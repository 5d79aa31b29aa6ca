// Package dir reads directories: it turns what the operating system's own
// directory call answers into entries, without an allocation or a system call
// per entry. It is the only package that makes directory system calls.
//
// Policy (what is hidden, ignored, too deep, or already seen) is not known
// here; package walk has it.
package dir

import (
	"io/fs"
	"slices"
	"sync/atomic"
)

// A Dir is a directory: its place in the tree, and while it is listed, or children are to be
// opened below it, its handle. A Reader makes and recycles it: a Dir is valid while an Entry
// or a Ref of it is, and no longer.
type Dir struct {
	Depth int // a root is 0; what holds a file given as root is -1

	// Context is opaque to dir; a child inherits it.
	Context any
	Tag     uint32 // that of the Ref by which the Dir was opened

	root   *root
	parent *Dir
	name   []byte  // below parent, with a NUL after it; nil for a root
	names  []byte  // the names of children that were queued; filled up, never rewritten
	reader *Reader // that lists it, or did last
	sys    sysDir  // the handle, if it is open
	open   bool    // sys is to be closed
	begun  bool    // Open or Enter has succeeded
	holds  bool    // a reference to its parent's handle, until it is left
	follow bool    // it was opened through a link
	byPath bool    // its parent's handle may be closed

	// Children are opened below the anchor, see handles.go. It is chosen, and shared
	// says whether it is the Dir itself, when the first Ref of a child is made.
	decided, shared bool
	anchor          *Dir

	// life counts references: in the low half those to the handle (the Reader's, and
	// children not yet opened), in the high half those to the Dir, for its path (the
	// same, and children that are Dirs).
	life atomic.Int64
}

// A root is where a walk starts.
type root struct {
	number int
	path   []byte // to open, with a NUL after it
	base   []byte // what its children's paths begin with, ending in a slash
	label  []byte // what is printed instead: "", or ending in a slash
	sysRoot
}

const (
	needHandle = 1
	needDir    = 1 << 32
)

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

// AppendEntry appends an entry of d to the batch and returns the extended slice. The Reader must
// have entered d. After the name comes a NUL; both stay as they are while the entry is valid.
func (d *Dir) AppendEntry(batch []Entry, name []byte, kind fs.FileMode) []Entry {
	return append(batch, Entry{Dir: d, Name: name, Type: kind})
}

// Remove removes d, which must be empty. It is for the function that OnLeave was given. The error
// is an *fs.PathError. A root is not removed.
func (d *Dir) Remove() error {
	err := errRoot
	if r := d.reader; d.parent != nil {
		at, below := r.wayTo(d, !d.holds)
		r.waiting(true)
		err = r.sys.removeDir(d, at, below[:len(below)-1])
		r.waiting(false)
	}
	if err != nil {
		return &fs.PathError{Op: "remove", Path: string(withoutSlash(d.appendPath(nil, d.root.label))), Err: err}
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

// Root returns the number of the root that d was reached from.
func (d *Dir) Root() int { return d.root.number }

// AppendBelow appends d's path below its root, with a slash after it unless d is
// the root, to b and returns the extended slice.
func (d *Dir) AppendBelow(b []byte) []byte { return d.appendPath(b, nil) }

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
