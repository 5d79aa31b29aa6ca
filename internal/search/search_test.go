package search_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/search"
	"ldx/internal/spawn"
	"ldx/internal/walk"
)

// A setup is a search of a tree, and its errors.
type setup struct {
	search.Options
	mu   sync.Mutex
	errs []error
}

func newSetup(tree string, entries filter.Options) *setup {
	b := &setup{}
	b.Roots = []walk.Root{{Path: tree, Label: ""}}
	b.Walk = walk.Options{Workers: 4, MaxDepth: walk.Unlimited, Hidden: true, Report: b.report}
	b.Filter = filter.New(entries)
	return b
}

func (b *setup) report(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs = append(b.errs, err)
}

func (b *setup) run(t *testing.T) search.Result {
	t.Helper()
	r, err := search.Run(context.Background(), b.Options)
	require.NoError(t, err)
	return r
}

// names returns a pattern for entries' names.
func names(t *testing.T, expression string) filter.Options {
	t.Helper()
	m, err := match.New([]string{expression}, match.Options{})
	require.NoError(t, err)
	return filter.Options{Pattern: m}
}

// sorted returns the Sink that prints results in an order.
func sorted(t *testing.T, w io.Writer, r printer.Renderer, keys ...string) search.Sink {
	t.Helper()
	return search.PrintSorted(printer.New(w, r, printer.Options{}), order(t, keys...), false)
}

func order(t *testing.T, keys ...string) printer.Order {
	t.Helper()
	o, err := printer.NewOrder(keys, false)
	require.NoError(t, err)
	return o
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, strings.TrimSuffix(line, "\n"))
	}
	slices.Sort(all)
	return all
}

// wide makes a tree of 20 directories with 20 files each.
func wide(t *testing.T) (tree string, entries int) {
	t.Helper()
	tree = dirtest.TempDir(t)
	var all []string
	for i := range 20 {
		for j := range 20 {
			all = append(all, string(rune('a'+i))+"/"+string(rune('a'+j)))
		}
	}
	dirtest.Make(t, tree, all...)
	return tree, 20 * 21
}

// sinks has each way to write paths.
func sinks(t *testing.T, w io.Writer) map[string]search.Sink {
	t.Helper()
	plain := printer.NewLines(printer.Style{Slash: printer.SlashNever}, '\n')
	return map[string]search.Sink{
		"as found":   search.Print(printer.New(w, plain, printer.Options{})),
		"by name":    sorted(t, w, plain, "name"),
		"by path":    sorted(t, w, plain, "path"),
		"one by one": search.AsFound(&recorder{w: w}),
		"counted":    nil,
	}
}

// A recorder is an Output that writes paths.
type recorder struct {
	mu     sync.Mutex
	w      io.Writer
	closed int
}

func (*recorder) Needs() dir.Fields                    { return dir.Size }
func (*recorder) Append(b []byte, e *dir.Entry) []byte { return append(e.AppendPath(b), '\n') }

func (r *recorder) Use(line []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.w.Write(line)
	return err
}

func (r *recorder) Close() (bool, error) {
	r.closed++
	return true, nil
}

// A limit gives exactly as many results, however many workers find them.
func TestLimit(t *testing.T) {
	tree, all := wide(t)
	for limit, want := range map[int64]int{0: all, 1: 1, 7: 7, 300: 300, int64(all): all, 1000: all} {
		for _, workers := range []int{1, 8} {
			var out bytes.Buffer
			for name, sink := range sinks(t, &out) {
				out.Reset()
				b := newSetup(tree, filter.Options{})
				b.Walk.Workers, b.MaxResults, b.Sink = workers, limit, sink
				r := b.run(t)
				assert.EqualValues(t, want, r.Matches, "%s, %d of %d", name, limit, all)
				assert.True(t, r.OK)
				if sink != nil {
					printed := lines(out.String())
					assert.Len(t, printed, want, name)
					assert.Len(t, slices.Compact(printed), want, name)
				}
				assert.Empty(t, b.errs)
			}
		}
	}
}

// The first of sorted results are the first of all.
func TestLimitOfSorted(t *testing.T) {
	tree, _ := wide(t)
	var out bytes.Buffer
	b := newSetup(tree, filter.Options{MinDepth: 2})
	b.MaxResults = 3
	b.Sink = sorted(t, &out, printer.NewLines(printer.Style{}, '\n'), "name")
	r := b.run(t)
	assert.Equal(t, "a/a\nb/a\nc/a\n", out.String())
	assert.EqualValues(t, 3, r.Matches)
	assert.EqualValues(t, 420, r.Entries, "sorting needs all of them")
}

// A search for one result ends with it.
func TestQuiet(t *testing.T) {
	tree, all := wide(t)
	b := newSetup(tree, names(t, "^a$"))
	b.Walk.Workers, b.MaxResults = 1, 1
	r := b.run(t)
	assert.EqualValues(t, 1, r.Matches)
	assert.Less(t, r.Entries, int64(all), "it goes on with what it has")

	b = newSetup(tree, names(t, "^nothing$"))
	b.MaxResults = 1
	r = b.run(t)
	assert.Zero(t, r.Matches)
	assert.EqualValues(t, all, r.Entries)
}

// Counting gives what filepath.WalkDir does.
func TestCount(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Random(t, tree, 1)
	want := 0
	require.NoError(t, filepath.WalkDir(tree, func(_ string, e fs.DirEntry, err error) error {
		if strings.Contains(e.Name(), "a") {
			want++
		}
		return err
	}))
	if strings.Contains(filepath.Base(tree), "a") {
		want-- // the root, which is not an entry
	}
	b := newSetup(tree, names(t, "(?-i:a)"))
	r := b.run(t)
	assert.EqualValues(t, want, r.Matches)
	assert.Positive(t, r.Took)
}

// A directory that is a result is not entered with Prune.
func TestPrune(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "x/y/x", "y/x/z", "z/z/z")
	for prune, want := range map[bool][]string{
		false: {"x", "x/y/x", "y/x"},
		true:  {"x", "y/x"},
	} {
		var out bytes.Buffer
		b := newSetup(tree, names(t, "^x$"))
		b.Prune, b.Sink = prune, search.AsFound(&recorder{w: &out})
		b.run(t)
		assert.Equal(t, want, lines(out.String()))
	}
}

// A match about which both the filter and the sink ask the system is asked about once.
func TestOneQuestion(t *testing.T) {
	tree, all := wide(t)
	b := newSetup(tree, filter.Options{Attributes: []filter.Attribute{filter.After(dir.ModTime, time.Unix(0, 0))}})
	b.Sink = search.AsFound(&recorder{w: io.Discard})
	r := b.run(t)
	assert.EqualValues(t, all, r.Matches)
	assert.LessOrEqual(t, r.Calls.Entry, int64(all)+5, "and about the root")
}

// What has gone wrong with writing ends the search, and is returned.
func TestSinkError(t *testing.T) {
	tree, all := wide(t)
	for name, sink := range sinks(t, failing{}) {
		if sink == nil || name == "one by one" {
			continue
		}
		b := newSetup(tree, filter.Options{})
		b.Sink = sink
		_, err := search.Run(context.Background(), b.Options)
		assert.ErrorIs(t, err, errWrite, name)
	}
	b := newSetup(tree, filter.Options{})
	rec := &recorder{w: failing{}}
	b.Walk.Workers, b.Sink = 1, search.AsFound(rec)
	r, err := search.Run(context.Background(), b.Options)
	require.NoError(t, err)
	assert.Less(t, r.Entries, int64(all))
	assert.Equal(t, 1, rec.closed)
}

var errWrite = errors.New("no space")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errWrite }

// With DirSizes a directory is as large as all files in it, hidden and ignored ones included,
// and an error of both walks is reported once.
func TestDirSizes(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "d/.hidden/", "d/e/")
	for name, size := range map[string]int{"d/x": 100, "d/e/y": 1000, "d/.hidden/z": 10_000} {
		require.NoError(t, os.WriteFile(filepath.Join(tree, name), make([]byte, size), 0o666))
	}
	found := &sizeRecorder{sizes: map[string]int64{}}
	b := newSetup(tree, filter.Options{DirSizes: true, Attributes: []filter.Attribute{filter.Size(filter.AtLeast, 11_100)}})
	b.Roots = append(b.Roots, walk.Root{Path: filepath.Join(tree, "missing"), Label: "missing"})
	b.DirSizes, b.Walk.Hidden, b.Sink = true, false, search.AsFound(found)
	b.run(t)
	assert.Equal(t, map[string]int64{"d": 11_100}, found.sizes)
	assert.Len(t, b.errs, 1)
}

// A sizeRecorder is an Output that keeps sizes.
type sizeRecorder struct {
	recorder
	sizes map[string]int64
}

func (s *sizeRecorder) Append(b []byte, e *dir.Entry) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if info, err := e.Info(dir.Size); err == nil {
		s.sizes[e.Path()] = info.Size
	}
	return b
}

func (*sizeRecorder) Use([]byte) error { return nil }

// -l, with the error of what has no metadata.
func TestList(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "b", "a")
	var out bytes.Buffer
	b := newSetup(tree, filter.Options{})
	b.Sink = sorted(t, &out, printer.NewList(printer.Style{}, time.Now(), '\n'))
	r := b.run(t)
	assert.EqualValues(t, 2, r.Matches)
	assert.Regexp(t, `(?s)^-r\S+ .* a\n-r\S+ .* b\n$`, out.String())
	assert.Empty(t, b.errs)
}

// A command that does not exist ends the search, and is reported once.
func TestMissingCommand(t *testing.T) {
	tree, all := wide(t)
	for _, name := range []string{"exec", "exec sorted", "batch", "batch sorted"} {
		b := newSetup(tree, filter.Options{})
		b.Walk.Workers = 1
		parse := spawn.NewCommand
		if strings.HasPrefix(name, "batch") {
			parse = spawn.NewBatchCommand
		}
		c, err := parse([]string{"ldx-no-such-command"}, spawn.Paths)
		require.NoError(t, err)
		opt := spawn.Options{Commands: []*spawn.Command{c}, Workers: 1, Stdout: io.Discard, Stderr: io.Discard, Report: b.report}
		var to search.Output
		if strings.HasPrefix(name, "batch") {
			to = search.ExecBatch(spawn.NewBatch(opt, 2), printer.Paths)
		} else {
			to = search.Exec(spawn.NewRunner(opt), printer.Paths)
		}
		if b.Sink = search.AsFound(to); strings.HasSuffix(name, "sorted") {
			b.Sink = search.Sorted(to, order(t, "name"))
		}
		r := b.run(t)
		assert.False(t, r.OK, name)
		assert.LessOrEqual(t, r.Entries, int64(all))
		require.Len(t, b.errs, 1, name)
		assert.ErrorAs(t, b.errs[0], new(*spawn.MissingError), name)
	}
}

// A path that a command gets is not taken for a flag.
func TestArgument(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "-rf")
	e := entry(t, tree)
	assert.Equal(t, "./-rf", string(search.Exec(nil, printer.Paths).Append(nil, e)))
	assert.Equal(t, "x./-rf", string(search.ExecBatch(nil, printer.Paths).Append([]byte("x"), e)))
}

// entry returns the only entry of a directory.
func entry(t *testing.T, tree string) *dir.Entry {
	t.Helper()
	r := dir.NewReader(0)
	t.Cleanup(r.Close)
	_, err := r.Open(dir.Root(tree, "", 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	require.Len(t, batch, 1)
	return &batch[0]
}

// Why agrees with the search, for each entry of a tree with rules.
func TestWhy(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, ".git/", "target/deep/file", "main.o", "main.c", ".env", ".github/x", "cache/TAG")
	require.NoError(t, os.WriteFile(filepath.Join(tree, ".gitignore"), []byte("/target/\n*.o\n!.github\n!.git\n"), 0o666))
	ignorer, err := ignore.New(ignore.Options{Contain: []string{"TAG"}, Getenv: func(string) string { return "" }, Report: func(error) {}})
	require.NoError(t, err)
	var out bytes.Buffer
	b := newSetup(tree, filter.Options{})
	b.Walk.Hidden, b.Walk.Ignore, b.Sink = false, ignorer, search.AsFound(&recorder{w: &out})
	r := b.run(t)
	found := lines(out.String())
	assert.Equal(t, []string{".github", ".github/x", "main.c"}, found)
	assert.Positive(t, r.Hidden)
	assert.Positive(t, r.Ignored)

	for path, want := range map[string]string{
		".git":             "hidden",
		"target/":          "ignored",
		"target/deep/":     "not reached",
		"target/deep/file": "not reached",
		"main.o":           "ignored",
		"main.c":           "shown",
		".env":             "hidden",
		".github/x":        "shown",
		"cache/":           "ignored",
	} {
		way, err := b.Why(filepath.Join(tree, path))
		require.NoError(t, err)
		last := way[len(way)-1]
		assert.Equal(t, want, last.Outcome, "%+v", last)
		assert.Equal(t, want == "shown", slices.Contains(found, strings.TrimSuffix(path, "/")), path)
	}
	way, err := b.Why(tree)
	require.NoError(t, err)
	assert.Equal(t, "searched", way[0].Outcome)
	for _, wrong := range []string{"", filepath.Dir(tree)} {
		_, err = b.Why(wrong)
		assert.Error(t, err)
	}
	_, err = b.Why(filepath.Join(tree, "missing"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestWorkers(t *testing.T) {
	assert.GreaterOrEqual(t, search.Workers(), min(runtime.GOMAXPROCS(0), 64))
}
