//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// shell returns a command that is killed if it takes very long.
func shell(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, "sh", append([]string{"-c", script, "sh"}, args...)...)
}

// filesInDirs makes a tree of nested directories, and returns its entries as
// find lists them.
func filesInDirs(t *testing.T) (dir string, entries []string) {
	t.Helper()
	dir = dirtest.TempDir(t)
	for i := range 12 {
		for j := range 6 {
			dirtest.Make(t, dir, fmt.Sprintf("d%d/f%d", i, j), fmt.Sprintf("d%d/e/g%d", i, j))
		}
	}
	out, err := exec.Command("find", dir, "-mindepth", "1").Output()
	require.NoError(t, err)
	return dir, sortedLines(string(out))
}

// TestCommandsWithFewDescriptors has too few descriptors for several commands,
// or for one beside the search: commands run all the same.
func TestCommandsWithFewDescriptors(t *testing.T) {
	dir, want := filesInDirs(t)
	for _, limit := range []string{"16", "18", "24", "128"} {
		for _, flags := range [][]string{{"-j8"}, {}} {
			cmd := shell(t, `ulimit -n $1; shift; exec ldx "$@"`, append(append([]string{limit}, flags...), ".", dir, "-x", "echo")...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			assert.NoError(t, err, "%s %s", limit, flags)
			assert.Empty(t, stderr.String())
			assert.Equal(t, want, sortedLines(string(out)), "%s descriptors, %s", limit, flags)
		}
	}
}

// TestEndlessCommands checks that the held output of a command has a bound, and
// that a command ends when its output is not read.
func TestEndlessCommands(t *testing.T) {
	dir := dirtest.Tree(t, "basic")
	for _, flags := range []string{"-j1", "-j2", "-j64"} {
		// The limit is for a version without a bound.
		cmd := shell(t, `ulimit -v 3000000 2>/dev/null; exec ldx "$@"`, flags, ".", dir, "-x", "yes")
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		_, err = io.CopyN(io.Discard, out, 200<<20)
		require.NoError(t, err, "it is written while the command runs")
		require.NoError(t, out.Close())
		assert.NoError(t, cmd.Wait(), stderr.String())
		assert.Empty(t, stderr.String())
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			peak := int64(usage.Maxrss) << 10
			if runtime.GOOS == "darwin" {
				peak = int64(usage.Maxrss) // in bytes
			}
			assert.Less(t, peak, int64(400<<20), flags)
		}
	}
}

// TestCommandsSignals checks that commands ignore the signals that ldx was
// started with ignored, and no others.
func TestCommandsSignals(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("needs /proc")
	}
	dir := dirtest.Tree(t, "basic")
	ignored := func(script string, args ...string) uint64 {
		out, err := shell(t, script, args...).Output()
		require.NoError(t, err)
		_, mask, found := strings.Cut(string(out), "SigIgn:\t")
		require.True(t, found, string(out))
		bits, err := strconv.ParseUint(mask[:16], 16, 64)
		require.NoError(t, err)
		const known = 1<<(syscall.SIGHUP-1) | 1<<(syscall.SIGINT-1) | 1<<(syscall.SIGPIPE-1)
		return bits & known
	}
	for _, signals := range []string{"HUP", "INT", "HUP INT", ""} {
		trap := "for s in " + signals + "; do trap '' $s; done; exec "
		want := ignored(trap + "grep SigIgn /proc/self/status")
		if want>>(syscall.SIGPIPE-1) != 0 {
			t.Skip("SIGPIPE is ignored by the test itself")
		}
		for _, flags := range [][]string{{"-j1", "-x"}, {"-j2", "-x"}, {"-X"}} {
			args := append(append([]string{"-1", ".", dir}, flags...), "grep", "-h", "SigIgn", "/proc/self/status")
			got := ignored(trap+`ldx "$@" 2>/dev/null || true`, append(args, ";")...)
			assert.Equal(t, want, got, "%s ignored, %s", signals, flags)
		}
	}
}
