package dupes

import (
	"encoding/binary"
	"os"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// A table has the files that were found: 48 bytes for each, and its name. A million files must
// fit into little memory, so there are no pointers in a record, and nothing grows by copying.
type table struct {
	roots  []walk.Root
	chunks []*chunk
}

const (
	chunkBits = 11
	chunkSize = 1 << chunkBits // records
	blockSize = 1 << 16        // bytes of names
)

// A chunk is records of one part. The number of a record is that of its chunk and its place
// in it.
type chunk struct {
	part    *part
	n       int
	records [chunkSize]record
}

// A part is what one worker has found.
type part struct {
	chunks  []*chunk
	folders []folder
	names   [][]byte // blocks of names, each with its length before it
	devices []uint64
}

// A folder is a directory in which files were found.
type folder struct {
	path   string // as the search shows it, with a slash at its end unless it is empty
	below  int    // where in path the part below the root begins
	root   int
	isRoot bool // the root is a file, and path is that of its directory
}

// A record is a name of a file.
type record struct {
	size              int64
	inode             uint64
	modified, changed int64
	blocks            uint32 // of 512 bytes on disk; at the maximum, size says more
	folder            uint32
	name              uint32 // place in names
	device            uint16 // place in devices
	links             uint16 // or the maximum
}

const maxBlocks, maxLinks = 1<<32 - 1, 1<<16 - 1

// add adds a name of a file, in the last folder.
func (p *part) add(base []byte, info *dir.Info) {
	if len(p.chunks) == 0 || p.chunks[len(p.chunks)-1].n == chunkSize {
		p.chunks = append(p.chunks, &chunk{part: p})
	}
	c := p.chunks[len(p.chunks)-1]
	c.records[c.n] = record{
		size: info.Size, inode: info.Inode, modified: info.ModTime.UnixNano(), changed: info.ChangeTime.UnixNano(),
		blocks: uint32(min(info.Allocated/512, maxBlocks)), links: uint16(min(info.Links, maxLinks)),
		folder: uint32(len(p.folders) - 1), name: p.keep(base), device: p.device(info.Device),
	}
	c.n++
}

// keep copies a name, and returns its place.
func (p *part) keep(base []byte) uint32 {
	last := len(p.names) - 1
	if last < 0 || len(p.names[last])+2+len(base) > blockSize {
		p.names = append(p.names, make([]byte, 0, blockSize))
		last++
	}
	at := len(p.names[last])
	p.names[last] = append(binary.LittleEndian.AppendUint16(p.names[last], uint16(len(base))), base...)
	return uint32(last*blockSize + at)
}

func (p *part) device(id uint64) uint16 {
	for i, d := range p.devices {
		if d == id {
			return uint16(i)
		}
	}
	p.devices = append(p.devices, id)
	return uint16(len(p.devices) - 1)
}

// numbers returns the numbers of all records.
func (t *table) numbers(yield func(id uint32, r *record) bool) {
	for i, c := range t.chunks {
		for j := range c.n {
			if !yield(uint32(i<<chunkBits|j), &c.records[j]) {
				return
			}
		}
	}
}

func (t *table) at(id uint32) *record { return &t.chunks[id>>chunkBits].records[id%chunkSize] }
func (t *table) part(id uint32) *part { return t.chunks[id>>chunkBits].part }

func (t *table) device(id uint32, r *record) uint64 { return t.part(id).devices[r.device] }

func (t *table) folder(id uint32, r *record) *folder { return &t.part(id).folders[r.folder] }

func (t *table) base(id uint32, r *record) string {
	block := t.part(id).names[r.name/blockSize]
	at := int(r.name % blockSize)
	n := int(binary.LittleEndian.Uint16(block[at:]))
	return string(block[at+2 : at+2+n])
}

// file returns what is known of a file.
func (t *table) file(id uint32) File {
	r := t.at(id)
	f := File{
		ID: dir.ID{Device: t.device(id, r), Inode: r.inode}, Size: r.size, Modified: r.modified, Changed: r.changed,
		Allocated: int64(r.blocks) * 512, Links: uint64(r.links),
	}
	if r.blocks == maxBlocks {
		f.Allocated = r.size
	}
	return f
}

// name returns where a file was found.
func (t *table) name(id uint32) Name {
	r := t.at(id)
	in, base := t.folder(id, r), t.base(id, r)
	return Name{
		Path: in.path + base, Absolute: t.absolute(id),
		Root: in.root, Folder: strings.TrimSuffix(in.path[in.below:], "/"), Base: base, IsRoot: in.isRoot,
	}
}

// openPath returns the path by which the system finds a file.
func (t *table) openPath(id uint32) string {
	r := t.at(id)
	in := t.folder(id, r)
	root := t.roots[in.root].Path
	if in.isRoot {
		return root
	}
	return withSlash(root) + in.path[in.below:] + t.base(id, r)
}

// withoutRepeats returns names without those that were found before, because roots overlap.
func (t *table) withoutRepeats(ids []uint32) []uint32 {
	seen := make(map[string]bool, len(ids))
	return slices.DeleteFunc(ids, func(id uint32) bool {
		path := t.absolute(id)
		repeated := seen[path]
		seen[path] = true
		return repeated
	})
}

// absolute returns the absolute path of a file.
func (t *table) absolute(id uint32) string {
	r := t.at(id)
	in := t.folder(id, r)
	root := t.roots[in.root].Absolute
	if in.isRoot {
		return root
	}
	return withSlash(root) + in.path[in.below:] + t.base(id, r)
}

// withSlash returns a path with a slash after it, unless names may follow as it is.
func withSlash(path string) string {
	if path == "" || os.IsPathSeparator(path[len(path)-1]) || os.PathSeparator == '\\' && len(path) == 2 && path[1] == ':' {
		return path
	}
	return path + "/"
}
