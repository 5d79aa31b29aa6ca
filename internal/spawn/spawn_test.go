//go:build unix

package spawn_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/spawn"
)

func command(t *testing.T, batch bool, args ...string) *spawn.Command {
	t.Helper()
	parse := spawn.NewCommand
	if batch {
		parse = spawn.NewBatchCommand
	}
	c, err := parse(args, spawn.Paths)
	require.NoError(t, err)
	return c
}

// run runs the commands on paths with a Runner, and returns the outputs.
func run(t *testing.T, opt spawn.Options, paths ...string) (stdout, stderr string, ok bool, errs []error) {
	t.Helper()
	var outBuf, errBuf bytes.Buffer
	var mu sync.Mutex
	opt.Stdin, opt.Stdout, opt.Stderr = strings.NewReader("input\n"), &outBuf, &errBuf
	opt.Report = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	}
	r := spawn.NewRunner(opt)
	for _, path := range paths {
		if r.Run([]byte(path)) != nil {
			break
		}
	}
	ok, err := r.Close()
	assert.NoError(t, err)
	return outBuf.String(), errBuf.String(), ok, errs
}

func sorted(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

func TestRunner(t *testing.T) {
	for _, workers := range []int{1, 4} {
		out, _, ok, _ := run(t, spawn.Options{Workers: workers, Commands: []*spawn.Command{command(t, false, "echo", "{/}", "in {//}")}},
			"a/b", "c")
		assert.Equal(t, []string{"b in a", "c in ."}, sorted(out))
		assert.True(t, ok)
		out, stderr, ok, errs := run(t, spawn.Options{Workers: workers, Commands: []*spawn.Command{
			command(t, false, "sh", "-c", "echo 1 $0; echo no >&2; test $0 != b"), command(t, false, "echo", "2"),
		}}, "a", "b")
		assert.Equal(t, []string{"1 a", "1 b", "2 a"}, sorted(out), "what comes after a failure is not run")
		assert.Equal(t, "no\nno\n", stderr)
		assert.False(t, ok)
		assert.Empty(t, errs, "the command has reported it itself")
	}
}

// TestStdin checks that a single worker's commands have the standard input, and
// that others have an empty one.
func TestStdin(t *testing.T) {
	cat := []*spawn.Command{command(t, false, "sh", "-c", "cat; echo $0")}
	out, _, _, _ := run(t, spawn.Options{Workers: 1, Commands: cat}, "a")
	assert.Equal(t, "input\na\n", out)
	out, _, _, _ = run(t, spawn.Options{Workers: 2, Commands: cat}, "a")
	assert.Equal(t, "a\n", out)
}

func TestNullAfterEach(t *testing.T) {
	out, _, _, _ := run(t, spawn.Options{Workers: 2, Null: true, Commands: []*spawn.Command{command(t, false, "echo")}}, "a", "b")
	parts := strings.Split(out, "\x00")
	slices.Sort(parts)
	assert.Equal(t, []string{"", "a\n", "b\n"}, parts)
}

// TestOutputsAreWhole runs commands at the same time; their outputs must not
// mix.
func TestOutputsAreWhole(t *testing.T) {
	var paths []string
	for i := range 200 {
		paths = append(paths, fmt.Sprint("p", i))
	}
	c := command(t, false, "sh", "-c", "for i in 1 2 3 4 5; do echo $i $0; done")
	out, _, ok, _ := run(t, spawn.Options{Workers: 8, Commands: []*spawn.Command{c}}, paths...)
	require.True(t, ok)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 1000)
	for i, line := range lines {
		number, path, _ := strings.Cut(line, " ")
		assert.Equal(t, fmt.Sprint(i%5+1), number)
		assert.Equal(t, strings.Fields(lines[i/5*5])[1], path)
	}
}

// TestMissingCommand has a command that does not exist: that is reported once,
// and ends the run.
func TestMissingCommand(t *testing.T) {
	paths := slices.Repeat([]string{"a"}, 1000)
	_, _, ok, errs := run(t, spawn.Options{Workers: 4, Commands: []*spawn.Command{command(t, false, "ldx-no-such-command")}}, paths...)
	assert.False(t, ok)
	require.Len(t, errs, 1)
	missing := (*spawn.MissingError)(nil)
	require.ErrorAs(t, errs[0], &missing)
	assert.Equal(t, "ldx-no-such-command", missing.Name)

	_, _, ok, errs = run(t, spawn.Options{Workers: 4, Commands: []*spawn.Command{command(t, false, "./ldx-no-such-command")}}, paths...)
	assert.False(t, ok)
	assert.Len(t, errs, 1)
	_, _, ok, errs = run(t, spawn.Options{Workers: 2, Commands: []*spawn.Command{command(t, false, "./{}")}}, "a", "b")
	assert.False(t, ok)
	assert.NotEmpty(t, errs, "each is another command")
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestNobodyReads(t *testing.T) {
	r := spawn.NewRunner(spawn.Options{
		Workers: 2, Commands: []*spawn.Command{command(t, false, "echo")}, Stdout: deaf{}, Stderr: deaf{}, Report: func(error) {},
	})
	stopped := false
	for range 10_000 {
		if stopped = r.Run([]byte("a")) != nil; stopped {
			break
		}
	}
	assert.True(t, stopped)
	_, err := r.Close()
	assert.EqualError(t, err, "nobody reads")
}

func TestWrongCommands(t *testing.T) {
	for _, args := range [][]string{{}, {""}} {
		_, err := spawn.NewCommand(args, spawn.Paths)
		assert.Error(t, err)
	}
	for _, args := range [][]string{{}, {"{}"}, {"echo", "{}", "{/}"}, {"{/}", "x"}} {
		_, err := spawn.NewBatchCommand(args, spawn.Paths)
		assert.Error(t, err, "%q", args)
	}
}

// batch runs sh on paths with a Batch, and returns the lines that the script
// prints.
func batch(t *testing.T, maxResults int, script string, paths []string) (lines []string, ok bool) {
	t.Helper()
	var out bytes.Buffer
	b := spawn.NewBatch(spawn.Options{
		Commands: []*spawn.Command{command(t, true, "sh", "-c", script, "sh", "{}", "end")},
		Stdout:   &out, Stderr: &out, Report: func(err error) { t.Error(err) },
	}, maxResults)
	for _, path := range paths {
		require.NoError(t, b.Add([]byte(path)))
	}
	ok = b.Close()
	return strings.Fields(out.String()), ok
}

func TestBatch(t *testing.T) {
	paths := []string{"a", "b", "c", "d", "e"}
	for maxResults, want := range map[int][]string{0: {"6"}, 1: {"2", "2", "2", "2", "2"}, 2: {"3", "3", "2"}, 5: {"6"}, 9: {"6"}} {
		got, ok := batch(t, maxResults, "echo $#", paths)
		assert.Equal(t, want, got, "at maxResults %d", maxResults)
		assert.True(t, ok)
	}
	got, ok := batch(t, 2, "echo $1; test $1 != a", paths)
	assert.Equal(t, []string{"a", "c", "e"}, got, "it goes on after a failure")
	assert.False(t, ok)
	got, ok = batch(t, 0, "echo $#", nil)
	assert.Empty(t, got)
	assert.True(t, ok)
}

// TestBatchSplits has more arguments than fit: each command gets as many as the
// system allows, and none is lost.
func TestBatchSplits(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 60_000 {
		paths = append(paths, fmt.Sprintf("%s%d", strings.Repeat("x", i%200), i))
	}
	log := filepath.Join(dir, "log")
	got, ok := batch(t, 0, `printf '%s\n' "$@" >> `+log+`; echo $#`, paths)
	assert.True(t, ok)
	assert.Greater(t, len(got), 1)
	assert.Less(t, len(got), 100)
	data, err := os.ReadFile(log)
	require.NoError(t, err)
	var seen []string
	for line := range strings.Lines(string(data)) {
		if line != "end\n" {
			seen = append(seen, strings.TrimSuffix(line, "\n"))
		}
	}
	assert.Equal(t, paths, seen)
}

func TestBatchMissingCommand(t *testing.T) {
	var errs []error
	b := spawn.NewBatch(spawn.Options{
		Commands: []*spawn.Command{command(t, true, "ldx-no-such-command")}, Report: func(err error) { errs = append(errs, err) },
	}, 1)
	require.NoError(t, b.Add([]byte("a")))
	assert.ErrorIs(t, b.Add([]byte("b")), spawn.ErrStopped)
	assert.False(t, b.Close())
	assert.Len(t, errs, 1)
}
