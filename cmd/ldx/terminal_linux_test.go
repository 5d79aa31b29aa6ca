package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	return master, terminal
}

// onTerminal runs ldx with a terminal as its standard error, and returns what
// appears there.
func onTerminal(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return onTerminalOf(t, 200, dir, args...)
}

func onTerminalOf(t *testing.T, columns uint16, dir string, args ...string) string {
	t.Helper()
	master, terminal := openTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	cmd := exec.Command("ldx", args...)
	cmd.Dir, cmd.Stderr = dir, terminal
	require.NoError(t, cmd.Run(), "%q", args)
	require.NoError(t, terminal.Close())
	shown, _ := io.ReadAll(master) // EIO: the terminal is closed
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// TestHint checks that a search without results prints a hint about ignored
// entries on a terminal, and only there.
func TestHint(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, ".hidden", ".git/", "a.o", "b.o", "c")
	require.NoError(t, os.WriteFile(dir+"/.gitignore", []byte("*.o\n"), 0o644))
	assert.Equal(t, "ldx: nothing found, but 3 hidden and 2 ignored left out; -u looks there too, --why PATH says why\n",
		onTerminal(t, dir, "nope"))
	assert.Equal(t, "ldx: nothing found, but 2 ignored left out; -u looks there too, --why PATH says why\n", onTerminal(t, dir, "-H", "nope"))
	assert.Empty(t, onTerminal(t, dir, "-u", "nope"))
	assert.Empty(t, onTerminal(t, dir, "c"))
	assert.Empty(t, onTerminal(t, dir, "-q", "c"))
	cmd := exec.Command("ldx", "nope")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err)
	assert.Empty(t, string(out))
}

// TestErrorsOnTerminal checks that errors are summed up on a terminal, unless something else
// reads the results: a pager or a finder has the screen then. The exit status is the same.
func TestErrorsOnTerminal(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "closed/", "open")
	require.NoError(t, os.Chmod(dir+"/closed", 0))
	t.Cleanup(func() { _ = os.Chmod(dir+"/closed", 0o755) })
	const sum = "ldx: 1 error, permission denied for most; --show-errors lists them"
	for _, row := range []struct {
		args  string
		piped bool
		want  string
	}{
		{"-u nothing", false, sum},
		{"-u nothing", true, ""},
		{"-u --show-errors nothing", true, "ldx: " + dir + "/closed: permission denied"},
	} {
		master, terminal := openTerminal(t)
		cmd := exec.Command("ldx", append(strings.Fields(row.args), dir)...)
		cmd.Stderr = terminal
		if !row.piped {
			cmd.Stdout = terminal
		}
		asNobody(cmd)
		require.NoError(t, cmd.Run())
		require.NoError(t, terminal.Close())
		shown, _ := io.ReadAll(master) // EIO: the terminal is closed
		assert.Equal(t, row.want, strings.TrimSpace(string(shown)), "%+v", row)
	}
}

// TestDiskUsageOnTerminal checks that ldx du prints only text on a terminal,
// whatever the names, and exact names for a parser.
func TestDiskUsageOnTerminal(t *testing.T) {
	const name = "a\x1b[31mb\u009b1mc\u202ed.\x1b[1mE"
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, name)
	for _, args := range []string{"-a --csv", "-a --json", "--by ext --csv", "--by ext --json", "-a", "--tree", "-a --lines", "--by ext"} {
		master, terminal := openTerminal(t)
		cmd := exec.Command("ldx", append([]string{"du", "--color=never"}, strings.Fields(args)...)...)
		cmd.Dir, cmd.Stdout = dir, terminal
		require.NoError(t, cmd.Run(), args)
		require.NoError(t, terminal.Close())
		shown, _ := io.ReadAll(master) // EIO: the terminal is closed
		text := strings.ReplaceAll(string(shown), "\r\n", "\n")
		assert.Equal(t, -1, strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
		}), "%s: %q", args, text)
		assert.Contains(t, text, "[1m", args)
	}
	out, err := exec.Command("ldx", "du", "-a", "--json", dir).Output()
	require.NoError(t, err)
	var file struct{ Path string }
	require.NoError(t, json.NewDecoder(bytes.NewReader(out)).Decode(&file))
	assert.Equal(t, dir+"/"+name, file.Path)
}

// TestWideNamesOnTerminal checks that the lines of ldx du fit the terminal, where each
// of these characters takes two columns.
func TestWideNamesOnTerminal(t *testing.T) {
	const columns = 60
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, strings.Repeat("漢字", 30)+"/"+strings.Repeat("かな", 20))
	for _, args := range []string{"-a", "--tree -a", "--by ext"} {
		master, terminal := openTerminal(t)
		require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
		cmd := exec.Command("ldx", append([]string{"du", "--color=never"}, strings.Fields(args)...)...)
		cmd.Dir, cmd.Stdout = dir, terminal
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		require.NoError(t, cmd.Run(), args)
		require.NoError(t, terminal.Close())
		shown, _ := io.ReadAll(master) // EIO: the terminal is closed
		for line := range strings.SplitSeq(strings.TrimSuffix(string(shown), "\r\n"), "\r\n") {
			width := 0
			for _, r := range line {
				width++
				if unicode.In(r, unicode.Han, unicode.Hiragana) {
					width++
				}
			}
			assert.LessOrEqual(t, width, columns, "%s: %s", args, line)
		}
		if args != "--by ext" {
			assert.Contains(t, string(shown), "…", args)
			assert.Contains(t, string(shown), "かな", args)
		}
	}
}
