//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"io"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// hasBirth reports whether Info has BirthTime.
const hasBirth = true

// On a file system that gives DT_UNKNOWN for all entries, the result is the same.
func TestUnknownTypes(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "file", "dir/", "link -> file")
	r := NewReader(0)
	defer r.Close()
	d, err := r.Open(Root(root, root, 0))
	require.NoError(t, err)
	var records []byte
	want := map[string]fs.FileMode{"file": 0, "dir": fs.ModeDir, "link": fs.ModeSymlink}
	for name := range want {
		records = append(records, dirent(name, 0, unix.DT_UNKNOWN)...)
	}
	batch, err := appendDirents(nil, d, records)
	require.NoError(t, err)
	got := map[string]fs.FileMode{}
	for _, e := range batch {
		got[string(e.Name)] = e.Type
	}
	assert.Equal(t, want, got)
}

// On some file systems the position of the last record shows the end. A batch that stops
// before it must not end the directory.
func TestEndOfDir(t *testing.T) {
	d := &Dir{}
	last := append(dirent("a", 5, unix.DT_REG), dirent("b", endOfDir, unix.DT_REG)...)
	batch, err := appendDirents(nil, d, last)
	assert.Equal(t, io.EOF, err)
	assert.Len(t, batch, 2)

	more := append(dirent("b", endOfDir, unix.DT_REG), dirent("a", 5, unix.DT_REG)...)
	batch, err = appendDirents(nil, d, more)
	require.NoError(t, err)
	assert.Len(t, batch, 2)

	dots := append(dirent(".", 1, unix.DT_DIR), dirent("..", endOfDir, unix.DT_DIR)...)
	batch, err = appendDirents(nil, d, dots)
	assert.Equal(t, io.EOF, err)
	assert.Empty(t, batch)
}

func BenchmarkAppendDirents(b *testing.B) {
	var buf []byte
	for _, name := range []string{".", "..", "main.go", "README.md", "a-somewhat-longer-name.test.js", "lib", "index.html"} {
		buf = append(buf, dirent(name, 1, unix.DT_REG)...)
	}
	d, batch := &Dir{}, []Entry(nil)
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if batch, err = appendDirents(batch[:0], d, buf); err != nil {
			b.Fatal(err)
		}
	}
}

// Entries with an empty name or a slash in it are left out, with an error after the listing.
func TestInvalidNames(t *testing.T) {
	r := NewReader(0)
	d := &Dir{reader: r}
	var buf []byte
	for _, name := range []string{"good", "a/b", "/", "\x00rest", "..\x00rest", ".\x00", "fine"} {
		buf = append(buf, dirent(name, 5, dtRegular)...)
	}
	batch, err := appendDirents(nil, d, buf)
	require.NoError(t, err)
	var got []string
	for _, e := range batch {
		got = append(got, string(e.Name))
	}
	assert.Equal(t, []string{"good", "fine"}, got)
	assert.Equal(t, errName, r.invalid)
}
