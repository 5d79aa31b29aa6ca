package index

import (
	"io/fs"
	"math"
	"sync"
	"sync/atomic"
)

// A Listing is one directory as it was read, for Recorder.Add. It may be used again after
// Reset.
type Listing struct {
	Node, Parent Node   // both from Writer.Node, or of the recording that is brought up to date; no Parent: the root
	Name         []byte // in the parent
	Stamp        Stamp
	// Stable means that the stamp was the same before and after the listing, and Stamp.Stable.
	// Trusted means that the file system keeps directory times. Without both, the entries are
	// recorded but never Fresh.
	Stable, Trusted bool

	types, names []byte
	dirs         int
}

// Append adds an entry. name must not be empty, and contain neither NUL nor a slash.
func (l *Listing) Append(name []byte, mode fs.FileMode) {
	kind := kindOf(mode)
	if kind == kindDir {
		l.dirs++
	}
	l.types = append(l.types, kind)
	l.names = append(append(l.names, name...), 0)
}

// Reset empties the Listing and keeps its memory.
func (l *Listing) Reset() { *l = Listing{types: l.types[:0], names: l.names[:0]} }

// A Writer collects directories: all of a new snapshot, or those of a recording that have
// changed. Its methods are safe for concurrent use.
type Writer struct {
	root string
	base *Recording // that is brought up to date; nil for a new snapshot
	next atomic.Uint64

	mu        sync.Mutex
	recorders []*Recorder
}

// NewWriter returns a Writer for a new snapshot of the tree below an absolute, clean path. The
// first Node is the root.
func NewWriter(root string) *Writer { return &Writer{root: root} }

// NewUpdate returns a Writer for what has changed in a recording. Node gives numbers to new
// directories; the others keep theirs. The recording must stay open until the Writer is
// written.
func NewUpdate(r *Recording) *Writer {
	w := &Writer{root: r.snap.root, base: r}
	w.next.Store(uint64(max(Node(r.snap.nodes()), r.log.last)))
	return w
}

// Node returns the number of one more directory. A directory gets its number after its parent.
// One that is not added, because it could not be read, is not recorded.
func (w *Writer) Node() Node { return Node(min(w.next.Add(1), math.MaxUint32)) }

// Recorder returns a Recorder of w, for one goroutine.
func (w *Writer) Recorder() *Recorder {
	r := &Recorder{}
	w.mu.Lock()
	w.recorders = append(w.recorders, r)
	w.mu.Unlock()
	return r
}

// A Recorder keeps listings in memory until its Writer is written. Only one goroutine may use
// it at a time.
type Recorder struct {
	block    []byte
	payloads [][]byte // one a directory
	zeros    []byte   // for children, which are not known yet
}

// blockSize is the capacity of a block, for a few hundred directories.
const blockSize = 256 << 10

// Add records a copy of the listing. Listings may come in any order.
func (r *Recorder) Add(l *Listing) {
	children := l.dirs * nodeSize
	if len(r.zeros) < children {
		r.zeros = make([]byte, 2*children)
	}
	d := directory{parent: l.Parent, stamp: l.Stamp, types: l.types, children: r.zeros[:children], names: l.names}
	if l.Stable {
		d.flags |= stable
	}
	if l.Trusted {
		d.flags |= trusted
	}
	size := deltaSize + len(l.Name) + len(l.types) + children + len(l.names)
	if size > cap(r.block)-len(r.block) {
		r.block = make([]byte, 0, max(size, blockSize))
	}
	from := len(r.block)
	r.block = putDelta(r.block, l.Node, l.Name, &d)
	r.payloads = append(r.payloads, r.block[from:len(r.block):len(r.block)])
}

// empty reports whether no directory was added.
func (w *Writer) empty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.recorders {
		if len(r.payloads) > 0 {
			return false
		}
	}
	return true
}

// collect returns the payloads of all directories by their node. The last one added wins.
func (w *Writer) collect() ([][]byte, error) {
	last := w.next.Load()
	if last >= math.MaxUint32 {
		return nil, ErrTooLarge
	}
	all := make([][]byte, last+1)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.recorders {
		for _, p := range r.payloads {
			if n := deltaNode(p); uint64(n) <= last {
				all[n] = p
			}
		}
	}
	return all, nil
}
