//go:build !windows

// The store is hardly used on Windows: all files are read.

package catalogue

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/state"
)

// A fakeTree is files that exist in a map alone.
type fakeTree map[Key]Stamp

func makeFakes(n int, seed uint64) fakeTree {
	r := rand.New(rand.NewPCG(seed, 1))
	t := fakeTree{}
	for len(t) < n {
		t[Key{10*seed + r.Uint64N(3), 2 + r.Uint64N(uint64(10*n))}] = Stamp{Size: r.Int64N(1 << 40), Modified: r.Int64(), Changed: r.Int64()}
	}
	return t
}

func hashOf(k Key, s Stamp) Sum { return sha256.Sum256(fmt.Append(nil, k, s)) }

// scan looks all files up, and stores those that are not known, as a complete scan does. It returns
// how many were known.
func (tree fakeTree) scan(t *testing.T, opt Options) (known int) {
	t.Helper()
	c, err := Open(opt)
	require.NoError(t, err)
	h := c.Hasher()
	for k, stamp := range tree {
		r, number, ok := c.stored(k, true)
		if ok && r.stamp == stamp {
			require.Equal(t, hashOf(k, stamp), r.sum)
			c.meet(number)
			known++
			continue
		}
		h.keep(entry{k, 0, stamp, hashOf(k, stamp)}, false)
	}
	c.Complete()
	require.NoError(t, c.Close())
	return known
}

// change gives n files another stamp. If renew is set they are other files then.
func (tree fakeTree) change(n int, renew bool) {
	for _, k := range slices.Collect(maps.Keys(tree))[:n] {
		s := tree[k]
		if renew {
			delete(tree, k)
			k.Inode += 1 << 40
		}
		s.Changed++
		tree[k] = s
	}
}

// size returns the number of bytes of the store, and its files.
func size(t *testing.T, dir string) (n int64, files map[string][]byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files = map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = data
		n += int64(len(data))
	}
	return n, files
}

// TestGrowth rescans a tree ten times: nothing is written if nothing has changed; with a hundredth
// of the files changed, or replaced by others, each time the store grows by less than a tenth.
func TestGrowth(t *testing.T) {
	const n = 4_000
	for _, renew := range []bool{false, true} {
		opt := Options{Dir: dirtest.TempDir(t), Roots: []string{"/tree"}}
		tree := makeFakes(n, 1)
		assert.Zero(t, tree.scan(t, opt))
		first, files := size(t, opt.Dir)
		assert.LessOrEqual(t, first, int64(90*n))
		for range 10 {
			assert.Equal(t, n, tree.scan(t, opt))
		}
		_, now := size(t, opt.Dir)
		assert.Equal(t, files, now)
		for range 10 {
			tree.change(n/100, renew)
			assert.Equal(t, n-n/100, tree.scan(t, opt))
			grown, _ := size(t, opt.Dir)
			assert.LessOrEqual(t, grown, first+first/10)
		}
		assert.Equal(t, n, tree.scan(t, opt))
	}
}

// TestDropped drops what a complete scan of a tree has not met, when the store is written as a
// whole; what is in other trees stays, and what a scan has not looked for.
func TestDropped(t *testing.T) {
	home := dirtest.TempDir(t)
	opt := func(root string, all bool) Options { return Options{Dir: home, Roots: []string{root}, All: all} }
	makeFakes(100, 1).scan(t, opt("/other", true))
	hidden := makeFakes(100, 2)
	hidden.scan(t, opt("/tree", true))
	inner := makeFakes(100, 3)
	inner.scan(t, opt("/tree/below", false))
	makeFakes(1000, 4).scan(t, opt("/tree", false))
	s, err := openStore(home, true)
	require.NoError(t, err)
	assert.Equal(t, 1200, s.count(), "the hidden files are not what the last scan looked for")
	require.NoError(t, s.close())
	makeFakes(2000, 5).scan(t, opt("/tree", true))
	s, err = openStore(home, true)
	require.NoError(t, err)
	assert.Equal(t, 2100, s.count())
	require.NoError(t, s.close())
	assert.Equal(t, 100, makeFakes(100, 1).scan(t, opt("/other", true)))
}

// TestWriters has two processes hash at a time: one writes, and the other one after it.
func TestWriters(t *testing.T) {
	opt := Options{Dir: dirtest.TempDir(t)}
	makeFakes(10, 1).scan(t, opt)
	a, err := Open(opt)
	require.NoError(t, err)
	b, err := Open(opt)
	require.NoError(t, err)
	put := func(c *Catalogue, inode uint64) {
		k := Key{9, inode}
		c.Hasher().keep(entry{k, 0, Stamp{}, hashOf(k, Stamp{})}, false)
	}
	put(a, 1)
	put(b, 2)
	require.NoError(t, a.Commit())
	require.NoError(t, b.Commit(), "it waits for its turn")
	put(a, 3)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
	s, err := openStore(opt.Dir, true)
	require.NoError(t, err)
	for inode := range uint64(3) {
		_, found := s.find(Key{9, inode + 1})
		assert.NotNil(t, found, inode)
	}
	require.NoError(t, s.close())
}

// TestTorn cuts the log, and the store, at every length: what is left is right.
func TestTorn(t *testing.T) {
	home := dirtest.TempDir(t)
	opt := Options{Dir: home}
	old, tree := makeFakes(8, 1), makeFakes(1, 2)
	old.scan(t, opt)
	c, err := Open(opt)
	require.NoError(t, err)
	w, err := newWriter(home, c.store)
	require.NoError(t, err)
	for k, s := range tree {
		require.NoError(t, w.append([]entry{{k, 0, s, hashOf(k, s)}, {Key{77, 7}, 0, s, hashOf(k, s)}}, c.roots))
	}
	require.NoError(t, w.close())
	require.NoError(t, c.Close())
	_, files := size(t, home)
	for _, name := range []string{logName, storeName} {
		for n := range len(files[name]) {
			require.NoError(t, os.WriteFile(filepath.Join(home, name), files[name][:n], 0o600))
			known := old.scan(t, opt)
			if name == logName {
				require.Equal(t, len(old), known, n)
			}
			restore(t, home, files)
		}
	}
}

func restore(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.Mkdir(dir, 0o700))
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
}

// TestFlipped flips bits of the store and of the log: no wrong hash is found, and after a scan all
// are found again.
func TestFlipped(t *testing.T) {
	home := dirtest.TempDir(t)
	opt := Options{Dir: home}
	tree := makeFakes(1000, 1)
	tree.scan(t, opt)
	tree.change(20, false)
	tree.scan(t, opt)
	_, files := size(t, home)
	require.NotEmpty(t, files[logName])
	r := rand.New(rand.NewPCG(1, 2))
	for range dirtest.Setting(t, "LDX_FLIPS", 50) {
		for _, name := range []string{storeName, logName} {
			data := bytes.Clone(files[name])
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			require.NoError(t, os.WriteFile(filepath.Join(home, name), data, 0o600))
			tree.scan(t, opt)
			require.Equal(t, len(tree), tree.scan(t, opt))
			restore(t, home, files)
		}
	}
}

// TestOwner refuses a store that others may write.
func TestOwner(t *testing.T) {
	home := dirtest.TempDir(t)
	tree := makeFakes(10, 1)
	tree.scan(t, Options{Dir: home})
	require.NoError(t, os.Chmod(filepath.Join(home, storeName), 0o666))
	if info, err := os.Stat(filepath.Join(home, storeName)); err != nil || info.Mode().Perm() != 0o666 {
		t.Skip("there are no such permissions here")
	}
	c, err := Open(Options{Dir: home})
	require.ErrorIs(t, err, state.ErrOwner)
	h := c.Hasher()
	h.keep(entry{}, false)
	require.NoError(t, c.Close())
}

// FuzzStore opens anything as a store, and looks everything up in it.
func FuzzStore(f *testing.F) {
	add := func(records int, t tables) {
		var body, sums []byte
		for i := range records {
			body = putRecord(body, &record{place: place{0, uint64(i)}})
		}
		for chunk := range bytesIn(body, state.ChunkSize) {
			sums = binary.LittleEndian.AppendUint32(sums, state.Checksum(chunk))
		}
		encoded := t.put()
		f.Add(append(append(append(header(7, records, &t, encoded), body...), sums...), encoded...))
	}
	add(0, tables{})
	add(3, tables{[]uint64{1}, []root{{"/a", true}}})
	add(1000, tables{[]uint64{1, 2}, []root{{"/a", true}, {"", false}}})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mend := range []bool{false, true} {
			if mend && len(data) >= headerSize {
				data = mended(data)
			}
			s, err := parse(data)
			if err != nil {
				continue
			}
			for i := range min(s.count(), 100) {
				if b := s.at(i); b != nil {
					s.find(placeOf(b))
				}
			}
			log := readLog(nil, s.id, s.tables, false)
			m := merger{old: &s, log: &log, keep: func(int, root) bool { return true }}
			out, err := os.CreateTemp(t.TempDir(), "")
			require.NoError(t, err)
			require.NoError(t, m.write(out))
			written, err := os.ReadFile(out.Name())
			require.NoError(t, err)
			_, err = parse(written)
			require.NoError(t, err)
			require.NoError(t, out.Close())
		}
	})
}

// mended returns data with the checksum of its header right.
func mended(data []byte) []byte {
	data = bytes.Clone(data)
	le := binary.LittleEndian
	if size := le.Uint64(data[32:]); size <= uint64(len(data)-headerSize) {
		le.PutUint32(data[12:], state.Checksum(data[16:headerSize], data[uint64(len(data))-size:]))
	}
	return data
}

func bytesIn(b []byte, n int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			part := b[:min(n, len(b))]
			if b = b[len(part):]; !yield(part) {
				return
			}
		}
	}
}

// FuzzLog reads anything as a log, with frames around it that are right.
func FuzzLog(f *testing.F) {
	f.Add(putRecord([]byte{tagRecords}, &record{}))
	f.Add(putRoot([]byte{tagRoot}, root{"/a", true}))
	f.Add([]byte("F12345678"))
	f.Fuzz(func(t *testing.T, data []byte) {
		log := state.LogHeader(logMagic, version, 1)
		for part := range bytesIn(data, 1+recordSize) {
			log = append(state.AppendFrame(log, part), part...)
		}
		for _, text := range [][]byte{log, data, append(log[:state.LogHeaderSize:state.LogHeaderSize], data...)} {
			l := readLog(text, 1, tables{volumes: []uint64{1}}, true)
			for i := range l.starts {
				if _, b := l.find(placeOf(l.at(uint32(i)))); b == nil {
					t.Fatal("a record is not found")
				}
			}
		}
	})
}
