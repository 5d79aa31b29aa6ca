package index

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/state"
)

// A listing is a directory to be written.
type listing struct {
	node Node
	name []byte // in the parent
	directory
}

// set makes l the directory that was read.
func (l *listing) set(read *dir.Listing) {
	d := directory{
		parent: read.Parent, stamp: read.Stamp,
		types: l.types[:0], children: l.children[:0], names: append(l.names[:0], read.Names...),
	}
	for i, mode := range read.Types {
		if mode == fs.ModeDir {
			d.children = binary.LittleEndian.AppendUint32(d.children, 0)
			d.children = binary.LittleEndian.AppendUint32(d.children, read.Starts[i])
		}
		d.types = append(d.types, kindOf(mode))
	}
	*l = listing{read.Node, read.Name, d}
}

// A writer collects directories: all of a new snapshot, or those of a recording that have
// changed. Its methods are safe for concurrent use.
type writer struct {
	// slack is the age below which a stamp proves nothing.
	slack time.Duration

	root     string
	trusts   []string   // file systems that are trusted on request
	base     *Recording // that is brought up to date; nil for a new snapshot
	heals    bool       // the walk is a search: nothing of file systems that are not trusted is added
	complete bool       // a new directory that was not collected becomes dir.Excluded
	next     atomic.Uint64

	mu        sync.Mutex
	recorders []*recorder
}

// newWriter returns a writer for a new snapshot of the tree below an absolute, clean path. The
// first Node is the root. File systems of the names in trusts are trusted.
func newWriter(root string, trusts []string) *writer {
	return &writer{root: root, trusts: trusts, slack: state.Slack}
}

// newUpdate returns a writer for what has changed in a recording. New directories get new
// numbers; the others keep theirs. The recording must stay open until the writer is written.
func newUpdate(r *Recording) *writer {
	w := newWriter(r.snap.root, r.snap.trusts)
	w.base = r
	w.next.Store(uint64(max(Node(r.snap.nodes()), r.log.last)))
	return w
}

func (w *writer) newNode() Node { return Node(min(w.next.Add(1), math.MaxUint32-1)) }

// recorder returns a recorder of w, for one goroutine.
func (w *writer) recorder() *recorder {
	r := &recorder{w: w}
	w.mu.Lock()
	w.recorders = append(w.recorders, r)
	w.mu.Unlock()
	return r
}

// A recorder keeps directories in memory until its writer is written.
type recorder struct {
	w        *writer
	block    []byte
	payloads []payload
	own      listing          // scratch
	trusts   map[uint64]trust // by device
}

// A payload is a directory as the log has it; see putDelta.
type payload struct {
	node, parent Node
	data         []byte
}

// Node returns the number of one more directory. It is that of dir.Recorder.
func (r *recorder) Node(int) Node { return r.w.newNode() }

// Record adds a directory, unless the recording that is brought up to date has the same of it.
// It is that of dir.Recorder. Directories may come in any order. The record of one that could
// not be read is empty, and proves nothing.
func (r *recorder) Record(read *dir.Listing, d *dir.Dir) {
	l := &r.own
	l.set(read)
	if read.Stamp.Stable(read.Began, r.w.slack) {
		l.flags |= stable
	}
	if isASCII(read.Names) {
		l.flags |= ascii
	}
	if read.Unread {
		l.flags = trusted
	} else if trust := r.trust(read.Stamp.Device, d); trust == noFiles || trust != keepsTimes && r.w.heals {
		return // others change it all the time
	} else if trust == keepsTimes {
		l.flags |= trusted
	}
	if base := r.w.base; base != nil {
		old, ok := base.directory(l.node)
		if l.parent == 0 && l.node != rootNode { // where a search began
			if !ok {
				return
			}
			l.parent = old.parent
		}
		if ok && !read.Renamed && old.parent == l.parent && l.same(&old) {
			return
		}
	}
	r.add(l)
}

// trust returns what is known of the file system of d, which is on that device.
func (r *recorder) trust(device uint64, d *dir.Dir) trust {
	known, ok := r.trusts[device]
	if !ok {
		name, err := d.FileSystem()
		switch known = trustOf(name); {
		case err != nil:
			known = keepsNames
		case known == noFiles:
		case slices.Contains(r.w.trusts, name):
			known = keepsTimes
		}
		if r.trusts == nil {
			r.trusts = map[uint64]trust{}
		}
		r.trusts[device] = known
	}
	return known
}

// same reports whether d and old have the same entries, and prove as much.
func (d *directory) same(old *directory) bool {
	proof := d.flags == old.flags && (d.flags&(stable|trusted) != stable|trusted || d.stamp == old.stamp)
	return proof && bytes.Equal(d.types, old.types) && bytes.Equal(d.names, old.names)
}

// blockSize is the capacity of a block, for a few hundred directories.
const blockSize = 256 << 10

// add keeps a copy of the listing. Of its children only those are kept that are dir.Excluded.
func (r *recorder) add(l *listing) {
	size := deltaSize + len(l.name) + len(l.types) + len(l.children) + len(l.names)
	if size > cap(r.block)-len(r.block) {
		r.block = make([]byte, 0, max(size, blockSize))
	}
	from := len(r.block)
	r.block = putDelta(r.block, l.node, l.name, &l.directory)
	p := r.block[from:len(r.block):len(r.block)]
	copied, _ := decodeDelta(p)
	for i := range copied.childCount() {
		if childNode(copied.children, i) != dir.Excluded {
			setChildNode(copied.children, i, 0)
		}
	}
	r.payloads = append(r.payloads, payload{l.node, l.parent, p})
}

// empty reports whether no directory was added.
func (w *writer) empty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.recorders {
		if len(r.payloads) > 0 {
			return false
		}
	}
	return true
}

// collect returns the payloads and the parents of all directories by their nodes. The last one
// added wins.
func (w *writer) collect() (payloads [][]byte, parents []Node, err error) {
	last := w.next.Load()
	if last >= math.MaxUint32-1 {
		return nil, nil, ErrTooLarge
	}
	payloads, parents = make([][]byte, last+1), make([]Node, last+1)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.recorders {
		for _, p := range r.payloads {
			if uint64(p.node) <= last {
				payloads[p.node], parents[p.node] = p.data, p.parent
			}
		}
	}
	return payloads, parents, nil
}
