package dir

import "os"

// A Ref names a directory that is to be read: one below a directory that has
// been listed, a root, or one that a Reader suspended.
type Ref struct {
	Tag uint32 // is for the Ref's user, who finds it again in Dir.Tag

	follow bool // it may be a link
	byPath bool // it does not hold dir's handle
	resume bool // dir is open
	dir    *Dir
	name   []byte // below dir; nil: dir itself
}

// Root returns a Ref to a root directory, which is opened by path. The paths of
// its entries begin with label instead, and a slash where label has none at its
// end and is not empty. The number is found again in Dir.Root.
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

func withSlash(path string) []byte {
	if needsSlash(path) {
		path += "/"
	}
	return []byte(path)
}

// withoutSlash returns a path without the slash that is after it, which is not that of
// a root or of a drive's.
func withoutSlash(path []byte) []byte {
	n := len(path)
	if n < 2 || !os.IsPathSeparator(path[n-1]) || !needsSlash(string(path[:n-1])) {
		return path
	}
	return path[:n-1]
}

// needsSlash reports whether a slash must come after path, for names to be below it.
// On Windows C: is the working directory on that drive, and C:/ another.
func needsSlash(path string) bool {
	n := len(path)
	drive := os.PathSeparator == '\\' && n == 2 && path[1] == ':'
	return n > 0 && !os.IsPathSeparator(path[n-1]) && !drive
}

// Detach lets go of the parent's handle, for a Ref of an entry that will wait
// long: the directory is then opened by its path. It returns the Ref to use from
// then on.
func (ref Ref) Detach() Ref {
	ref.dir.dropHandle()
	ref.byPath = true
	return ref
}

// Suspended reports whether ref is of a directory that a Reader suspended.
func (ref Ref) Suspended() bool { return ref.resume }

// Depth returns the depth of the directory that ref names.
func (ref Ref) Depth() int {
	if ref.name == nil {
		return ref.dir.Depth
	}
	return ref.dir.Depth + 1
}

// Beside reports whether ref names a directory in the same one as the directory that r
// opens or lists.
func (r *Reader) Beside(ref Ref) bool {
	return r.dir != nil && ref.name != nil && ref.dir == r.dir.parent
}

// AppendPath appends the path of the directory that ref names, as reached from
// its root and with a slash after it, to b and returns the extended slice.
func (ref Ref) AppendPath(b []byte) []byte {
	b = ref.dir.appendPath(b, ref.dir.root.label)
	if ref.name != nil {
		b = append(append(b, ref.name...), '/')
	}
	return b
}
