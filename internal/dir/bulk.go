package dir

import (
	"encoding/binary"
	"io/fs"
	"time"
)

// The records of getattrlistbulk(2), from bsd/sys/attr.h and bsd/vfs/vfs_attrlist.c
// of Apple's kernel. A record is its size in 4 bytes, five sets of bits for the attributes
// it has, and the attributes in the order of their bits, each at a multiple of 4. An
// attribute of variable size is a reference: the distance from itself, and a length.

// A bulkSet is a set of attributes.
type bulkSet struct{ common, volume, directory, file, fork uint32 }

// The attributes that are requested. Some others, such as UUIDs of owners, would make the
// kernel look up each entry by its name.
const (
	bulkName        = 0x1
	bulkDevice      = 0x2
	bulkType        = 0x8
	bulkBirthTime   = 0x200
	bulkModTime     = 0x400
	bulkChangeTime  = 0x800
	bulkAccessTime  = 0x1000
	bulkUser        = 0x8000
	bulkGroup       = 0x10000
	bulkPermissions = 0x20000
	bulkFlags       = 0x40000
	bulkFileID      = 0x2000000
	bulkError       = 0x20000000
	bulkReturned    = 0x80000000

	bulkMountStatus = 0x4 // of directories

	bulkLinks     = 0x1 // of files
	bulkAllocated = 0x4 // with resource forks, as st_blocks
	bulkSize      = 0x200
)

// bulkMin is what a directory gives to a user who may list it, but not search it.
var bulkMin = bulkSet{common: bulkReturned | bulkError | bulkName | bulkType}

// bulkWanted returns the attributes to request for want.
func bulkWanted(want Fields) bulkSet {
	set := bulkMin
	set.common |= bulkFlags
	set.directory |= bulkMountStatus
	for _, f := range [...]struct {
		field        Fields
		common, file uint32
	}{
		{Identity, bulkDevice | bulkFileID, 0},
		{Mode, bulkPermissions, 0},
		{Size, 0, bulkSize},
		{Owner, bulkUser | bulkGroup, 0},
		{Links, 0, bulkLinks},
		{ModTime, bulkModTime, 0},
		{AccessTime, bulkAccessTime, 0},
		{ChangeTime, bulkChangeTime, 0},
		{BirthTime, bulkBirthTime, 0},
		{Allocated, 0, bulkAllocated},
	} {
		if want&f.field != 0 {
			set.common |= f.common
			set.file |= f.file
		}
	}
	return set
}

// A bulkEntry is a decoded record.
type bulkEntry struct {
	name []byte // with a NUL after it
	kind uint32 // vnode type; 0 if the record lacks it
	has  bulkSet

	device      uint32
	flags       uint32
	mountStatus uint32
	times       [4]bulkTime // birth, content, metadata, access
	user, group uint32
	permissions uint32
	fileID      uint64
	links       uint32
	allocated   int64
	size        int64
}

type bulkTime struct{ sec, nsec int64 }

func (t bulkTime) time() time.Time { return time.Unix(t.sec, t.nsec) }

// parseBulk decodes into e the record at the beginning of buf, and returns the record's size.
// The size is 0 if buf does not begin with a whole record, or if the record has attributes
// that were not requested.
func parseBulk(buf []byte, e *bulkEntry) (size int) {
	const headSize = 24
	if len(buf) < headSize {
		return 0
	}
	length := binary.LittleEndian.Uint32(buf)
	if uint64(length) > uint64(len(buf)) || length < headSize {
		return 0
	}
	size = int(length)
	*e = bulkEntry{has: bulkSet{
		common:    binary.LittleEndian.Uint32(buf[4:]),
		volume:    binary.LittleEndian.Uint32(buf[8:]),
		directory: binary.LittleEndian.Uint32(buf[12:]),
		file:      binary.LittleEndian.Uint32(buf[16:]),
		fork:      binary.LittleEndian.Uint32(buf[20:]),
	}}
	c := bulkCursor{record: buf[:size:size], at: headSize}
	c.common(e)
	if e.has.directory&bulkMountStatus != 0 {
		e.mountStatus = c.u32()
	}
	if e.has.file&bulkLinks != 0 {
		e.links = c.u32()
	}
	if e.has.file&bulkAllocated != 0 {
		e.allocated = int64(c.u64())
	}
	if e.has.file&bulkSize != 0 {
		e.size = int64(c.u64())
	}
	unknown := e.has.common&^(bulkReturned|bulkError|bulkName|bulkDevice|bulkType|bulkBirthTime|bulkModTime|bulkChangeTime|
		bulkAccessTime|bulkUser|bulkGroup|bulkPermissions|bulkFlags|bulkFileID) |
		e.has.volume | e.has.directory&^bulkMountStatus | e.has.file&^(bulkLinks|bulkAllocated|bulkSize) | e.has.fork
	if c.broken || unknown != 0 || len(e.name) == 0 {
		return 0
	}
	return size
}

// common decodes the attributes that entries of all types have.
func (c *bulkCursor) common(e *bulkEntry) {
	has := func(bit uint32) bool { return e.has.common&bit != 0 }
	if has(bulkError) {
		c.u32() // the type is missing then
	}
	if has(bulkName) {
		e.name = c.reference()
	}
	if has(bulkDevice) {
		e.device = c.u32()
	}
	if has(bulkType) {
		e.kind = c.u32()
	}
	for i, bit := range [...]uint32{bulkBirthTime, bulkModTime, bulkChangeTime, bulkAccessTime} {
		if has(bit) {
			e.times[i] = bulkTime{int64(c.u64()), int64(c.u64())}
		}
	}
	for _, f := range [...]struct {
		bit uint32
		to  *uint32
	}{{bulkUser, &e.user}, {bulkGroup, &e.group}, {bulkPermissions, &e.permissions}, {bulkFlags, &e.flags}} {
		if has(f.bit) {
			*f.to = c.u32()
		}
	}
	if has(bulkFileID) {
		e.fileID = c.u64()
	}
}

// A bulkCursor reads one attribute after another.
type bulkCursor struct {
	record []byte
	at     int
	broken bool // the record was too short
}

func (c *bulkCursor) next(n int) []byte {
	if len(c.record)-c.at < n {
		c.broken = true
		return make([]byte, 8)[:n]
	}
	c.at += n
	return c.record[c.at-n : c.at]
}

func (c *bulkCursor) u32() uint32 { return binary.LittleEndian.Uint32(c.next(4)) }
func (c *bulkCursor) u64() uint64 { return binary.LittleEndian.Uint64(c.next(8)) }

// reference returns the bytes of a reference, without the NUL at their end. There may be gaps
// before and after them.
func (c *bulkCursor) reference() []byte {
	from := c.at
	distance, length := int(int32(c.u32())), c.u32()
	start := from + distance
	if c.broken || distance < 8 || start > len(c.record) || length == 0 || uint64(length) > uint64(len(c.record)-start) {
		c.broken = true
		return nil
	}
	end := start + int(length) - 1
	if c.record[end] != 0 {
		c.broken = true
		return nil
	}
	return c.record[start : end : end+1]
}

// bulkTypes has the Type for each vnode type of bsd/sys/vnode.h.
var bulkTypes = [8]fs.FileMode{
	0: fs.ModeIrregular,
	1: 0,
	2: fs.ModeDir,
	3: fs.ModeDevice,
	4: fs.ModeDevice | fs.ModeCharDevice,
	5: fs.ModeSymlink,
	6: fs.ModeSocket,
	7: fs.ModeNamedPipe,
}

func (e *bulkEntry) mode() fs.FileMode {
	if e.kind >= uint32(len(bulkTypes)) {
		return fs.ModeIrregular
	}
	return bulkTypes[e.kind]
}

const (
	mountPoint   = 1 // in mountStatus: the record is of the directory under the mount
	mountTrigger = 2

	flagDataless = 0x40000000 // SF_DATALESS of bsd/sys/stat.h
)

// fields returns the fields that the record has.
func (e *bulkEntry) fields() (have Fields) {
	if e.mountStatus&mountPoint != 0 {
		return 0
	}
	for _, f := range [...]struct {
		field  Fields
		common uint32
	}{
		{Identity, bulkDevice | bulkFileID},
		{Mode, bulkType | bulkPermissions},
		{Owner, bulkUser | bulkGroup},
		{ModTime, bulkModTime},
		{AccessTime, bulkAccessTime},
		{ChangeTime, bulkChangeTime},
		{BirthTime, bulkBirthTime},
	} {
		if e.has.common&f.common == f.common {
			have |= f.field
		}
	}
	if e.has.file&bulkLinks != 0 {
		have |= Links
	}
	if e.has.file&bulkAllocated != 0 {
		have |= Allocated
	}
	if e.has.file&bulkSize != 0 {
		have |= Size
	}
	return have
}

// fill sets the fields that fields returns; the others are undefined.
func (e *bulkEntry) fill(info *Info) {
	info.Device, info.Inode = uint64(int32(e.device)), e.fileID
	info.Mode = fileMode(e.permissions&0o7777)&^fs.ModeType | e.mode()
	info.Size, info.Allocated, info.Links = e.size, (e.allocated+511)&^511, uint64(e.links)
	info.User, info.Group = e.user, e.group
	info.BirthTime, info.ModTime = e.times[0].time(), e.times[1].time()
	info.ChangeTime, info.AccessTime = e.times[2].time(), e.times[3].time()
}
