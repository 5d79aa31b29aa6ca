package index

import (
	"encoding/binary"
	"strings"

	"ldx/internal/state"
)

// A snapshot is a snapshot file in memory.
type snapshot struct {
	data    []byte // the file
	unmap   func() error
	id      uint64
	created int64
	root    string
	trusts  []string // file systems that are trusted on request
	devices []byte
	body    state.Chunks // the sections

	directories, types, children, names []byte // the sections
}

// parse makes a snapshot of the content of a file. It checks the header, and leaves the
// sections to their first use. It allocates 4 bytes for every 32 KiB.
func parse(data []byte) (s snapshot, err error) {
	le := binary.LittleEndian
	if len(data) < headerSize || string(data[:8]) != snapshotMagic {
		return s, ErrDamaged
	}
	if le.Uint32(data[8:]) != version {
		return s, ErrVersion
	}
	size := int64(le.Uint32(data[12:]))
	if size < headerSize || size > int64(len(data)) ||
		le.Uint32(data[16:]) != state.Checksum(data[:16], data[20:size]) {
		return s, ErrDamaged
	}
	root, devices, chunks := int64(le.Uint32(data[20:])), int64(le.Uint32(data[40:])), int64(le.Uint32(data[44:]))
	trusts := le.Uint64(data[80:])
	if trusts > uint64(size) {
		return s, ErrDamaged
	}
	trustsAt := headerSize + root
	devicesAt := trustsAt + int64(trusts)
	sumsAt := devicesAt + devices*deviceSize
	body := data[size:]
	if sumsAt+chunks*state.SumSize > size || chunks != state.ChunkCount(int64(len(body))) {
		return s, ErrDamaged
	}
	s = snapshot{
		data: data, id: le.Uint64(data[24:]), created: int64(le.Uint64(data[32:])), root: string(data[headerSize:trustsAt]),
		trusts:  splitNames(string(data[trustsAt:devicesAt])),
		devices: data[devicesAt:sumsAt], body: state.NewChunks(body, data[sumsAt:sumsAt+chunks*state.SumSize]),
	}
	for i, section := range []*[]byte{&s.directories, &s.types, &s.children, &s.names} {
		n := le.Uint64(data[48+8*i:])
		if n > uint64(len(body)) {
			return snapshot{}, ErrDamaged
		}
		*section, body = body[:n:n], body[n:]
	}
	if len(body) != 0 || len(s.directories)%directorySize != 0 || len(s.children)%childSize != 0 {
		return snapshot{}, ErrDamaged
	}
	return s, nil
}

// splitNames returns the names between commas.
func splitNames(names string) []string {
	return strings.FieldsFunc(names, func(c rune) bool { return c == ',' })
}

func (s *snapshot) close() error {
	if s.unmap == nil {
		return nil
	}
	unmap := s.unmap
	s.unmap = nil
	return unmap()
}

// nodes returns the number of directories.
func (s *snapshot) nodes() int { return len(s.directories) / directorySize }

// has reports whether n is a directory of the snapshot.
func (s *snapshot) has(n Node) bool { return n != 0 && int64(n) <= int64(s.nodes()) }

// record returns the bytes of the record of n; nil if there is none. ok is false if it is
// damaged.
func (s *snapshot) record(n Node) (b []byte, ok bool) {
	if !s.has(n) {
		return nil, true
	}
	at := int(n-1) * directorySize
	if !s.body.Intact(at, directorySize) {
		return nil, false
	}
	return s.directories[at : at+directorySize], true
}

// stampIn decodes a part of a record. ok is false if it refers to a device that is not there.
func (s *snapshot) stampIn(b []byte) (stamp Stamp, flags uint32, ok bool) {
	le := binary.LittleEndian
	device := uint64(le.Uint32(b[36:])) * deviceSize
	if device >= uint64(len(s.devices)) {
		return stamp, 0, false
	}
	return Stamp{
		Device: le.Uint64(s.devices[device:]), Inode: le.Uint64(b[40:]),
		Modified: int64(le.Uint64(b[48:])), Changed: int64(le.Uint64(b[56:])),
	}, le.Uint32(b[4:]), true
}

// directory decodes a record. ok is false if it refers to what is not there.
func (s *snapshot) directory(b []byte) (d directory, ok bool) {
	le := binary.LittleEndian
	d.parent = nodeAt(b, 0)
	if d.stamp, d.flags, ok = s.stampIn(b); !ok {
		return d, false
	}
	var okTypes, okChildren, okNames bool
	d.types, okTypes = run(s.types, uint64(le.Uint32(b[8:])), uint64(le.Uint32(b[12:])))
	d.children, okChildren = run(s.children, uint64(le.Uint32(b[16:]))*childSize, uint64(le.Uint32(b[20:]))*childSize)
	d.names, okNames = run(s.names, le.Uint64(b[24:]), uint64(le.Uint32(b[32:])))
	return d, okTypes && okChildren && okNames
}

// run returns n bytes of a section from at on, and false if the section is shorter. The result
// keeps the section's capacity, for offset.
func run(section []byte, at, n uint64) ([]byte, bool) {
	size := uint64(len(section))
	if at > size || n > size-at {
		return nil, false
	}
	return section[at : at+n], true
}

// offset returns where a run begins in its section.
func offset(section, run []byte) int { return cap(section) - cap(run) }

// sound reports whether the types, children and names of d have their checksums.
func (s *snapshot) sound(d *directory) bool {
	types := len(s.directories)
	children := types + len(s.types)
	names := children + len(s.children)
	return s.body.Intact(types+offset(s.types, d.types), len(d.types)) &&
		s.body.Intact(children+offset(s.children, d.children), len(d.children)) &&
		s.body.Intact(names+offset(s.names, d.names), len(d.names))
}
