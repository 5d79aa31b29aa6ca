package dir

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ntClasses has the classes in use, and others with the same fields.
var ntClasses = []*ntClass{
	&ntDirectory, &ntFull, &ntIDFull,
	{number: 3, nameAt: 94, tagAt: 64},
	{number: 37, nameAt: 104, tagAt: 64, idAt: 96},
	{number: 60, nameAt: 88, tagAt: 68, idAt: 72},
	{number: 63, nameAt: 114, tagAt: 68, idAt: 72},
}

// An ntFile has the fields of a record.
type ntFile struct {
	name            []uint16
	attributes, tag uint32
	size            int64
	id              uint64
	times           [4]int64
}

// encode returns a record as in MS-FSCC. The last one has no next and no padding.
func (c *ntClass) encode(f ntFile, last bool) []byte {
	b := make([]byte, c.nameAt)
	for i, t := range f.times {
		binary.LittleEndian.PutUint64(b[8+8*i:], uint64(t))
	}
	binary.LittleEndian.PutUint64(b[40:], uint64(f.size))
	binary.LittleEndian.PutUint64(b[48:], uint64(f.size+4095)&^4095)
	binary.LittleEndian.PutUint32(b[56:], f.attributes)
	binary.LittleEndian.PutUint32(b[60:], uint32(2*len(f.name)))
	if c.idAt > 0 {
		binary.LittleEndian.PutUint64(b[c.idAt:], f.id)
	}
	if c.tagAt > 0 {
		binary.LittleEndian.PutUint32(b[c.tagAt:], f.tag)
	}
	b = append(b, units(f.name...)...)
	if !last {
		b = append(b, make([]byte, -len(b)&7)...)
		binary.LittleEndian.PutUint32(b, uint32(len(b)))
	}
	return b
}

// Records of Wine 8 for a directory with these files.
func TestNTRecordsOfWine(t *testing.T) {
	when := time.Date(2024, 2, 29, 12, 34, 56, 789012300, time.UTC)
	for _, c := range ntClasses {
		buf, err := os.ReadFile(filepath.Join("testdata", "wine8", fmt.Sprintf("class%d.bin", c.number)))
		if os.IsNotExist(err) {
			continue // Wine lacks this class
		}
		require.NoError(t, err)
		modes, sizes, ids := map[string]fs.FileMode{}, map[string]int64{}, map[string]bool{}
		for len(buf) > 0 {
			record, units, size := c.parse(buf)
			require.NotZero(t, size)
			buf = buf[size:]
			name := string(appendWTF8(nil, units))
			var info Info
			record.fill(c, &info)
			modes[name], sizes[name] = info.Mode, info.Size
			_, ids[name] = record.id(c)
			if name != "." && name != ".." {
				assert.Equal(t, when, info.ModTime.UTC(), name)
				assert.Equal(t, when, info.AccessTime.UTC(), name)
			}
		}
		d, f := fs.ModeDir|0o777, fs.FileMode(0o666)
		assert.Equal(t, map[string]fs.FileMode{
			".": d, "..": d, "sub": d, "a.txt": f, "ünï-日本-😀.txt": f, "linkdir": fs.ModeSymlink | 0o666,
		}, modes)
		assert.Equal(t, int64(11), sizes["a.txt"])
		assert.Equal(t, c.idAt > 0, ids["a.txt"])
	}
}

func TestNTRecordsRoundTrip(t *testing.T) {
	files := []ntFile{
		{name: []uint16{'.'}, attributes: ntIsDirectory},
		{name: []uint16{'a'}, size: 1<<40 + 1, id: 7, times: [4]int64{1, 116444736000000000, 116444736000000001, 133536332967890123}},
		{name: utf16.Encode([]rune("日本😀")), attributes: ntIsDirectory | ntReparsePoint, tag: 0x9000601a, id: 1 << 63},
		{name: []uint16{0xd800, 'x', 0xdc00}, attributes: ntReadOnly | ntHidden, id: 9},
		{name: make([]uint16, 255), id: 10},
	}
	for i := range files[4].name {
		files[4].name[i] = 0xffff
	}
	for _, c := range ntClasses {
		var buf []byte
		for i, f := range files {
			buf = append(buf, c.encode(f, i == len(files)-1)...)
		}
		for _, f := range files {
			record, name, size := c.parse(buf)
			require.NotZero(t, size, "class %d", c.number)
			buf = buf[size:]
			assert.Equal(t, units(f.name...), name)
			assert.Equal(t, f.attributes, record.attributes())
			var info Info
			record.fill(c, &info)
			assert.Equal(t, f.size, info.Size)
			assert.Equal(t, (f.size+4095)&^4095, info.Allocated)
			assert.Equal(t, [4]time.Time{ntTime(f.times[0]), ntTime(f.times[1]), ntTime(f.times[2]), ntTime(f.times[3])},
				[4]time.Time{info.BirthTime, info.AccessTime, info.ModTime, info.ChangeTime})
			if id, ok := record.id(c); ok || f.id != 0 && c.idAt > 0 {
				assert.Equal(t, f.id, id)
			}
			if c.tagAt > 0 {
				assert.Equal(t, f.tag, record.tag(c))
			}
		}
		assert.Empty(t, buf)
	}
}

func TestNTTime(t *testing.T) {
	assert.True(t, ntTime(0).IsZero())
	assert.Equal(t, time.Unix(0, 0), ntTime(116444736000000000))
	assert.Equal(t, "1601-01-01T00:00:00.0000001Z", ntTime(1).UTC().Format(time.RFC3339Nano))
	assert.Equal(t, "1969-12-31T23:59:59.9999999Z", ntTime(116444735999999999).UTC().Format(time.RFC3339Nano))
}

// Which reparse points are links, by bit 29 of the tag: MS-FSCC 2.1.2.1.
func TestReparseTags(t *testing.T) {
	link, ordinary := []uint32{
		0xa0000003, // junction, or a volume mounted on a directory
		0xa000000c, // symbolic link
		0xa000001d, // WSL's
		0xa0000019, 0xa0000027, 0xa0001027, 0xa0000022, 0xa000001f, 0xa0000010,
	}, []uint32{
		0x9000001a, 0x9000101a, 0x9000f01a, // cloud
		0x80000021, 0x9000001c, 0x80000018, 0x90001018, 0x8000001e, 0x90000027,
		0x80000013, 0x80000017, 0x80000008, 0xc0000004, 0x80000006, 0x8000000a, 0x80000009,
	}
	for _, tag := range link {
		assert.Equal(t, fs.ModeSymlink, ntMode(ntReparsePoint|ntIsDirectory, tag).Type(), "%#x", tag)
		assert.Equal(t, fs.ModeSymlink, ntMode(ntReparsePoint, tag).Type(), "%#x", tag)
	}
	for _, tag := range ordinary {
		assert.Equal(t, fs.ModeDir, ntMode(ntReparsePoint|ntIsDirectory, tag).Type(), "%#x", tag)
		assert.Equal(t, fs.FileMode(0), ntMode(ntReparsePoint, tag).Type(), "%#x", tag)
	}
	assert.Equal(t, fs.ModeSymlink, ntMode(ntReparsePoint|ntIsDirectory, 0).Type(), "none: not entered")
	for tag, want := range map[uint32]fs.FileMode{
		0x80000023: fs.ModeSocket, 0x80000024: fs.ModeNamedPipe,
		0x80000025: fs.ModeDevice | fs.ModeCharDevice, 0x80000026: fs.ModeDevice,
	} {
		assert.Equal(t, want, ntMode(ntReparsePoint, tag).Type(), "%#x", tag)
	}
	assert.Equal(t, fs.FileMode(0o444), ntMode(ntReadOnly, 0xa000000c), "the tag of what is no reparse point is another field")
}

func TestNTRecordsRefused(t *testing.T) {
	c := &ntIDFull
	good := func() []byte {
		first := c.encode(ntFile{name: utf16.Encode([]rune("abc"))}, false)
		return append(first, c.encode(ntFile{name: utf16.Encode([]rune("d"))}, true)...)
	}
	_, _, size := c.parse(good())
	require.Equal(t, 88, size)
	set := func(at int, value uint32) []byte {
		b := good()
		binary.LittleEndian.PutUint32(b[at:], value)
		return b
	}
	for what, buf := range map[string][]byte{
		"nothing":                       {},
		"half a head":                   good()[:60],
		"half a name":                   good()[:82],
		"next beyond the end":           set(0, 1<<20),
		"next beyond 31 bits":           set(0, 0xfffffff8),
		"next that is not aligned":      set(0, 87),
		"next into the head":            set(0, 8),
		"a name longer than the record": set(60, 10),
		"a name longer than the buffer": set(60, 0xfffffffe),
		"an odd length":                 set(60, 5),
		"no name":                       set(60, 0),
		"a name of nothing but NULs":    c.encode(ntFile{name: []uint16{0, 0}}, true),
	} {
		_, _, size := c.parse(buf)
		assert.Zero(t, size, what)
	}
	_, name, _ := c.parse(c.encode(ntFile{name: []uint16{'a', 0}}, true))
	assert.Equal(t, units('a'), name, "a NUL that was counted")
}

func FuzzNTRecord(f *testing.F) {
	for i, c := range ntClasses {
		buf, err := os.ReadFile(filepath.Join("testdata", "wine8", fmt.Sprintf("class%d.bin", c.number)))
		if err != nil {
			link := ntFile{name: utf16.Encode([]rune("ab")), tag: 0xa000000c, attributes: ntReparsePoint}
			buf = append(c.encode(link, false), c.encode(ntFile{name: utf16.Encode([]rune("c"))}, true)...)
		}
		f.Add(uint8(i), buf)
	}
	f.Fuzz(func(t *testing.T, which uint8, buf []byte) {
		c := ntClasses[int(which)%len(ntClasses)]
		for len(buf) > 0 {
			record, name, size := c.parse(buf)
			if size == 0 {
				return
			}
			if size < 0 || size > len(buf) || len(name) == 0 || len(name)%2 != 0 || len(record)+len(name) > size {
				t.Fatalf("%d bytes of %d, a name of %d", size, len(buf), len(name))
			}
			var info Info
			record.fill(c, &info)
			record.id(c)
			buf = buf[size:]
		}
	})
}

func BenchmarkNTRecord(b *testing.B) {
	var buf []byte
	for i, name := range []string{".", "..", "main.go", "README.md", "a-somewhat-longer-name.test.js", "lib"} {
		buf = append(buf, ntFull.encode(ntFile{name: utf16.Encode([]rune(name)), size: 42}, i == 5)...)
	}
	names := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		names = names[:0]
		for rest := buf; len(rest) > 0; {
			record, units, size := ntFull.parse(rest)
			if size == 0 {
				b.Fatal("refused")
			}
			var info Info
			record.fill(&ntFull, &info)
			names = appendWTF8(names, units)
			rest = rest[size:]
		}
	}
}
