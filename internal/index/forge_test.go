package index

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/state"
)

// resign gives a snapshot and its chunks their checksums, so that a fuzzer gets behind them.
func resign(data []byte) {
	le := binary.LittleEndian
	if len(data) < headerSize {
		return
	}
	size := int64(le.Uint32(data[12:]))
	if size < headerSize || size > int64(len(data)) {
		return
	}
	at := headerSize + int64(le.Uint32(data[20:])) + int64(le.Uint32(data[80:])) + int64(le.Uint32(data[40:]))*deviceSize
	body := data[size:]
	for len(body) > 0 && at+state.SumSize <= size {
		n := min(state.ChunkSize, len(body))
		le.PutUint32(data[at:], state.Checksum(body[:n]))
		at, body = at+state.SumSize, body[n:]
	}
	le.PutUint32(data[16:], state.Checksum(data[:16], data[20:size]))
}

// use asks a Recording for everything.
func use(t *testing.T, rec *Recording, d *dir.Dir) {
	above, visited := map[Node]bool{}, 0
	var visit func(n Node)
	visit = func(n Node) {
		require.False(t, above[n], "a loop")
		above[n] = true
		defer delete(above, n)
		visited++
		whole := sound(rec, n)
		batch, err := rec.Append(n, d, nil, new(dir.Position), nil)
		if whole {
			require.Contains(t, []error{nil, io.EOF}, err)
		}
		for i := range batch {
			require.NotEmpty(t, batch[i].Name)
			if whole {
				require.NotContains(t, string(batch[i].Name), "/")
			}
			if batch[i].Type == fs.ModeDir {
				require.True(t, isName(batch[i].Name), "%q", batch[i].Name)
			}
			if batch[i].Node != 0 && visited < 1000 {
				rec.child(n, batch[i].Name)
				visit(batch[i].Node)
			}
		}
	}
	if n := rec.node(rec.snap.root); n != 0 {
		visit(n)
	}
	for n := range Node(min(100, rec.snap.nodes()+10)) {
		fresh(rec, n, Stamp{})
		rec.Children(n, nil)
		_, _ = rec.Append(n, d, nil, new(dir.Position), nil)
	}
	w := newWriter("/x", nil)
	rec.copyTo(w)
	_, _, err := w.collect()
	require.NoError(t, err)
}

// Bytes with right checksums that no writer has written: no crash, no loop, no empty name.
func TestForged(t *testing.T) {
	root, s := small(t)
	logged(t, root, s)
	data, log := contents(t, s, root)
	r := rand.New(rand.NewPCG(dirtest.Setting(t, "LDX_SEED", 1), 4))
	d, closeReader := anyDir(t)
	defer closeReader()
	used := 0
	for range dirtest.Setting(t, "LDX_ROUNDS", 20_000) {
		forged := bytes.Clone(data)
		for range 1 + r.IntN(3) {
			forged[r.IntN(len(forged))] = []byte{0, 1, 2, 3, 8, '/', 64, 0xff}[r.IntN(8)]
		}
		resign(forged)
		forgedLog := append([]byte{}, log[:state.LogHeaderSize]...)
		for rest := log[state.LogHeaderSize:]; len(rest) > 0; {
			p := bytes.Clone(state.Frame(rest))
			rest = rest[state.FrameSize+len(p):]
			p[r.IntN(len(p))] = byte(r.IntN(12))
			forgedLog = append(state.AppendFrame(forgedLog, p), p...)
		}
		for _, l := range [][]byte{nil, forgedLog} {
			if rec := withSnapshot(forged, l); rec != nil {
				use(t, rec, d)
				used++
			}
		}
	}
	require.NotZero(t, used)
}

// logOf returns a log of directories that have only directories, by their nodes.
func logOf(id uint64, nodes ...[]Node) []byte {
	b := logHeader(id)
	for _, n := range nodes { // node, parent, children
		d := directory{parent: n[1], flags: stable | trusted}
		for i, child := range n[2:] {
			d.types = append(d.types, kindDir)
			d.children = binary.LittleEndian.AppendUint32(d.children, uint32(child))
			d.children = binary.LittleEndian.AppendUint32(d.children, uint32(len(d.names)))
			d.names = append(d.names, byte('a'+i), 0)
		}
		p := putDelta(nil, n[0], nil, &d)
		b = append(state.AppendFrame(b, p), p...)
	}
	return b
}

// The root is nobody's child, and a child has only one parent.
func TestOneParent(t *testing.T) {
	root, s := small(t)
	snap, _ := contents(t, s, root)
	id := withSnapshot(snap, nil).snap.id
	rec := withSnapshot(snap, logOf(id, []Node{1, 51, 50, 51}, []Node{50, 1}, []Node{51, 1, 1, 50}))
	assert.Equal(t, Node(50), rec.child(1, []byte("a")))
	assert.Equal(t, Node(51), rec.child(1, []byte("b")))
	assert.Zero(t, rec.child(51, []byte("a")))
	assert.Zero(t, rec.child(51, []byte("b")))
	// A number that is only referred to is not given again.
	assert.Equal(t, Node(71), newUpdate(withSnapshot(snap, logOf(id, []Node{1, 0, 70}))).newNode())
}

func TestConsistent(t *testing.T) {
	child := []byte{1, 0, 0, 0, 2, 0, 0, 0}
	good := directory{types: []byte{kindFile, kindDir}, children: child, names: []byte("a\x00b\x00")}
	assert.True(t, good.consistent())
	assert.True(t, new(directory).consistent())
	for _, names := range []string{"", "a\x00", "a\x00b", "\x00ab\x00", "a\x00\x00", "a\x00/b\x00", "a\x00b\x00c\x00"} {
		d := good
		d.names = []byte(names)
		assert.False(t, d.consistent(), "%q", names)
	}
	for _, d := range []directory{
		{types: []byte{kindFile, kindFile}, children: child, names: good.names},
		{types: good.types, names: good.names},
		{types: good.types, children: []byte{1, 0, 0, 0, 1, 0, 0, 0}, names: good.names},
		{types: []byte{kinds, kindDir}, children: child, names: good.names},
	} {
		assert.False(t, d.consistent())
	}
}

// Directories that the root does not lead to are left out of a snapshot.
func TestOrphans(t *testing.T) {
	w := newWriter("/x", nil)
	out := w.recorder()
	for _, parent := range []Node{0, 0, 1000, 2, 5} {
		out.add(&listing{node: w.newNode(), directory: directory{parent: parent}})
	}
	s := NewStore(filepath.Join(dirtest.TempDir(t), "ldx"))
	require.NoError(t, write(t, s, "/x", w))
	assert.Equal(t, 1, open(t, s, "/x").Info().Directories)
}

func FuzzSnapshot(f *testing.F) {
	root, s := small(f)
	data, _ := contents(f, s, root)
	f.Add(data)
	d, closeReader := anyDir(f)
	defer closeReader()
	f.Fuzz(func(t *testing.T, data []byte) {
		for range 2 {
			if rec := withSnapshot(data, nil); rec != nil {
				use(t, rec, d)
			}
			data = bytes.Clone(data)
			resign(data)
		}
	})
}

func FuzzLog(f *testing.F) {
	root, s := small(f)
	logged(f, root, s)
	snap, log := contents(f, s, root)
	f.Add(log[state.LogHeaderSize:])
	d, closeReader := anyDir(f)
	defer closeReader()
	f.Fuzz(func(t *testing.T, data []byte) {
		rec := withSnapshot(snap, nil)
		log := logHeader(rec.snap.id)
		rec.log = readLog(append(bytes.Clone(log), data...), rec.snap.id, rec.snap.nodes())
		use(t, rec, d)
		for len(data) >= state.FrameSize { // the same with right checksums
			n := min(len(data)-state.FrameSize, int(binary.LittleEndian.Uint16(data)))
			log = append(state.AppendFrame(log, data[state.FrameSize:state.FrameSize+n]), data[state.FrameSize:state.FrameSize+n]...)
			data = data[state.FrameSize+n:]
		}
		rec = withSnapshot(snap, log)
		use(t, rec, d)
	})
}
