// Package index keeps recordings of directory trees: the names and types in each directory,
// and a stamp of it. While a directory's stamp is the recorded one, its names and types are
// those in the recording, and need not be read.
//
// A recording is a snapshot, which is mapped into memory, and a log of what has changed since
// (format.go has both). Readers take no lock. A writer replaces the snapshot as a whole or
// appends to the log; the lock file admits one at a time.
//
// A damaged part is never an answer: Stamp or Append refuses it, and the directory is read
// itself.
package index

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/state"
)

var (
	// ErrDamaged means that a recording is not what was written: torn, flipped or cut.
	ErrDamaged = errors.New("the recording is damaged")
	// ErrVersion means that another version of ldx has written the recording.
	ErrVersion = errors.New("the recording has another version")
	// ErrOwner means that a recording, or its directory, belongs to another user or may be
	// written by others.
	ErrOwner = state.ErrOwner
	// ErrLocked means that another process writes the recording.
	ErrLocked = state.ErrLocked
	// ErrStale means that the recording has been written since it was opened.
	ErrStale = errors.New("the recording has changed")
	// ErrTooLarge means that there are more entries than the format can number.
	ErrTooLarge = errors.New("too many entries to record")
)

// A DamagedError means that a part of the recording of a tree is damaged. It has been read from
// the system instead.
type DamagedError struct{ Root string }

func (e *DamagedError) Error() string {
	return "the recording of " + e.Root + " was damaged in part, and that was read anew"
}

func (e *DamagedError) Unwrap() error { return ErrDamaged }

// A Node is the number of a directory in a recording.
type Node = dir.Node

// A Stamp is a state of a directory's names.
type Stamp = dir.Stamp

// rootNode is the root of every recording.
const rootNode Node = 1

// A Recording is a snapshot and its log, as they were when it was opened. It is safe for
// concurrent use, until it is closed.
type Recording struct {
	snap    snapshot
	log     deltas
	damaged atomic.Bool
}

// Close releases the memory. Entries that Append has made are no longer valid.
func (r *Recording) Close() error { return r.snap.close() }

// Info describes a recording.
type Info struct {
	Root        string    // the absolute path of its root
	Created     time.Time // when the snapshot was written
	Directories int
	Entries     int
	Size        int64 // of the snapshot, in bytes
	LogSize     int64 // of the log, in bytes
}

// Info returns a description of the recording. Directories that were removed count until the
// snapshot is written anew.
func (r *Recording) Info() Info {
	s := &r.snap
	info := Info{
		Root: s.root, Created: time.Unix(0, s.created), Directories: s.nodes(), Entries: len(s.types),
		Size: int64(len(s.data)), LogSize: int64(r.log.size),
	}
	for n, at := range r.log.at {
		d, _ := decodeDelta(r.log.data[at:])
		info.Entries += len(d.types)
		switch b, ok := s.record(n); {
		case !ok:
		case b == nil:
			info.Directories++
		default:
			old, _ := s.directory(b)
			info.Entries -= len(old.types)
		}
	}
	return info
}

// due reports whether the snapshot should be written anew: the log is more than a tenth of
// it, or a part that was asked for is damaged.
func (r *Recording) due() bool {
	return r.damaged.Load() || logDue(int64(r.log.size), len(r.snap.data))
}

// logDue reports whether a log of that size is to become part of the snapshot.
func logDue(size int64, snapshot int) bool { return size*10 > int64(snapshot) }

// isDamaged reports whether a part that was asked for is damaged.
func (r *Recording) isDamaged() bool { return r.damaged.Load() }

// Unproved returns the number of directories whose stamps prove nothing: those
// that were too young, and those on file systems that are not trusted.
func (r *Recording) Unproved() (young, untrusted int) {
	add := func(n Node) {
		switch d, ok := r.directory(n); {
		case !ok:
		case d.flags&trusted == 0:
			untrusted++
		case d.flags&stable == 0:
			young++
		}
	}
	for n := range r.snap.nodes() {
		add(Node(n + 1))
	}
	for n := range r.log.at {
		if !r.snap.has(n) {
			add(n)
		}
	}
	return young, untrusted
}

// node returns the node of an absolute, clean path that is the recording's root or below it;
// 0 if it is not recorded.
func (r *Recording) node(absolute string) Node {
	rest, within := below(r.snap.root, absolute)
	n := rootNode
	for within && rest != "" && n != 0 {
		end := strings.IndexFunc(rest, isSeparator)
		if end < 0 {
			end = len(rest)
		}
		n = r.child(n, []byte(rest[:end]))
		rest = strings.TrimLeftFunc(rest[end:], isSeparator)
	}
	if _, ok := r.directory(n); !within || !ok {
		return 0
	}
	return n
}

// below returns the part of path that is below root, and whether it is root or below it.
func below(root, path string) (rest string, within bool) {
	rest, within = strings.CutPrefix(path, root)
	switch {
	case !within || rest == "":
		return "", within
	case isSeparator(rune(rest[0])):
		return rest[1:], true
	}
	return rest, root != "" && isSeparator(rune(root[len(root)-1]))
}

func isSeparator(c rune) bool { return c < 0x80 && os.IsPathSeparator(byte(c)) }

// Stamp returns the stamp of n when it was recorded. proves is false if it was not stable, the
// file system is not trusted, or the record is damaged.
func (r *Recording) Stamp(n Node) (s Stamp, proves bool) {
	flags := uint32(0)
	if at, is := r.log.find(n); is {
		d, _ := decodeDelta(r.log.data[at:])
		s, flags = d.stamp, d.flags
	} else if b := r.record(n); b != nil {
		s, flags, _ = r.snap.stampIn(b)
	}
	return s, flags&(stable|trusted) == stable|trusted
}

// batchMax is the number of entries that Append appends at most.
const batchMax = 1024

// Append appends the recorded entries of n; see dir.Recording. If what is recorded is damaged,
// it returns batch as it was and ErrDamaged. Entries are valid as long as d and the Recording.
func (r *Recording) Append(n Node, d *dir.Dir, batch []dir.Entry, at *dir.Position, absent dir.AbsentFunc) ([]dir.Entry, error) {
	rec, ok := r.directory(n)
	if !ok || !r.sound(n, &rec) || at.Entry > len(rec.types) || at.Name > len(rec.names) {
		return batch, ErrDamaged
	}
	first, names := len(batch), rec.names[at.Name:]
	damaged := func() ([]dir.Entry, error) {
		r.damaged.Store(true)
		return batch[:first], ErrDamaged
	}
	if at.Entry == 0 && absent != nil && absent(names, rec.flags&ascii != 0) {
		for i := range rec.childCount() {
			child, name := rec.child(i)
			if !isName(name) {
				return damaged()
			}
			batch = d.AppendEntry(batch, name, fs.ModeDir, r.childOf(n, child))
		}
		at.LeftOut = len(rec.types) - rec.childCount()
		return batch, io.EOF
	}
	last := min(at.Entry+batchMax, len(rec.types))
	for _, kind := range rec.types[at.Entry:last] {
		end := bytes.IndexByte(names, 0)
		if end <= 0 || kind >= kinds || kind == kindDir && at.Child >= rec.childCount() {
			return damaged()
		}
		child := Node(0)
		if kind == kindDir {
			if !isName(names[:end]) {
				return damaged()
			}
			child = r.childOf(n, childNode(rec.children, at.Child))
			at.Child++
		}
		batch = d.AppendEntry(batch, names[:end:end+1], kindModes[kind], child)
		names = names[end+1:]
	}
	at.Entry, at.Name = last, len(rec.names)-len(names)
	if last == len(rec.types) {
		return batch, io.EOF
	}
	return batch, nil
}

// isName reports whether a directory may have the name.
func isName(name []byte) bool {
	return len(name) > 0 && bytes.IndexByte(name, '/') < 0 && (name[0] != '.' || string(name) != "." && string(name) != "..")
}

// Children appends the directories recorded in n to list, and returns the extended slice.
func (r *Recording) Children(n Node, list []dir.Child) []dir.Child {
	d, ok := r.directory(n)
	if !ok || !r.whole(n, &d) {
		return list
	}
	for i := range d.childCount() {
		c, name := d.child(i)
		if c = r.childOf(n, c); c != 0 {
			below, _ := r.directory(c)
			list = append(list, dir.Child{Name: name, Node: c, Inode: below.stamp.Inode})
		}
	}
	return list
}

// child returns the node of the directory with the given name in n; 0 if there is none.
func (r *Recording) child(n Node, name []byte) Node {
	for _, c := range r.Children(n, nil) {
		if bytes.Equal(c.Name, name) && c.Node != dir.Excluded {
			return c.Node
		}
	}
	return 0
}

// childOf returns child if parent is recorded as its parent, or if it is dir.Excluded; else 0.
// As every directory but the root has one parent, a walk from the root cannot loop, whatever
// the file says.
func (r *Recording) childOf(parent, child Node) Node {
	if child == dir.Excluded {
		return child
	}
	known := Node(0)
	if at, is := r.log.find(child); is {
		known = nodeAt(r.log.data[at:], deltaParent)
	} else if b := r.record(child); b != nil {
		known = nodeAt(b, 0)
	}
	if known != parent || child == rootNode {
		return 0
	}
	return child
}

// record returns the bytes of the snapshot's record of n; nil if there is none, or it is
// damaged.
func (r *Recording) record(n Node) []byte {
	b, ok := r.snap.record(n)
	if !ok {
		r.damaged.Store(true)
	}
	return b
}

// directory returns what is recorded of n. Its fields are intact; what they refer to is
// within bounds, and not checked yet.
func (r *Recording) directory(n Node) (d directory, ok bool) {
	if at, is := r.log.find(n); is {
		return decodeDelta(r.log.data[at:])
	}
	b := r.record(n)
	if b == nil {
		return d, false
	}
	if d, ok = r.snap.directory(b); !ok {
		r.damaged.Store(true)
	}
	return d, ok
}

// sound reports whether the bytes that d refers to have their checksum.
func (r *Recording) sound(n Node, d *directory) bool {
	if _, logged := r.log.find(n); logged {
		return true // checked when the log was read
	}
	ok := r.snap.sound(d)
	if !ok {
		r.damaged.Store(true)
	}
	return ok
}

// whole reports whether d is sound, and its parts agree.
func (r *Recording) whole(n Node, d *directory) bool {
	if !r.sound(n, d) {
		return false
	}
	ok := d.consistent()
	if !ok {
		r.damaged.Store(true)
	}
	return ok
}
