package dir

import (
	"encoding/binary"
	"io/fs"
	"time"
)

// An ntClass is an information class of NtQueryDirectoryFile: the layout of its records
// (MS-FSCC 2.4). All begin alike:
//
//	0 next record  8 creation  16 access  24 write  32 change  40 size
//	48 allocation  56 attributes  60 length of the name in bytes  64 by class
type ntClass struct {
	number uint32
	nameAt int
	tagAt  int // reparse tag, 4 bytes; 0: the class has none
	idAt   int // file number, 8 bytes; 0: the class has none
}

// The classes in use. Classes with short names are slower, and many file systems (FAT, WinFsp,
// Wine) do not know the later ones (60, 63).
var (
	ntDirectory = ntClass{number: 1, nameAt: 64}
	ntFull      = ntClass{number: 2, nameAt: 68, tagAt: 64}
	ntIDFull    = ntClass{number: 38, nameAt: 80, tagAt: 64, idAt: 72}
)

// An ntRecord is one record that parse has checked.
type ntRecord []byte

// parse returns the record that buf begins with; its name in little-endian UTF-16 units, which
// alias buf; and the offset of the next record, which is len(buf) after the last. The size is
// 0 if buf does not begin with a whole record.
func (c *ntClass) parse(buf []byte) (record ntRecord, units []byte, size int) {
	if len(buf) < c.nameAt {
		return nil, nil, 0
	}
	next, length := binary.LittleEndian.Uint32(buf), binary.LittleEndian.Uint32(buf[60:])
	size = len(buf)
	if next != 0 {
		if uint64(next) > uint64(len(buf)) || next%8 != 0 { // the last one is not padded
			return nil, nil, 0
		}
		size = int(next)
	}
	if uint64(c.nameAt)+uint64(length) > uint64(size) || length%2 != 0 {
		return nil, nil, 0
	}
	units = buf[c.nameAt : c.nameAt+int(length)]
	for len(units) > 0 && units[len(units)-1] == 0 && units[len(units)-2] == 0 {
		units = units[:len(units)-2] // some file systems count a NUL
	}
	if len(units) == 0 {
		return nil, nil, 0
	}
	return ntRecord(buf[:c.nameAt:c.nameAt]), units, size
}

// The attributes that matter (MS-FSCC 2.6).
const (
	ntReadOnly     = 0x1
	ntHidden       = 0x2
	ntIsDirectory  = 0x10
	ntReparsePoint = 0x400
	ntOffline      = 0x1000
	ntRecallOnOpen = 0x40000
	ntRecallOnRead = 0x400000
)

// The reparse tags that matter (MS-FSCC 2.1.2.1). A tag with the name-surrogate bit
// stands for another name: links and junctions. The others are for a driver that serves
// the file or directory itself: cloud, deduplication, compression.
const (
	tagNone      = 0 // of a link to a directory in Wine
	tagSurrogate = 0x20000000
	tagAFUnix    = 0x80000023
	tagFIFO      = 0x80000024
	tagChar      = 0x80000025
	tagBlock     = 0x80000026
)

// ntMode returns the mode for attributes and a reparse tag. The permission bits are those of
// package os.
func ntMode(attributes, tag uint32) fs.FileMode {
	mode := fs.FileMode(0o666)
	if attributes&ntReadOnly != 0 {
		mode = 0o444
	}
	isDir := attributes&ntIsDirectory != 0
	if attributes&ntReparsePoint != 0 {
		switch {
		case tag&tagSurrogate != 0, tag == tagNone && isDir:
			return mode | fs.ModeSymlink
		case tag == tagAFUnix:
			return mode | fs.ModeSocket
		case tag == tagFIFO:
			return mode | fs.ModeNamedPipe
		case tag == tagChar:
			return mode | fs.ModeDevice | fs.ModeCharDevice
		case tag == tagBlock:
			return mode | fs.ModeDevice
		}
	}
	if isDir {
		return mode | fs.ModeDir | 0o111
	}
	return mode
}

func (r ntRecord) attributes() uint32 { return binary.LittleEndian.Uint32(r[56:]) }

// tag returns the tag of a reparse point; for others the field has another meaning.
func (r ntRecord) tag(c *ntClass) uint32 {
	if c.tagAt == 0 || r.attributes()&ntReparsePoint == 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(r[c.tagAt:])
}

// id returns the file number; false if the file system has none of 8 bytes.
func (r ntRecord) id(c *ntClass) (uint64, bool) {
	if c.idAt == 0 {
		return 0, false
	}
	id := binary.LittleEndian.Uint64(r[c.idAt:])
	return id, id != 0 && id != 1<<64-1
}

func (r ntRecord) mode(c *ntClass) fs.FileMode { return ntMode(r.attributes(), r.tag(c)) }

// fill sets the fields that every record has.
func (r ntRecord) fill(c *ntClass, info *Info) {
	info.Mode = r.mode(c)
	info.Size, info.Allocated = int64(binary.LittleEndian.Uint64(r[40:])), int64(binary.LittleEndian.Uint64(r[48:]))
	info.BirthTime, info.AccessTime = r.time(8), r.time(16)
	info.ModTime, info.ChangeTime = r.time(24), r.time(32)
}

func (r ntRecord) time(at int) time.Time { return ntTime(int64(binary.LittleEndian.Uint64(r[at:]))) }

// ntTime converts a time in units of 100 ns since 1601; 0 means none.
func ntTime(t int64) time.Time {
	const second, from1601 = 1e7, 11_644_473_600 // seconds, to 1970
	if t == 0 {
		return time.Time{}
	}
	return time.Unix(t/second-from1601, t%second*100)
}
