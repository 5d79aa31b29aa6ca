package dir

import (
	"encoding/binary"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bulkFile has the fields of an encoded record, in the order of attr_pack_common in
// bsd/vfs/vfs_attrlist.c.
type bulkFile struct {
	name string
	bulkEntry
	fails bool // an error entry: it has only a name
	gap   int  // bytes before the name, left by the kernel for missing attributes
}

// encode returns a record with the attributes of set that this type of entry has. packed is
// for FSOPT_PACK_INVAL_ATTRS, with room for all requested attributes.
func (f bulkFile) encode(set bulkSet, packed bool) []byte {
	returned := set
	if f.kind == 2 {
		returned.file = 0
	} else {
		returned.directory = 0
	}
	if f.fails {
		returned = bulkSet{common: bulkReturned | bulkError | bulkName}
	} else if !packed {
		returned.common &^= bulkError
	}
	layout := returned
	if packed {
		layout = set
	}
	b := make([]byte, 4)
	u32 := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	u64 := func(v uint64) { b = binary.LittleEndian.AppendUint64(b, v) }
	for _, bits := range []uint32{returned.common, returned.volume, returned.directory, returned.file, returned.fork} {
		u32(bits)
	}
	common := func(bit uint32, add func()) {
		if layout.common&bit != 0 {
			add()
		}
	}
	nameAt := 0
	common(bulkError, func() { u32(13) })
	common(bulkName, func() { nameAt = len(b); u64(0) })
	common(bulkDevice, func() { u32(f.device) })
	common(bulkType, func() { u32(f.kind) })
	for i, bit := range []uint32{bulkBirthTime, bulkModTime, bulkChangeTime, bulkAccessTime} {
		common(bit, func() { u64(uint64(f.times[i].sec)); u64(uint64(f.times[i].nsec)) })
	}
	common(bulkUser, func() { u32(f.user) })
	common(bulkGroup, func() { u32(f.group) })
	common(bulkPermissions, func() { u32(f.permissions) })
	common(bulkFlags, func() { u32(f.flags) })
	common(bulkFileID, func() { u64(f.fileID) })
	if layout.directory&bulkMountStatus != 0 {
		u32(f.mountStatus)
	}
	if layout.file&bulkLinks != 0 {
		u32(f.links)
	}
	if layout.file&bulkAllocated != 0 {
		u64(uint64(f.allocated))
	}
	if layout.file&bulkSize != 0 {
		u64(uint64(f.size))
	}
	b = append(b, make([]byte, f.gap)...)
	binary.LittleEndian.PutUint32(b[nameAt:], uint32(len(b)-nameAt))
	binary.LittleEndian.PutUint32(b[nameAt+4:], uint32(len(f.name)+1))
	b = append(append(b, f.name...), 0)
	b = append(b, make([]byte, -len(b)&7)...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	return b
}

var bulkFiles = []bulkFile{
	{name: "file", bulkEntry: bulkEntry{
		kind: 1, device: 16777232, fileID: 1<<40 + 5, size: 1<<33 + 1, allocated: 1<<20 + 1, links: 3, user: 501, group: 20, permissions: 0o4755,
		times: [4]bulkTime{{1, 2}, {1700000000, 999999999}, {-1, -5}, {0, 0}},
	}},
	{name: "dir", bulkEntry: bulkEntry{kind: 2, permissions: 0o1777, fileID: 7}},
	{name: "u\u0308", gap: 20, bulkEntry: bulkEntry{kind: 5, permissions: 0o777, size: 9, links: 1}},
	{name: "mounted", bulkEntry: bulkEntry{kind: 2, mountStatus: mountPoint}},
	{name: "auto", bulkEntry: bulkEntry{kind: 2, mountStatus: mountTrigger}},
	{name: "cloud", bulkEntry: bulkEntry{kind: 2, flags: flagDataless}},
	{name: "denied", fails: true},
	{name: "\xff\x01", bulkEntry: bulkEntry{kind: 6}},
	{name: "v", gap: 400, bulkEntry: bulkEntry{kind: 9}},
}

func TestBulkRoundTrip(t *testing.T) {
	for _, want := range []Fields{0, Identity, Size, ModTime | Size, Everything} {
		set := bulkWanted(want)
		var buf []byte
		for _, f := range bulkFiles {
			buf = append(buf, f.encode(set, false)...)
		}
		buf = buf[:len(buf)-1] // the last record may lack its padding
		binary.LittleEndian.PutUint32(buf[len(buf)-len(bulkFiles[8].encode(set, false))+1:], uint32(len(bulkFiles[8].encode(set, false))-1))
		for i, f := range bulkFiles {
			var e bulkEntry
			size := parseBulk(buf, &e)
			require.NotZero(t, size, "%q", f.name)
			buf = buf[size:]
			assert.Equal(t, f.name, string(e.name))
			require.Greater(t, cap(e.name), len(e.name))
			assert.Zero(t, e.name[:len(e.name)+1][len(e.name)])
			if f.fails {
				assert.Equal(t, fs.ModeIrregular, e.mode())
				assert.Zero(t, e.fields())
				continue
			}
			assert.Equal(t, f.kind, e.kind)
			assert.Equal(t, f.flags, e.flags)
			assert.Equal(t, f.mountStatus, e.mountStatus)
			if want != Everything {
				continue
			}
			var info Info
			e.fill(&info)
			switch i {
			case 0:
				assert.Equal(t, Everything, e.fields())
				assert.Equal(t, Info{
					ID: ID{16777232, 1<<40 + 5}, Mode: 0o755 | fs.ModeSetuid, Size: 1<<33 + 1, Allocated: 1<<20 + 512, User: 501, Group: 20, Links: 3,
					BirthTime: time.Unix(1, 2), ModTime: time.Unix(1700000000, 999999999), ChangeTime: time.Unix(-1, -5), AccessTime: time.Unix(0, 0),
				}, info)
			case 1:
				assert.Equal(t, Everything&^(Size|Allocated|Links), e.fields(), "a directory's are not those of stat")
				assert.Equal(t, fs.ModeDir|fs.ModeSticky|0o777, info.Mode)
			case 3:
				assert.Zero(t, e.fields(), "what is told is of the directory below")
			}
		}
		assert.Empty(t, buf)
	}
}

func TestBulkTypes(t *testing.T) {
	for kind, want := range map[uint32]fs.FileMode{
		0: fs.ModeIrregular, 1: 0, 2: fs.ModeDir, 3: fs.ModeDevice, 4: fs.ModeDevice | fs.ModeCharDevice,
		5: fs.ModeSymlink, 6: fs.ModeSocket, 7: fs.ModeNamedPipe, 8: fs.ModeIrregular, 1 << 31: fs.ModeIrregular,
	} {
		assert.Equal(t, want, (&bulkEntry{kind: kind}).mode())
	}
}

func TestBulkRefused(t *testing.T) {
	set := bulkWanted(0)
	good := bulkFile{name: "name", bulkEntry: bulkEntry{kind: 1}}.encode(set, false)
	change := func(at int, value uint32) []byte {
		b := append([]byte(nil), good...)
		binary.LittleEndian.PutUint32(b[at:], value)
		return b
	}
	var e bulkEntry
	require.Equal(t, len(good), parseBulk(good, &e))
	const nameAt = 24
	for what, buf := range map[string][]byte{
		"nothing":                     {},
		"half a head":                 good[:20],
		"half a record":               good[:40],
		"a size beyond the buffer":    change(0, 1<<20),
		"a size beyond 31 bits":       change(0, 1<<31+48),
		"no size":                     change(0, 0),
		"a size of half":              change(0, 32),
		"an attribute not asked for":  change(4, binary.LittleEndian.Uint32(good[4:])|0x1000000),
		"one of volumes":              change(8, 1),
		"one of forks":                change(20, 0x200),
		"no name":                     change(4, binary.LittleEndian.Uint32(good[4:])&^bulkName),
		"a name before the record":    change(nameAt, 1<<32-100),
		"a name on its own reference": change(nameAt, 4),
		"a name behind the record":    change(nameAt, 1000),
		"a name that is too long":     change(nameAt+4, 1000),
		"a name of 4 GiB":             change(nameAt+4, 1<<32-1),
		"a name without its NUL":      change(nameAt+4, 4),
		"an empty name":               change(nameAt+4, 1),
		"no length of the name":       change(nameAt+4, 0),
	} {
		assert.Zero(t, parseBulk(buf, &e), what)
	}
}

// FuzzBulk begins also with records that have room for missing attributes, which ldx does not
// request.
func FuzzBulk(f *testing.F) {
	for _, want := range []Fields{0, Everything} {
		var buf, packed []byte
		for _, file := range bulkFiles {
			buf = append(buf, file.encode(bulkWanted(want), false)...)
			packed = append(packed, file.encode(bulkWanted(want), true)...)
		}
		f.Add(buf)
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, buf []byte) {
		for len(buf) > 0 {
			var e bulkEntry
			size := parseBulk(buf, &e)
			if size == 0 {
				return
			}
			if size < 0 || size > len(buf) || len(e.name) == 0 || len(e.name) >= size || e.name[:len(e.name)+1][len(e.name)] != 0 {
				t.Fatalf("%d bytes of %d, the name %q", size, len(buf), e.name)
			}
			var info Info
			e.fill(&info)
			e.fields()
			buf = buf[size:]
		}
	})
}

func BenchmarkBulk(b *testing.B) {
	var buf []byte
	for _, f := range bulkFiles {
		buf = append(buf, f.encode(bulkWanted(Everything), false)...)
	}
	b.ReportAllocs()
	for b.Loop() {
		for rest := buf; len(rest) > 0; {
			var e bulkEntry
			size := parseBulk(rest, &e)
			if size == 0 {
				b.Fatal("refused")
			}
			var info Info
			e.fill(&info)
			rest = rest[size:]
		}
	}
}
