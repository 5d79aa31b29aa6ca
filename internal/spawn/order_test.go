//go:build unix

package spawn_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/spawn"
)

// Outputs come in the order of the results, although the first command ends last: it waits for
// the eighth.
func TestOrdered(t *testing.T) {
	const n = 300
	paths, want := make([]string, n), ""
	for i := range paths {
		paths[i] = fmt.Sprint(i)
		want += fmt.Sprintf("%d out\n", i)
	}
	for _, tt := range []struct {
		name        string
		descriptors int
		script      string
	}{
		{"the first ends last", 0, `case $0 in 0) while ! test -e "$1"/7; do :; done;; 7) : >"$1"/7; esac; echo "$0 out"; echo "$0 err" >&2`},
		{"one at a time", 7, `echo "$0 out"`},
		{"two at a time", 14, `echo "$0 out"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := command(t, false, "sh", "-c", tt.script, "{}", dirtest.TempDir(t))
			opt := spawn.Options{Commands: []*spawn.Command{c}, Workers: 8, Ordered: true, Descriptors: tt.descriptors}
			out, _, ok, errs := run(t, opt, paths...)
			assert.True(t, ok)
			assert.Empty(t, errs)
			assert.True(t, want == out, "%.200s", out)
		})
	}
}

// An output that is too long to be held waits for its turn, and is whole.
func TestOrderedLong(t *testing.T) {
	const size = 3_000_000
	c := command(t, false, "sh", "-c", `test $0 = 0 || head -c 3000000 /dev/zero | tr '\0' $0; echo`, "{}")
	opt := spawn.Options{Commands: []*spawn.Command{c}, Workers: 16, Ordered: true}
	out, _, ok, _ := run(t, opt, strings.Split("012345678901234567890123456789", "")...)
	assert.True(t, ok)
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		want := strings.Repeat(fmt.Sprint(i%10), size)
		if i%10 == 0 {
			want = ""
		}
		assert.True(t, line == want, "%d: %d bytes", i, len(line))
	}
}

// A command may run in the directory of its result, with a header before its output.
func TestInDirectory(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "a/b/-x y", "c")
	opt := spawn.Options{
		Commands: []*spawn.Command{command(t, false, "sh", "-c", `pwd; echo "$0"; test -e "$0"`, "{}")},
		Workers:  2, Ordered: true, InDir: true,
		Label: func(b, path []byte) []byte { return append(append(b, path...), ":\n"...) },
	}
	out, _, ok, _ := run(t, opt, filepath.Join(dir, "a/b/-x y"), filepath.Join(dir, "c"))
	assert.True(t, ok)
	assert.Equal(t, strings.ReplaceAll("T/a/b/-x y:\nT/a/b\n./-x y\nT/c:\nT\n./c\n", "T", dir), out)

	// A program is found from here.
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("program", []byte("#!/bin/sh\npwd\n"), 0o755))
	opt.Commands, opt.Label = []*spawn.Command{command(t, false, "./program")}, nil
	out, _, ok, _ = run(t, opt, "a/b/-x y", "c")
	assert.True(t, ok)
	assert.Equal(t, dir+"/a/b\n"+dir+"\n", out)
}

// Before decides whether a command runs.
func TestBefore(t *testing.T) {
	var asked []string
	before := func(_ string, args []string) error {
		asked = append(asked, strings.Join(args, " "))
		return map[string]error{"2": spawn.ErrSkip, "4": spawn.ErrStopped}[args[len(args)-1]]
	}
	opt := spawn.Options{Commands: []*spawn.Command{command(t, false, "echo")}, Workers: 1, Before: before}
	out, _, ok, errs := run(t, opt, "1", "2", "3", "4", "5")
	assert.Equal(t, "1\n3\n", out)
	assert.False(t, ok)
	assert.Empty(t, errs)
	assert.Equal(t, []string{"echo 1", "echo 2", "echo 3", "echo 4"}, asked)

	asked = nil
	var batch bytes.Buffer
	opt.Commands, opt.Stdout = []*spawn.Command{command(t, true, "echo", "{}")}, &batch
	b := spawn.NewBatch(opt, 2)
	for _, path := range []string{"1", "2", "3", "3", "5", "4", "6"} {
		if b.Add([]byte(path)) != nil {
			break
		}
	}
	assert.False(t, b.Close())
	assert.Equal(t, "3 3\n", batch.String())
	assert.Equal(t, []string{"echo 1 2", "echo 3 3", "echo 5 4"}, asked)
}
