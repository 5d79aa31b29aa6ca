package printer_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/printer"
)

// plain renders paths as they are.
var plain = printer.NewLines(printer.Style{}, '\n')

// entries calls f for each entry of a directory.
func entries(t *testing.T, path, label string, f func(e *dir.Entry)) {
	t.Helper()
	r := dir.NewReader(0)
	defer r.Close()
	_, err := r.Open(dir.Root(path, label, 0).WithAbsolute("/r"))
	require.NoError(t, err)
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		for i := range batch {
			f(&batch[i])
		}
	}
}

func TestPrint(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "file", "-dash", "dir/", "-d/")
	for _, row := range []struct {
		label string
		null  bool
		want  []string
	}{
		{"", false, []string{"./-d/", "./-dash", "dir/", "file"}},
		{"x/", false, []string{"x/-d/", "x/-dash", "x/dir/", "x/file"}},
		{"-", false, []string{"./-/-d/", "./-/-dash", "./-/dir/", "./-/file"}},
		{"/", true, []string{"/-d/", "/-dash", "/dir/", "/file"}},
	} {
		var out bytes.Buffer
		end := "\n"
		if row.null {
			end = "\x00"
		}
		b := printer.New(&out, printer.NewLines(printer.Style{}, end[0]), printer.Options{}).NewBuffer()
		entries(t, tree, row.label, func(e *dir.Entry) { require.NoError(t, b.Add(e)) })
		require.NoError(t, b.Flush())
		got := strings.SplitAfter(out.String(), end)
		require.Empty(t, got[len(got)-1])
		got = got[:len(got)-1]
		for i := range got {
			got[i] = strings.TrimSuffix(got[i], end)
		}
		slices.Sort(got)
		assert.Equal(t, row.want, got)
	}
}

// Lines of many workers are never mixed, though all write at once.
func TestLinesAreWhole(t *testing.T) {
	tree := dirtest.TempDir(t)
	for _, c := range "abc" {
		dirtest.Make(t, tree, strings.Repeat(string(c), 100))
	}
	var out bytes.Buffer
	p := printer.New(&out, plain, printer.Options{})
	var workers sync.WaitGroup
	const times = 2000
	for range 4 {
		b := p.NewBuffer()
		workers.Go(func() {
			for range times {
				entries(t, tree, "", func(e *dir.Entry) { assert.NoError(t, b.Add(e)) })
			}
			assert.NoError(t, b.Flush())
		})
	}
	workers.Wait()
	count := map[string]int{}
	for line := range strings.Lines(out.String()) {
		count[line]++
	}
	assert.Equal(t, map[string]int{
		strings.Repeat("a", 100) + "\n": 4 * times, strings.Repeat("b", 100) + "\n": 4 * times,
		strings.Repeat("c", 100) + "\n": 4 * times,
	}, count)
}

// Pause writes results: each one for someone who is looking on, and otherwise at least the
// first.
func TestPauseShowsResults(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "file")
	for _, eager := range []bool{false, true} {
		var out bytes.Buffer
		b := printer.New(&out, plain, printer.Options{Eager: eager}).NewBuffer()
		show := func() {
			out.Reset()
			entries(t, tree, "", func(e *dir.Entry) { require.NoError(t, b.Add(e)) })
			require.NoError(t, b.Pause())
		}
		show()
		assert.Equal(t, "file\n", out.String(), "the first")
		show()
		if eager {
			assert.Equal(t, "file\n", out.String(), "the second")
		}
		require.NoError(t, b.Flush())
	}
}

// A slowRenderer has its Buffer flushed while it renders, as when it waits for the system.
type slowRenderer struct {
	printer.Renderer
	wait func()
}

func (r *slowRenderer) Append(b []byte, e *dir.Entry) []byte {
	r.wait()
	return r.Renderer.Append(b, e)
}

// Each result is written once, also if the Buffer is flushed while the next one is rendered.
func TestFlushDuringAdd(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a", "b", "c", "d", "e")
	for _, hold := range []time.Duration{0, time.Hour} {
		var out bytes.Buffer
		slow := &slowRenderer{Renderer: plain, wait: func() {}}
		p := printer.New(&out, slow, printer.Options{Hold: hold})
		b := p.NewBuffer()
		flushes := 0
		slow.wait = func() {
			if flushes++; flushes%2 == 0 {
				require.NoError(t, b.Flush())
			}
		}
		entries(t, tree, "", func(e *dir.Entry) { require.NoError(t, b.Add(e)) })
		require.NoError(t, b.Flush())
		require.NoError(t, p.Close())
		assert.ElementsMatch(t, []string{"a", "b", "c", "d", "e"}, strings.Fields(out.String()), "hold %v", hold)
	}
}

type fullDisk struct{ writes int }

func (w *fullDisk) Write([]byte) (int, error) { w.writes++; return 0, context.DeadlineExceeded }

// Every worker gets the first error, and nothing is written after it.
func TestErrorEndsPrinting(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "file")
	w := &fullDisk{}
	p := printer.New(w, plain, printer.Options{})
	one, two := p.NewBuffer(), p.NewBuffer()
	entries(t, tree, "", func(e *dir.Entry) {
		assert.NoError(t, errors.Join(one.Add(e), two.Add(e)))
	})
	assert.ErrorIs(t, one.Flush(), context.DeadlineExceeded)
	assert.ErrorIs(t, two.Flush(), context.DeadlineExceeded)
	assert.ErrorIs(t, p.Close(), context.DeadlineExceeded)
	assert.Equal(t, 1, w.writes)
}

func BenchmarkPrint(b *testing.B) {
	r := dir.NewReader(0)
	defer r.Close()
	if _, err := r.Open(dir.Root(".", "some/where/not/too/deep", 0)); err != nil {
		b.Fatal(err)
	}
	batch, err := r.Next()
	if err != nil {
		b.Fatal(err)
	}
	buffer := printer.New(io.Discard, plain, printer.Options{}).NewBuffer()
	b.ReportAllocs()
	for b.Loop() {
		if err := buffer.Add(&batch[0]); err != nil {
			b.Fatal(err)
		}
	}
}
