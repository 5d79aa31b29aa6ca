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

// A reader that has enough, such as head, ends the search without a word.
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

// Nor is it an error when nobody has read at all, whatever is printed.
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

// However many workers find results at a time, there are as many as asked for.
func TestMaxResultsIsExact(t *testing.T) {
	dir := manyResults(t)
	for range 20 {
		out, err := exec.Command("ldx", "--max-results", "57", "-j", "8", "-T", "f", ".", dir).Output()
		require.NoError(t, err)
		assert.Equal(t, 57, bytes.Count(out, []byte("\n")))
	}
}

// A signal ends the search at once, also while nobody reads what it prints; the
// shell is told which signal it was.
func TestSignals(t *testing.T) {
	// In the background of a shell without jobs the test ignores SIGINT, and what
	// it starts would do so as well.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT)
	defer signal.Stop(caught)
	dir := manyResults(t)
	for sig, status := range map[syscall.Signal]string{syscall.SIGINT: "130", syscall.SIGTERM: "143"} {
		cmd := exec.Command("ldx", ".", dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.ReadFull(out, make([]byte, 1)) // it has begun, and will block
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(sig))
		require.Error(t, cmd.Wait())
		assert.Equal(t, sig, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())

		// The same, as a shell sees it. (With -m, or it would have its jobs
		// ignore SIGINT.)
		script := `set -m; mkfifo "$1/$2"; ldx . "$1" >"$1/$2" & exec 3<"$1/$2"; head -c1 <&3 >/dev/null; kill -$3 $!; wait $!; echo $?`
		seen, err := exec.Command("bash", "-c", script, "bash", dir, "fifo"+status, strconv.Itoa(int(sig))).Output()
		require.NoError(t, err)
		assert.Equal(t, status+"\n", string(seen))
	}
}
