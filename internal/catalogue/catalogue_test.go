package catalogue

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// begin opens a catalogue in which files that have just been written may be stored, as if the slack
// were over. It skips the test where no file system is trusted.
func begin(t *testing.T, opt Options) *Catalogue {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("no file system is trusted here")
	}
	c, err := Open(opt)
	require.NoError(t, err)
	c.slack = -time.Hour
	return c
}

// sum returns the hash of a file, and how many bytes were read for it.
func sum(t *testing.T, h *Hasher, path string) (s Sum, read int64) {
	t.Helper()
	f, err := dir.OpenFile(path)
	require.NoError(t, err)
	defer f.Close()
	before := h.c.Bytes()
	s, size, err := h.Sum(0, f)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	assert.Equal(t, info.Size(), size)
	return s, h.c.Bytes() - before
}

// contents returns files with contents of sizes at which reading changes.
func contents(seed uint64) map[string][]byte {
	r := rand.New(rand.NewPCG(seed, 0))
	files := map[string][]byte{}
	for _, n := range []int{0, 1, 4095, 4096, 65536, bufferSize - 1, bufferSize, bufferSize + 1, 3*bufferSize + 7} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		files[fmt.Sprint(n)] = data
	}
	return files
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

func TestSum(t *testing.T) {
	base := dirtest.TempDir(t)
	c, err := Open(Options{None: true})
	require.NoError(t, err)
	h := c.Hasher()
	for name, data := range contents(1) {
		path := filepath.Join(base, name)
		write(t, path, data)
		got, read := sum(t, h, path)
		assert.Equal(t, Sum(sha256.Sum256(data)), got, name)
		assert.EqualValues(t, len(data), read)
	}
	require.NoError(t, c.Close())
}

// TestSparse hashes files with holes at the beginning, in the middle and at the end.
func TestSparse(t *testing.T) {
	base := dirtest.TempDir(t)
	c, err := Open(Options{None: true})
	require.NoError(t, err)
	h := c.Hasher()
	const hole = 2*bufferSize + 12345
	for _, parts := range [][]int64{{hole}, {hole, 5}, {5, hole}, {70000, hole, 70000, hole}, {hole, 1, hole, 1}} {
		path := filepath.Join(base, fmt.Sprint(parts))
		f, err := os.Create(path)
		require.NoError(t, err)
		var want []byte
		for _, n := range parts {
			if n == hole {
				want = append(want, make([]byte, n)...)
				continue
			}
			data := bytes.Repeat([]byte("data"), int(n))
			_, err := f.WriteAt(data, int64(len(want)))
			require.NoError(t, err)
			want = append(want, data...)
		}
		require.NoError(t, f.Truncate(int64(len(want))))
		require.NoError(t, f.Close())
		got, _ := sum(t, h, path)
		assert.Equal(t, Sum(sha256.Sum256(want)), got, parts)
	}
}

// TestStored reads a file once; again after any change of it, also if size and mtime are as before.
func TestStored(t *testing.T) {
	needsNanoseconds(t)
	base := dirtest.TempDir(t)
	state := filepath.Join(base, "state")
	path := filepath.Join(base, "file")
	write(t, path, []byte("first"))
	require.NoError(t, os.Link(path, filepath.Join(base, "link")))
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))
	again := func(path, want string, read int64) {
		t.Helper()
		c := begin(t, Options{Dir: state})
		h := c.Hasher()
		for _, read := range []int64{read, 0} { // in the same run the other name has the hash
			s, n := sum(t, h, path)
			assert.Equal(t, Sum(sha256.Sum256([]byte(want))), s)
			assert.Equal(t, read, n)
		}
		require.NoError(t, c.Close())
	}
	again(path, "first", 5)
	again(path, "first", 0)
	again(filepath.Join(base, "link"), "first", 0)
	require.NoError(t, os.Rename(path, filepath.Join(base, "moved")))
	path = filepath.Join(base, "moved")
	again(path, "first", 5) // which has changed its ctime
	write(t, path, []byte("other"))
	require.NoError(t, os.Chtimes(path, old, old))
	again(path, "other", 5)
	again(path, "other", 0)

	require.NoError(t, os.Mkdir(filepath.Join(base, "dir"), 0o700))
	path = filepath.Join(base, "dir", "file")
	require.NoError(t, os.Link(filepath.Join(base, "link"), path))
	again(path, "other", 5)
	require.NoError(t, os.Rename(filepath.Join(base, "dir"), filepath.Join(base, "other")))
	again(filepath.Join(base, "other", "file"), "other", 0)
}

// needsNanoseconds skips a test where fstat(2) gives times in seconds, as in qemu for s390x.
func needsNanoseconds(t *testing.T) {
	t.Helper()
	path := filepath.Join(dirtest.TempDir(t), "file")
	write(t, path, nil)
	exact := time.Unix(1_000_000_000, 123_456_000)
	require.NoError(t, os.Chtimes(path, exact, exact))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.ModTime().Nanosecond() == 0 {
		t.Skip("fstat gives no nanoseconds: ", err)
	}
}

// TestLookup finds what is stored without opening a file.
func TestLookup(t *testing.T) {
	needsNanoseconds(t)
	base := dirtest.TempDir(t)
	state := filepath.Join(base, "state")
	known, other := filepath.Join(base, "known"), filepath.Join(base, "other")
	write(t, known, []byte("known"))
	write(t, other, []byte("other"))
	c := begin(t, Options{Dir: state})
	sum(t, c.Hasher(), known)
	require.NoError(t, c.Close())

	c = begin(t, Options{Dir: state})
	h := c.Hasher()
	look := func(path string) (Sum, bool) {
		info, err := dir.Stat(path, Fields)
		require.NoError(t, err)
		return h.Lookup([]byte(path), &info)
	}
	_, ok := look(known)
	assert.False(t, ok, "its file system is not known yet")
	sum(t, h, other)
	got, ok := look(known)
	assert.True(t, ok)
	assert.Equal(t, Sum(sha256.Sum256([]byte("known"))), got)
	_, ok = look(other)
	assert.False(t, ok, "it is in the store of the next run")
	write(t, known, []byte("later"))
	_, ok = look(known)
	assert.False(t, ok)
	require.NoError(t, c.Close())
}

// TestYoung stores nothing of a file whose ctime is younger than the slack.
func TestYoung(t *testing.T) {
	base := dirtest.TempDir(t)
	write(t, filepath.Join(base, "file"), []byte("young"))
	for range 2 {
		c := begin(t, Options{Dir: filepath.Join(base, "state")})
		c.slack = time.Hour
		_, read := sum(t, c.Hasher(), filepath.Join(base, "file"))
		assert.EqualValues(t, 5, read)
		require.NoError(t, c.Close())
	}
	assert.NoDirExists(t, filepath.Join(base, "state"))
}

// TestTrustModified keeps hashes by path on a file system that is not trusted.
func TestTrustModified(t *testing.T) {
	base := dirtest.TempDir(t)
	path := filepath.Join(base, "file")
	write(t, path, []byte("text"))
	var reads []int64
	for _, trust := range []bool{true, true, false} {
		c := begin(t, Options{Dir: filepath.Join(base, "state"), TrustModified: trust})
		f, err := os.Open(path)
		require.NoError(t, err)
		about, err := stateOf(f)
		require.NoError(t, err)
		c.volumes.Store(&map[uint64]volume{about.device: {id: 1}})
		_, read := sum(t, c.Hasher(), path)
		reads = append(reads, read)
		require.NoError(t, f.Close())
		require.NoError(t, c.Close())
	}
	assert.Equal(t, []int64{4, 0, 4}, reads)
}

// TestChanged changes a file while it is read.
func TestChanged(t *testing.T) {
	base := dirtest.TempDir(t)
	path := filepath.Join(base, "file")
	write(t, path, make([]byte, 2*bufferSize))
	c := begin(t, Options{Dir: filepath.Join(base, "state")})
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	before, err := stateOf(f)
	require.NoError(t, err)
	write(t, path, []byte("short"))
	_, err = c.Hasher().read(f, &before)
	require.ErrorIs(t, err, ErrChanged)
	require.NoError(t, c.Close())
}

// TestNotRegular refuses what is no regular file.
func TestNotRegular(t *testing.T) {
	f, err := os.Open(dirtest.TempDir(t))
	require.NoError(t, err)
	defer f.Close()
	c, err := Open(Options{None: true})
	require.NoError(t, err)
	_, _, err = c.Hasher().Sum(0, f)
	require.ErrorIs(t, err, dir.ErrNotRegular)
}
