// Package index keeps recordings of directory trees: the names and types in each directory,
// and a stamp of it. While a directory's stamp is the recorded one, its names and types are
// those in the recording, and need not be read.
//
// A recording is a snapshot, which is mapped into memory, and a log of what has changed since
// (format.go has both). Readers take no lock. A writer replaces the snapshot as a whole or
// appends to the log; the lock file admits one at a time.
//
// A damaged part is never an answer: Fresh reports false for it, and the caller reads the
// directory itself.
package index

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
)

var (
	// ErrDamaged means that a recording is not what was written: torn, flipped or cut.
	ErrDamaged = errors.New("the recording is damaged")
	// ErrVersion means that another version of ldx has written the recording.
	ErrVersion = errors.New("the recording has another version")
	// ErrOwner means that a recording, or its directory, belongs to another user or may be
	// written by others.
	ErrOwner = errors.New("the recording is not private to this user")
	// ErrLocked means that another process writes the recording.
	ErrLocked = errors.New("the recording is being written")
	// ErrStale means that the recording has been written since it was opened.
	ErrStale = errors.New("the recording has changed")
	// ErrTooLarge means that there are more entries than the format can number.
	ErrTooLarge = errors.New("too many entries to record")
)

// A Node is a directory in a recording. It is a hint, never a proof: the stamp decides. The
// zero value is no directory.
type Node uint32

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
	Directories int       // in the snapshot
	Entries     int       // in the snapshot
	Size        int64     // of the snapshot, in bytes
	LogSize     int64     // of the log, in bytes
}

// Info returns a description of the recording.
func (r *Recording) Info() Info {
	s := &r.snap
	return Info{
		Root: s.root, Created: time.Unix(0, s.created), Directories: s.nodes(), Entries: len(s.types),
		Size: int64(len(s.data)), LogSize: int64(r.log.size),
	}
}

// Due reports whether the snapshot should be written anew: the log is more than a tenth of
// it, or a part that was asked for is damaged.
func (r *Recording) Due() bool {
	return r.damaged.Load() || r.log.size*10 > len(r.snap.data)
}

// Damaged reports whether a part that was asked for is damaged.
func (r *Recording) Damaged() bool { return r.damaged.Load() }

// Root returns the node of an absolute, clean path that is the recording's root or below it;
// 0 if it is not recorded.
func (r *Recording) Root(absolute string) Node {
	rest, within := below(r.snap.root, absolute)
	n := rootNode
	for within && rest != "" && n != 0 {
		end := strings.IndexFunc(rest, isSeparator)
		if end < 0 {
			end = len(rest)
		}
		n = r.Child(n, []byte(rest[:end]))
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

// Fresh reports whether the directory with the stamp now still has the entries recorded for n:
// the stamp is equal, it was stable, and the file system is trusted. It also checks what is
// recorded, so that Append does not fail after it.
func (r *Recording) Fresh(n Node, now Stamp) bool {
	d, ok := r.directory(n)
	return ok && d.flags&(stable|trusted) == stable|trusted && d.stamp == now && r.whole(n, &d)
}

// Check returns ErrDamaged if the recorded entries of n are damaged. A caller that does not
// ask Fresh asks Check before it enters a directory.
func (r *Recording) Check(n Node) error {
	if d, ok := r.directory(n); !ok || !r.whole(n, &d) {
		return ErrDamaged
	}
	return nil
}

// Append appends the recorded entries of n to batch, as entries of d, and returns the extended
// slice. The Tag of a directory is its Node. A Reader must have entered d. If what is recorded
// is damaged, Append returns batch as it was and ErrDamaged. Entries are valid as long as d
// and the Recording.
func (r *Recording) Append(n Node, d *dir.Dir, batch []dir.Entry) ([]dir.Entry, error) {
	rec, ok := r.directory(n)
	if !ok || !r.sound(n, &rec) {
		return batch, ErrDamaged
	}
	first, names, child := len(batch), rec.names, 0
	for _, kind := range rec.types {
		end := bytes.IndexByte(names, 0)
		if end <= 0 || kind >= kinds || kind == kindDir && child == len(rec.children) {
			r.damaged.Store(true)
			return batch[:first], ErrDamaged
		}
		batch = d.AppendEntry(batch, names[:end:end+1], kindModes[kind])
		names = names[end+1:]
		if kind == kindDir {
			batch[len(batch)-1].Tag = uint32(r.childOf(n, nodeAt(rec.children, child)))
			child += nodeSize
		}
	}
	return batch, nil
}

// Child returns the node of the directory with the given name in n; 0 if there is none. It
// takes time proportional to the number of entries of n.
func (r *Recording) Child(n Node, name []byte) Node {
	d, ok := r.directory(n)
	if !ok || !r.whole(n, &d) {
		return 0
	}
	names, child := d.names, 0
	for _, kind := range d.types {
		end := bytes.IndexByte(names, 0)
		if kind == kindDir {
			if bytes.Equal(names[:end], name) {
				return r.childOf(n, nodeAt(d.children, child))
			}
			child += nodeSize
		}
		names = names[end+1:]
	}
	return 0
}

// childOf returns child if parent is recorded as its parent; else 0. As every directory but
// the root has one parent, a walk from the root cannot loop, whatever the file says.
func (r *Recording) childOf(parent, child Node) Node {
	if d, ok := r.directory(child); ok && d.parent == parent && child != rootNode {
		return child
	}
	return 0
}

// directory returns what is recorded of n. Its fields are intact; what they refer to is
// within bounds, and not checked yet.
func (r *Recording) directory(n Node) (d directory, ok bool) {
	if at, is := r.log.at[n]; is {
		return decodeDelta(r.log.data[at:])
	}
	if n == 0 || int64(n) > int64(r.snap.nodes()) {
		return d, false
	}
	if d, ok = r.snap.directory(n); !ok {
		r.damaged.Store(true)
	}
	return d, ok
}

// sound reports whether the bytes that d refers to have their checksum.
func (r *Recording) sound(n Node, d *directory) bool {
	if _, logged := r.log.at[n]; logged {
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
