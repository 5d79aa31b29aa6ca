package search_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/filter"

	"ldx/internal/printer"
	"ldx/internal/search"
)

// listed returns a test of the paths in a list.
func listed(t *testing.T, r io.Reader, entries filter.Options, w io.Writer) *setup {
	t.Helper()
	b := newSetup(".", entries)
	b.Paths = search.ReadPaths(r, '\n')
	b.Sink = search.Print(printer.New(w, printer.NewLines(printer.Style{Listed: true}, '\n'), printer.Options{}))
	return b
}

// Paths come out as they are given and in this order, also those of hidden, repeated and linked files;
// what does not exist is an error, and the rest goes on.
func TestPaths(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "d/.h/f", "d/e/", "d/x.go")
	t.Chdir(tree)
	const paths = "d\nd/\n\n./d//.h/f\nnone/x\nd/x.go\nd/e/../x.go\nd\n."
	var out bytes.Buffer
	b := listed(t, strings.NewReader(paths), filter.Options{}, &out)
	r := b.run(t)
	assert.Equal(t, strings.Replace(strings.Replace(paths, "\n\n", "\n", 1), "none/x\n", "", 1)+"\n", out.String())
	assert.EqualValues(t, 7, r.Matches)
	require.Len(t, b.errs, 1)
	require.ErrorIs(t, b.errs[0], os.ErrNotExist)

	out.Reset()
	b = listed(t, strings.NewReader(paths), names(t, "^x"), &out)
	b.MaxResults = 1
	b.run(t)
	assert.Equal(t, "d/x.go\n", out.String())

	out.Reset()
	b = listed(t, iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("d\nd/e\n"))), filter.Options{}, &out)
	b.run(t)
	require.Len(t, b.errs, 1)
	require.ErrorIs(t, b.errs[0], iotest.ErrTimeout)
	assert.Empty(t, out.String(), "half of a path is another path")
}

// Sorted, a list of all paths is what a search finds in this order.
func TestPathsSorted(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 50 {
		dirtest.Make(t, tree, fmt.Sprintf("a%d/b%d/c", i%7, i), fmt.Sprintf("a%d-x", i))
	}
	t.Chdir(tree)
	var all bytes.Buffer
	found := newSetup(".", filter.Options{})
	found.Sink = search.Print(printer.New(&all, printer.Paths, printer.Options{}))
	var paths []string
	require.NoError(t, filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if path != "." {
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	}))
	slices.Reverse(paths)
	list := strings.Join(paths, "\n")
	for _, row := range []struct {
		max      int64
		reversed bool
		keys     []string
	}{
		{0, false, []string{"path"}},
		{9, true, []string{"path"}},
		{0, true, []string{"natural"}},
		{0, true, []string{"ext", "size"}},
		{9, false, []string{"name"}},
		{0, false, []string{"user"}},
	} {
		var want, got bytes.Buffer
		by, err := printer.NewOrder(row.keys, row.reversed)
		require.NoError(t, err)
		sorted := func(w io.Writer, r printer.Renderer) search.Sink {
			return search.PrintSorted(printer.New(w, r, printer.Options{}), by, false)
		}
		lines := printer.NewLines(printer.Style{Slash: printer.SlashAlways}, '\n')
		found.Sink, found.MaxResults = sorted(&want, lines), row.max
		found.run(t)
		b := listed(t, strings.NewReader(list), filter.Options{}, nil)
		b.Sink, b.MaxResults = sorted(&got, lines), row.max
		b.run(t)
		require.NotEmpty(t, want.String())
		assert.Equal(t, want.String(), got.String(), "%v", row)
	}
}

// Results are written before the next path is waited for.
func TestPathsOneByOne(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a", "b")
	t.Chdir(tree)
	list, more := io.Pipe()
	out, to := io.Pipe()
	b := listed(t, list, filter.Options{}, to)
	var asked []string
	b.Keep, b.KeepAs, b.KeepAtOnce = func(path []byte) (bool, error) {
		asked = append(asked, string(path))
		return true, nil
	}, printer.Paths, 4
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.run(t)
		_ = to.Close()
	}()
	line := make([]byte, len("a\n"))
	for _, path := range []string{"a", "b"} {
		_, err := io.WriteString(more, path+"\n")
		require.NoError(t, err)
		_, err = io.ReadFull(out, line)
		require.NoError(t, err)
		assert.Equal(t, path+"\n", string(line))
	}
	_ = more.Close()
	<-done
	assert.Equal(t, []string{"a", "b"}, asked)
}

// With a command that decides about several at a time, all have their own path and metadata.
func TestPathsKept(t *testing.T) {
	tree := dirtest.TempDir(t)
	var want, list strings.Builder
	t.Chdir(tree)
	for i := range 30 {
		name := fmt.Sprintf("%cd/f%d", 'a'+i%3, i)
		dirtest.Make(t, tree, name)
		require.NoError(t, os.WriteFile(name, make([]byte, i), 0o600))
		fmt.Fprintln(&list, name)
		if i%2 == 0 {
			fmt.Fprintf(&want, "%s %d\n", name, i)
		}
	}
	var out bytes.Buffer
	b := listed(t, strings.NewReader(list.String()), filter.Options{}, nil)
	render, err := printer.NewTemplate("{} {size}", printer.Style{}, '\n', nil)
	require.NoError(t, err)
	b.Sink = search.Print(printer.New(&out, render, printer.Options{}))
	fields := printer.NewFields(nil)
	_, err = fields.LookUp("size", "")
	require.NoError(t, err)
	b.KeepAs, b.KeepAtOnce = printer.NewArguments(fields, b.report), 4
	b.Keep = func(result []byte) (bool, error) {
		_, size, _ := strings.Cut(string(result), "\x00")
		return (size[len(size)-1]-'0')%2 == 0, nil
	}
	b.run(t)
	assert.Empty(t, b.errs)
	assert.Equal(t, want.String(), out.String())
}

// FuzzPaths looks for a panic, and for a path that is neither a result nor an error.
func FuzzPaths(f *testing.F) {
	f.Add("a\n./\n/\n//\n..\n\x00\n-x", true)
	f.Fuzz(func(t *testing.T, list string, sort bool) {
		t.Chdir(dirtest.TempDir(t))
		var out bytes.Buffer
		b := listed(t, strings.NewReader(list), filter.Options{}, &out)
		if sort {
			b.Sink = sorted(t, &out, printer.NewLines(printer.Style{Listed: true}, '\n'), "path")
		}
		r := b.run(t)
		n := 0
		for path := range strings.SplitSeq(list, "\n") {
			if path != "" {
				n++
			}
		}
		require.EqualValues(t, n, int(r.Matches)+len(b.errs))
		require.Equal(t, int(r.Matches), strings.Count(out.String(), "\n"))
	})
}
