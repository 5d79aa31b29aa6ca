package index

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/state"
)

// A small tree with a log: what a directory has is in the snapshot, in the log, or in both.
func small(t testing.TB) (root string, s Store) {
	needStamps(t)
	root, s = dirtest.TempDir(t), NewStore(filepath.Join(dirtest.TempDir(t), "ldx"))
	dirtest.Make(t, root, "a/b/c", "a/d/", "e", "f/g/h/")
	w := newWriter(root, nil)
	record(t, w, root)
	require.NoError(t, write(t, s, root, w))
	return root, s
}

// logged changes the tree of small and appends to the log, twice.
func logged(t testing.TB, root string, s Store) {
	for _, entry := range []string{"a/new/dir/x", "f/y"} {
		tick(t, root)
		dirtest.Make(t, root, entry)
		assert.NotZero(t, update(t, s, root))
	}
}

// withSnapshot is a Recording of bytes; nil if they are refused.
func withSnapshot(data, log []byte) *Recording {
	snap, err := parse(data)
	if err != nil {
		return nil
	}
	return &Recording{snap: snap, log: readLog(log, snap.id, snap.nodes())}
}

func contents(t testing.TB, s Store, root string) (snap, log []byte) {
	snap, err := os.ReadFile(s.file(root, snapshotExt))
	require.NoError(t, err)
	log, _ = os.ReadFile(s.file(root, logExt))
	return snap, log
}

// A snapshot of any other length is refused.
func TestSnapshotTorn(t *testing.T) {
	root, s := small(t)
	data, _ := contents(t, s, root)
	for n := range data {
		_, err := parse(data[:n:n])
		require.ErrorIs(t, err, ErrDamaged, n)
	}
	_, err := parse(append(bytes.Clone(data), 0))
	require.ErrorIs(t, err, ErrDamaged)
}

// Each byte flipped is an error or a part that is read live, and never another answer. The
// stamps are not asked: the checksums alone must do it.
func TestSnapshotFlipped(t *testing.T) {
	root, s := small(t)
	data, _ := contents(t, s, root)
	refused, damaged := 0, 0
	for i := range data {
		for _, mask := range []byte{1, 0x80, 0xff} {
			flipped := bytes.Clone(data)
			flipped[i] ^= mask
			rec := withSnapshot(flipped, nil)
			if rec == nil {
				refused++
				continue
			}
			_, read := compare(t, rec, root, true)
			require.NotZero(t, read, "byte %d", i) // all is in one chunk
			require.True(t, rec.isDamaged())
			damaged++
		}
	}
	assert.NotZero(t, refused)
	assert.NotZero(t, damaged)
}

// In a large snapshot a flipped byte costs the directories of its chunk alone.
func TestLargeFlipped(t *testing.T) {
	root, w := "/large", newWriter("/large", nil)
	out := w.recorder()
	r := rand.New(rand.NewPCG(dirtest.Setting(t, "LDX_SEED", 1), 3))
	directories := []*listing{{node: w.newNode()}}
	reads := []*dir.Listing{{}}
	for i := 0; i < len(directories) && i < 3000; i++ {
		for j := range 1 + r.IntN(30) {
			name := binary.BigEndian.AppendUint64([]byte("name-"), uint64(i*100+j)|0x0101010101010101<<5)
			name = bytes.ReplaceAll(bytes.ReplaceAll(name, []byte{0}, []byte{'0'}), []byte{'/'}, []byte{'1'})
			if j%7 == 0 && len(directories) < 3000 {
				directories = append(directories, &listing{node: w.newNode(), name: name})
				reads = append(reads, &dir.Listing{Parent: directories[i].node})
				reads[i].Append(name, os.ModeDir)
			} else {
				reads[i].Append(name, 0)
			}
		}
	}
	for _, i := range r.Perm(len(directories)) {
		reads[i].Node, reads[i].Name = directories[i].node, directories[i].name
		directories[i].set(reads[i])
		directories[i].flags = stable | trusted
		out.add(directories[i])
	}
	s := NewStore(filepath.Join(dirtest.TempDir(t), "ldx"))
	require.NoError(t, write(t, s, root, w))
	data, _ := contents(t, s, root)
	require.Greater(t, len(data), 10*state.ChunkSize)
	d, closeReader := anyDir(t)
	defer closeReader()
	for range dirtest.Setting(t, "LDX_ROUNDS", 100) {
		flipped := bytes.Clone(data)
		at := r.IntN(len(data))
		flipped[at] ^= byte(1 + r.IntN(255))
		rec := withSnapshot(flipped, nil)
		if rec == nil {
			continue
		}
		whole := 0
		for _, l := range directories {
			if !fresh(rec, l.node, Stamp{}) {
				continue
			}
			whole++
			batch, err := rec.Append(l.node, d, nil, new(dir.Position), nil)
			require.Equal(t, io.EOF, err)
			var names []byte
			for e := range batch {
				names = append(append(names, batch[e].Name...), 0)
			}
			require.Equal(t, l.names, names, "byte %d", at)
		}
		require.Less(t, whole, len(directories), "byte %d", at)
		require.NotZero(t, whole, "byte %d", at)
	}
}

// A log that is torn or flipped anywhere leaves what comes before, and the stamps leave no old
// answer.
func TestLogDamaged(t *testing.T) {
	root, s := small(t)
	logged(t, root, s)
	snap, log := contents(t, s, root)
	all, read := compare(t, withSnapshot(snap, log), root, true)
	require.Zero(t, read, all)
	for n := range log {
		_, read := compare(t, withSnapshot(snap, log[:n:n]), root, false)
		require.NotZero(t, read, n)
	}
	for i := range log {
		flipped := bytes.Clone(log)
		flipped[i] ^= 0x10
		_, read := compare(t, withSnapshot(snap, flipped), root, false)
		require.NotZero(t, read, i)
	}
}

// A torn log is cut and continued; a node that was lost is not given again.
func TestLogTornThenExtended(t *testing.T) {
	root, s := small(t)
	logged(t, root, s)
	_, log := contents(t, s, root)
	for n := range log {
		require.NoError(t, os.WriteFile(s.file(root, logExt), log[:n], 0o600))
		require.NotZero(t, update(t, s, root), n)
		requireWhole(t, s, root)
	}
}
