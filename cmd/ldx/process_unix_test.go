//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// manyResults makes a tree whose results fill a pipe many times over.
func manyResults(t *testing.T) string {
	t.Helper()
	dir := dirtest.TempDir(t)
	for _, sub := range []string{"a", "b", "c", "d"} {
		for _, c := range "abcdefghijklmnopqrstuvwxyz" {
			for _, n := range []int{150, 160, 170, 180, 190, 200, 210, 220, 230, 240} {
				dirtest.Make(t, dir, filepath.Join(sub, string(c), strings.Repeat(string(c), n)))
			}
		}
	}
	return dir
}

// TestClosedPipe checks that a search ends without an error when a reader such
// as head exits.
func TestClosedPipe(t *testing.T) {
	dir := manyResults(t)
	for _, args := range [][]string{{".", dir}, {"-j1", ".", dir, dir, dir}, {"-0", ".", dir}} {
		cmd := exec.Command("ldx", args...)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReaderSize(out, 16).ReadByte()
		require.NoError(t, err)
		require.NoError(t, out.Close())
		assert.NoError(t, cmd.Wait(), "the status is 0")
		assert.Empty(t, stderr.String())
	}
}

// TestPipeClosedBefore checks that it is no error if nothing was read at all,
// whatever is printed.
func TestPipeClosedBefore(t *testing.T) {
	dir := dirtest.Tree(t, "basic")
	for _, args := range [][]string{{".", dir}, {"--count", ".", dir}, {"--version"}, {"--help"}} {
		in, out, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, in.Close())
		cmd := exec.Command("ldx", args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = out, &stderr
		assert.NoError(t, cmd.Run(), args)
		assert.Empty(t, stderr.String(), args)
		require.NoError(t, out.Close())
	}
}

// TestMaxResultsIsExact checks that many workers together print exactly as many
// results as requested.
func TestMaxResultsIsExact(t *testing.T) {
	dir := manyResults(t)
	for range 20 {
		out, err := exec.Command("ldx", "--max-results", "57", "-j", "8", "-T", "f", ".", dir).Output()
		require.NoError(t, err)
		assert.Equal(t, 57, bytes.Count(out, []byte("\n")))
	}
}

// TestSignals checks that a signal ends a search at once, also while its output
// is not read, and that the shell learns which signal it was.
func TestSignals(t *testing.T) {
	// In the background of a shell without job control the test ignores SIGINT,
	// and its children would too.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT)
	defer signal.Stop(caught)
	dir := manyResults(t)
	for sig, status := range map[syscall.Signal]string{syscall.SIGINT: "130", syscall.SIGTERM: "143"} {
		cmd := exec.Command("ldx", ".", dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.ReadFull(out, make([]byte, 1)) // it has started, and will block
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(sig))
		require.Error(t, cmd.Wait())
		assert.Equal(t, sig, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())

		// The same, seen by a shell. (Without -m its background jobs would
		// ignore SIGINT.)
		script := `set -m; mkfifo "$1/$2"; ldx . "$1" >"$1/$2" & exec 3<"$1/$2"; head -c1 <&3 >/dev/null; kill -$3 $!; wait $!; echo $?`
		seen, err := exec.Command("bash", "-c", script, "bash", dir, "fifo"+status, strconv.Itoa(int(sig))).Output()
		require.NoError(t, err)
		assert.Equal(t, status+"\n", string(seen))
	}
}
