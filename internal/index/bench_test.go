package index

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// BenchmarkWrite writes a snapshot of what was collected.
func BenchmarkWrite(b *testing.B) {
	root := benchTree(b)
	s, w := NewStore(dirtest.TempDir(b)+"/ldx"), newWriter(root, nil)
	record(b, w, root)
	for b.Loop() {
		require.NoError(b, write(b, s, root, w))
	}
	info := open(b, s, root).Info()
	b.ReportMetric(float64(info.Entries), "entries")
	b.ReportMetric(float64(info.Directories), "directories")
	b.ReportMetric(float64(info.Size), "bytes")
	b.ReportMetric(float64(info.Size)/float64(info.Entries+1), "bytes/entry")
}

// BenchmarkOpen opens and closes a recording.
func BenchmarkOpen(b *testing.B) {
	root, s := benchRecording(b)
	b.ReportAllocs()
	for b.Loop() {
		rec, err := s.Open(root)
		require.NoError(b, err)
		require.NoError(b, rec.Close())
	}
}

// BenchmarkRecall opens a recording and makes all its entries, by one goroutine.
func BenchmarkRecall(b *testing.B) {
	root, s := benchRecording(b)
	r := dir.NewReader(0)
	defer r.Close()
	d, err := r.Open(dir.Root(root, root, 0))
	require.NoError(b, err)
	var batch []dir.Entry
	var queue []Node
	b.ReportAllocs()
	for b.Loop() {
		rec, err := s.Open(root)
		require.NoError(b, err)
		for queue = append(queue[:0], rec.node(root)); len(queue) > 0; {
			n := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			rd, _ := rec.directory(n)
			if !fresh(rec, n, rd.stamp) {
				b.Fatal("not fresh")
			}
			if batch, err = rec.Append(n, d, batch[:0], new(dir.Position), nil); err != io.EOF {
				b.Fatal(err)
			}
			for i := range batch {
				if batch[i].Node != 0 {
					queue = append(queue, batch[i].Node)
				}
			}
		}
		require.NoError(b, rec.Close())
	}
}

// benchTree returns the tree that LDX_TREE names.
func benchTree(b *testing.B) string {
	root := os.Getenv("LDX_TREE")
	if root == "" {
		b.Skip("LDX_TREE names no tree")
	}
	return root
}

// benchRecording records that tree.
func benchRecording(b *testing.B) (root string, s Store) {
	root = benchTree(b)
	s = NewStore(dirtest.TempDir(b) + "/ldx")
	w := newWriter(root, nil)
	record(b, w, root)
	require.NoError(b, write(b, s, root, w))
	return root, s
}
