package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// onTerminal runs ldx with a terminal for its stderr, and returns what it shows.
func onTerminal(t *testing.T, dir string, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	defer master.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)

	cmd := exec.Command("ldx", args...)
	cmd.Dir, cmd.Stderr = dir, terminal
	require.NoError(t, cmd.Run(), "%q", args)
	require.NoError(t, terminal.Close())
	shown, _ := io.ReadAll(master) // ends in EIO, as the terminal is closed
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// Who finds nothing is told of what was left out; who sees no terminal is not.
func TestHint(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, ".hidden", ".git/", "a.o", "b.o", "c")
	require.NoError(t, os.WriteFile(dir+"/.gitignore", []byte("*.o\n"), 0o644))
	assert.Equal(t, "ldx: nothing found, but 3 hidden and 2 ignored left out; -u looks there too, --why PATH tells why\n", onTerminal(t, dir, "nope"))
	assert.Equal(t, "ldx: nothing found, but 2 ignored left out; -u looks there too, --why PATH tells why\n", onTerminal(t, dir, "-H", "nope"))
	assert.Empty(t, onTerminal(t, dir, "-u", "nope"))
	assert.Empty(t, onTerminal(t, dir, "c"))
	assert.Empty(t, onTerminal(t, dir, "-q", "c"))
	dirtest.Make(t, dir, "lib/x")
	assert.Equal(t, "ldx: nothing found; to search in the directory 'lib', give it after a pattern: ldx . lib\n", onTerminal(t, dir, "lib", "lib"))
	cmd := exec.Command("ldx", "nope")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err)
	assert.Empty(t, string(out))
}
