package dir

import "os"

// A Ref refers to a directory to be listed: a root, a directory found in another, or one that
// a Reader suspended.
type Ref struct {
	Tag uint32 // for the caller; Dir.Tag gets it

	follow  bool // it may be a link
	byPath  bool // it does not hold dir's handle
	resume  bool // dir is open
	renamed bool // node was recorded with another name
	dir     *Dir
	name    []byte // in dir; nil: dir itself
	node    Node   // in the Recording
}

// Root returns a Ref to a root directory, which is opened by path. The paths of its entries
// begin with label instead; a slash is added unless label is empty or ends in one. Dir.Root
// returns number.
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

// WithAbsolute sets the absolute path of a root, for Entry.AppendAbsolute, and returns the Ref.
func (ref Ref) WithAbsolute(path string) Ref {
	ref.dir.root.absolute = withSlash(path)
	return ref
}

// WithRecording sets what is recorded of a root, which is the node n, and returns the Ref. The
// entries of a directory that has the recorded stamp are taken from there; with unverified
// nothing is compared, and what is not recorded is empty.
func (ref Ref) WithRecording(rec Recording, n Node, unverified bool) Ref {
	ref.dir.root.recording, ref.dir.root.unverified, ref.dir.node = rec, unverified, n
	return ref
}

func withSlash(path string) []byte {
	if needsSlash(path) {
		path += "/"
	}
	return []byte(path)
}

// withoutSlash returns path without the slash at its end, unless that is part of the name of a
// root directory or a drive.
func withoutSlash(path []byte) []byte {
	n := len(path)
	if n < 2 || !os.IsPathSeparator(path[n-1]) || !needsSlash(string(path[:n-1])) {
		return path
	}
	return path[:n-1]
}

// needsSlash reports whether names below path need a slash after it. On Windows C: is the
// current directory on that drive, and C:/ another directory.
func needsSlash(path string) bool {
	n := len(path)
	drive := os.PathSeparator == '\\' && n == 2 && path[1] == ':'
	return n > 0 && !os.IsPathSeparator(path[n-1]) && !drive
}

// Detach drops the parent's handle, for a Ref that will wait long: the directory will be
// opened by its path. It returns the Ref to use from then on.
func (ref Ref) Detach() Ref {
	ref.dir.dropHandle()
	ref.byPath = true
	return ref
}

// Suspended reports whether ref refers to a suspended directory.
func (ref Ref) Suspended() bool { return ref.resume }

// Depth returns the depth of the directory that ref names.
func (ref Ref) Depth() int {
	if ref.name == nil {
		return ref.dir.Depth
	}
	return ref.dir.Depth + 1
}

// Beside reports whether ref names a directory with the same parent as the directory that r
// opens or lists.
func (r *Reader) Beside(ref Ref) bool {
	return r.dir != nil && ref.name != nil && ref.dir == r.dir.parent
}

// AppendPath appends the path of the directory that ref names, beginning with the label of its
// root and ending in a slash, to b and returns the extended slice.
func (ref Ref) AppendPath(b []byte) []byte {
	b = ref.dir.appendPath(b, ref.dir.root.label)
	if ref.name != nil {
		b = append(append(b, ref.name...), '/')
	}
	return b
}
