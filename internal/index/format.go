package index

import (
	"bytes"
	"encoding/binary"
	"io/fs"
)

// The snapshot. Numbers are little-endian.
//
//	header       magic 8, version 4, its length 4, its CRC-32C 4, root's length 4, id 8, created 8,
//	             number of devices 4, number of chunks 4, lengths of the four sections 8 each, length
//	             of the names of file systems 8; then the root, the names of file systems that are
//	             trusted on request, with commas, the devices 8 each, the CRC-32C of each chunk, zeros to a multiple of 64
//	directories  64 bytes each, see putDirectory; node 1, the root, is the first
//	types        a byte an entry
//	children     8 bytes a directory among the entries: its node, or 0, and where its name begins
//	             in the names of the directory that it is in
//	names        the names of the entries, each with a NUL after it
//
// The sections follow each other without a gap, and are cut into chunks. A directory's entries
// are a run of types, one of children and one of names, all in the order of the listing.
//
// The log.
//
//	header   see state.LogHeader; the id is the snapshot's
//	records  each a frame with a payload, see putDelta
//
// A record replaces what is known of a node. Nodes above those of the snapshot are new.
const (
	snapshotMagic = "ldxindex"
	logMagic      = "ldxdelta"
	version       = 1

	headerSize    = 88 // without the root, names, devices and checksums
	headerAlign   = 64
	directorySize = 64
	childSize     = 8
	deviceSize    = 8

	deltaSize = 64 // of a payload, without the name, types, children and names
)

// Flags of a directory.
const (
	stable  = 1 << iota // its stamp was older than the slack
	trusted             // its file system keeps directory times
	ascii               // all its names are in ASCII
)

// The types of entries.
const (
	kindUnknown = iota
	kindFile
	kindDir
	kindLink
	kindPipe
	kindSocket
	kindChar
	kindBlock
	kinds
)

var kindModes = [kinds]fs.FileMode{
	kindUnknown: fs.ModeIrregular, kindFile: 0, kindDir: fs.ModeDir, kindLink: fs.ModeSymlink, kindPipe: fs.ModeNamedPipe,
	kindSocket: fs.ModeSocket, kindChar: fs.ModeDevice | fs.ModeCharDevice, kindBlock: fs.ModeDevice,
}

// kindOf returns the byte for the type bits of a mode.
func kindOf(mode fs.FileMode) byte {
	switch mode.Type() {
	case 0:
		return kindFile
	case fs.ModeDir:
		return kindDir
	case fs.ModeSymlink:
		return kindLink
	case fs.ModeNamedPipe:
		return kindPipe
	case fs.ModeSocket:
		return kindSocket
	case fs.ModeDevice | fs.ModeCharDevice:
		return kindChar
	case fs.ModeDevice:
		return kindBlock
	}
	return kindUnknown
}

// A directory is what is recorded of one. Its slices are part of the file.
type directory struct {
	parent                 Node
	flags                  uint32
	stamp                  Stamp
	types, children, names []byte
}

// consistent reports whether there are as many names as types and as many children as
// directories, and every name is one.
func (d *directory) consistent() bool {
	return bytes.Count(d.names, []byte{0}) == len(d.types) &&
		(len(d.names) == 0 || d.names[0] != 0 && d.names[len(d.names)-1] == 0) &&
		!bytes.Contains(d.names, []byte{0, 0}) && bytes.IndexByte(d.names, '/') < 0 && !d.hasDots() &&
		d.childrenFit() && knownKinds(d.types)
}

// childrenFit reports whether each directory among the entries has its child, with its name.
func (d *directory) childrenFit() bool {
	child, name := 0, 0
	for _, kind := range d.types {
		if kind == kindDir {
			if child == d.childCount() || int(childName(d.children, child)) != name {
				return false
			}
			child++
		}
		name += bytes.IndexByte(d.names[name:], 0) + 1
	}
	return child == d.childCount()
}

// hasDots reports whether a directory among the entries is called . or .., which only a forged
// record has.
func (d *directory) hasDots() bool {
	for i := range d.childCount() {
		if _, name := d.child(i); !isName(name) {
			return true
		}
	}
	return false
}

func (d *directory) childCount() int { return len(d.children) / childSize }

// child returns the i-th child and its name, with its NUL left out; nil if it has none.
func (d *directory) child(i int) (node Node, name []byte) {
	from := int64(childName(d.children, i))
	if from > int64(len(d.names)) {
		return 0, nil
	}
	name = d.names[from:]
	if end := bytes.IndexByte(name, 0); end > 0 {
		return childNode(d.children, i), name[: end : end+1]
	}
	return 0, nil
}

func knownKinds(types []byte) bool {
	for _, kind := range types {
		if kind >= kinds {
			return false
		}
	}
	return true
}

// nodeAt returns the node at an offset of b.
func nodeAt(b []byte, at int) Node { return Node(binary.LittleEndian.Uint32(b[at:])) }

func childNode(children []byte, i int) Node { return nodeAt(children, i*childSize) }

func childName(children []byte, i int) uint32 {
	return binary.LittleEndian.Uint32(children[i*childSize+4:])
}

func setChildNode(children []byte, i int, n Node) {
	binary.LittleEndian.PutUint32(children[i*childSize:], uint32(n))
}

// isASCII reports whether all bytes are below 0x80.
func isASCII(text []byte) bool {
	const highs = 0x8080808080808080
	var set uint64
	for ; len(text) >= 8; text = text[8:] {
		set |= binary.LittleEndian.Uint64(text)
	}
	var last [8]byte
	copy(last[:], text)
	return (set|binary.LittleEndian.Uint64(last[:]))&highs == 0
}

// A place is where a directory's runs begin in the sections of a snapshot.
type place struct {
	entry, child uint32
	name         uint64
	device       uint32 // its index
}

// putDirectory appends the snapshot's record of d.
func putDirectory(b []byte, d *directory, at *place) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(d.parent))
	b = le.AppendUint32(b, d.flags)
	b = le.AppendUint32(b, at.entry)
	b = le.AppendUint32(b, uint32(len(d.types)))
	b = le.AppendUint32(b, at.child)
	b = le.AppendUint32(b, uint32(len(d.children)/childSize))
	b = le.AppendUint64(b, at.name)
	b = le.AppendUint32(b, uint32(len(d.names)))
	b = le.AppendUint32(b, at.device)
	b = le.AppendUint64(b, d.stamp.Inode)
	b = le.AppendUint64(b, uint64(d.stamp.Modified))
	return le.AppendUint64(b, uint64(d.stamp.Changed))
}

// putDelta appends a payload of the log: n, the parent, flags, the number of entries and of
// children, the length of the names and of the directory's own name, 0, the stamp; then its own
// name, types, children, names.
func putDelta(b []byte, n Node, name []byte, d *directory) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(n))
	b = le.AppendUint32(b, uint32(d.parent))
	b = le.AppendUint32(b, d.flags)
	b = le.AppendUint32(b, uint32(len(d.types)))
	b = le.AppendUint32(b, uint32(len(d.children)/childSize))
	b = le.AppendUint32(b, uint32(len(d.names)))
	b = le.AppendUint32(b, uint32(len(name)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, d.stamp.Device)
	b = le.AppendUint64(b, d.stamp.Inode)
	b = le.AppendUint64(b, uint64(d.stamp.Modified))
	b = le.AppendUint64(b, uint64(d.stamp.Changed))
	b = append(b, name...)
	b = append(b, d.types...)
	b = append(b, d.children...)
	return append(b, d.names...)
}

// deltaParent is where the parent is in a payload.
const deltaParent = 4

// deltaNode returns the node of a payload.
func deltaNode(p []byte) Node { return nodeAt(p, 0) }

// deltaName returns the directory's own name in a payload.
func deltaName(p []byte) []byte {
	return p[deltaSize : deltaSize+binary.LittleEndian.Uint32(p[24:])]
}

// decodeDelta returns the directory at the beginning of p, and false if p is too short.
func decodeDelta(p []byte) (d directory, ok bool) {
	if len(p) < deltaSize {
		return d, false
	}
	le := binary.LittleEndian
	count, children, names, name := int64(le.Uint32(p[12:])), int64(le.Uint32(p[16:])), int64(le.Uint32(p[20:])), int64(le.Uint32(p[24:]))
	types := deltaSize + name
	nodes := types + count
	first := nodes + children*childSize
	if first+names > int64(len(p)) {
		return d, false
	}
	return directory{
		parent: nodeAt(p, deltaParent),
		flags:  le.Uint32(p[8:]),
		stamp: Stamp{
			Device: le.Uint64(p[32:]), Inode: le.Uint64(p[40:]),
			Modified: int64(le.Uint64(p[48:])), Changed: int64(le.Uint64(p[56:])),
		},
		types:    p[types:nodes:nodes],
		children: p[nodes:first:first],
		names:    p[first : first+names : first+names],
	}, true
}

// deltaLen returns the length of the payload at the beginning of p, which decodeDelta accepts.
func deltaLen(d *directory, p []byte) int {
	return deltaSize + len(deltaName(p)) + len(d.types) + len(d.children) + len(d.names)
}
