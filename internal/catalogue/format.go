package catalogue

import (
	"cmp"
	"encoding/binary"
	"errors"

	"ldx/internal/state"
)

// The store. Numbers are little-endian.
//
//	header   magic 8, version 4, CRC-32C of the rest of the header and of the tables 4, id 8, number
//	         of records 8, length of the tables 8, number of file systems 4, zeros to 64
//	records  72 bytes each, in the order of file systems and inode numbers: see putRecord
//	sums     the CRC-32C of each chunk of the records
//	tables   the ids of file systems 8 each; then the roots, to the end: length of the path 4, 1 if
//	         all below it was searched or 0, path
//
// The log begins as state.LogHeader has it; the id is the store's, or 0 if there is none yet.
// Each frame has a letter, and
//
//	F  the id of one more file system 8
//	R  one more root, as in the tables
//	H  records, each of which replaces the one with its file system and inode number
const (
	storeMagic = "ldxhash\n"
	logMagic   = "ldxhashl"
	version    = 1

	headerSize = 64
	recordSize = 72

	tagVolume, tagRoot, tagRecords = 'F', 'R', 'H'
)

var (
	errDamaged = errors.New("it is damaged")
	errVersion = errors.New("another version of ldx has written it")
)

// A place is where a record is found: the number of its file system in the tables, and its inode.
type place struct {
	volume uint32
	inode  uint64
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.volume, other.volume), cmp.Compare(p.inode, other.inode))
}

// A record is a hash, of a file in the state that the stamp identifies.
type record struct {
	place
	root  uint32 // its number in the tables
	stamp Stamp
	sum   Sum
}

// putRecord appends a record: file system 4, root 4, inode 8, size 8, mtime 8, ctime 8, hash 32.
func putRecord(b []byte, r *record) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, r.volume)
	b = le.AppendUint32(b, r.root)
	b = le.AppendUint64(b, r.inode)
	b = le.AppendUint64(b, uint64(r.stamp.Size))
	b = le.AppendUint64(b, uint64(r.stamp.Modified))
	b = le.AppendUint64(b, uint64(r.stamp.Changed))
	return append(b, r.sum[:]...)
}

// placeOf decodes the beginning of a record.
func placeOf(b []byte) place {
	return place{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint64(b[8:])}
}

// rootOf decodes the number of a record's root.
func rootOf(b []byte) uint32 { return binary.LittleEndian.Uint32(b[4:]) }

// decode decodes a record.
func decode(b []byte) (r record) {
	le := binary.LittleEndian
	r.place, r.root = placeOf(b), rootOf(b)
	r.stamp = Stamp{Size: int64(le.Uint64(b[16:])), Modified: int64(le.Uint64(b[24:])), Changed: int64(le.Uint64(b[32:]))}
	copy(r.sum[:], b[40:recordSize])
	return r
}

// A root is a tree that was searched for files.
type root struct {
	path string
	all  bool // hidden and ignored files too
}

// putRoot appends a root.
func putRoot(b []byte, r root) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.path)))
	all := byte(0)
	if r.all {
		all = 1
	}
	return append(append(b, all), r.path...)
}

// cutRoot decodes the root that b begins with, and returns the rest.
func cutRoot(b []byte) (r root, rest []byte, ok bool) {
	if len(b) < 5 {
		return r, nil, false
	}
	size := binary.LittleEndian.Uint32(b)
	if uint64(size) > uint64(len(b)-5) || b[4] > 1 {
		return r, nil, false
	}
	return root{path: string(b[5 : 5+size]), all: b[4] == 1}, b[5+size:], true
}

// tables are what records refer to by number.
type tables struct {
	volumes []uint64
	roots   []root
}

// put returns the tables as they are in a file.
func (t *tables) put() (b []byte) {
	for _, v := range t.volumes {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	for _, r := range t.roots {
		b = putRoot(b, r)
	}
	return b
}

// parseTables decodes tables with n file systems.
func parseTables(b []byte, n uint32) (t tables, ok bool) {
	if uint64(n)*8 > uint64(len(b)) {
		return t, false
	}
	for range n {
		t.volumes, b = append(t.volumes, binary.LittleEndian.Uint64(b)), b[8:]
	}
	for len(b) > 0 {
		var r root
		if r, b, ok = cutRoot(b); !ok {
			return t, false
		}
		t.roots = append(t.roots, r)
	}
	return t, true
}

// A snapshot is a store in memory.
type snapshot struct {
	unmap   func() error // nil: there is none
	id      uint64
	size    int // of the file
	records []byte
	chunks  state.Chunks
	tables
}

// parse makes a snapshot of the content of a file. Records are checked when they are used first.
func parse(data []byte) (s snapshot, err error) {
	le := binary.LittleEndian
	if len(data) < headerSize || string(data[:8]) != storeMagic {
		return s, errDamaged
	}
	if le.Uint32(data[8:]) != version {
		return s, errVersion
	}
	count, size := le.Uint64(data[24:]), le.Uint64(data[32:])
	rest := uint64(len(data) - headerSize)
	if count > rest/recordSize || size > rest {
		return s, errDamaged
	}
	sumsAt := headerSize + count*recordSize
	tablesAt := sumsAt + uint64(state.ChunkCount(int64(count*recordSize)))*state.SumSize
	if tablesAt+size != uint64(len(data)) || state.Checksum(data[16:headerSize], data[tablesAt:]) != le.Uint32(data[12:]) {
		return s, errDamaged
	}
	t, ok := parseTables(data[tablesAt:], le.Uint32(data[40:]))
	if !ok {
		return s, errDamaged
	}
	records := data[headerSize:sumsAt:sumsAt]
	return snapshot{
		id: le.Uint64(data[16:]), size: len(data), records: records, chunks: state.NewChunks(records, data[sumsAt:tablesAt]), tables: t,
	}, nil
}

// header returns the header of a store with these tables.
func header(id uint64, records int, t *tables, encoded []byte) []byte {
	le := binary.LittleEndian
	h := append(make([]byte, 0, headerSize), storeMagic...)
	h = le.AppendUint32(h, version)
	h = le.AppendUint32(h, 0)
	h = le.AppendUint64(h, id)
	h = le.AppendUint64(h, uint64(records))
	h = le.AppendUint64(h, uint64(len(encoded)))
	h = le.AppendUint32(h, uint32(len(t.volumes)))[:headerSize]
	le.PutUint32(h[12:], state.Checksum(h[16:], encoded))
	return h
}

func (s *snapshot) count() int { return len(s.records) / recordSize }

// at returns the bytes of a record; nil if it is damaged.
func (s *snapshot) at(i int) []byte {
	from := i * recordSize
	if !s.chunks.Intact(from, recordSize) {
		return nil
	}
	return s.records[from : from+recordSize]
}

// find returns the number of a record, and its bytes; nil if there is none, or what must be looked
// at for it is damaged.
func (s *snapshot) find(p place) (i int, b []byte) {
	low, high := 0, s.count()
	for low < high {
		middle := int(uint(low+high) / 2)
		b := s.at(middle)
		if b == nil {
			return 0, nil
		}
		switch c := placeOf(b).compare(p); {
		case c == 0:
			return middle, b
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, nil
}
