package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// looks reports what the end of a terminal's text still has: colours, and a hyperlink. It is
// cut if the text ends within a control sequence.
func looks(text []byte) (colours, link, cut bool) {
	sequence := regexp.MustCompile(`^\x1b(?:\[([0-9;?]*)([@-~])|\](8;[^;\x1b]*;)?([^\x1b]*)\x1b\\|\\)`)
	for {
		at := bytes.IndexByte(text, 0x1b)
		if at < 0 {
			return colours, link, false
		}
		text = text[at:]
		found := sequence.FindSubmatch(text)
		switch {
		case found == nil && bytes.IndexByte(text[1:], 0x1b) < 0:
			return colours, link, true
		case found == nil: // the next one ends what was cut off: a link without its end is a link
			link = link || bytes.HasPrefix(text, []byte("\x1b]8;"))
			text = text[1:]
			continue
		case string(found[2]) == "m":
			colours = len(bytes.Trim(found[1], "0")) > 0
		case found[3] != nil:
			link = len(found[4]) > 0
		}
		text = text[len(found[0]):]
	}
}

func TestLooks(t *testing.T) {
	for text, want := range map[string][3]bool{
		"":                                  {},
		"\x1b[1;34ma\x1b[0m":                {},
		"\x1b[1;34ma\x1b[0":                 {true, false, true},
		"\x1b[1;34ma":                       {true, false, false},
		"\x1b[1;3\x1b[0m":                   {},
		"\x1b]8;;file:///a\x1b\\a":          {false, true, false},
		"\x1b]8;;file:///a":                 {false, false, true},
		"\x1b]8;;file:///a\x1b[0m":          {false, true, false},
		"\x1b]8;;f\x1b\\a\x1b]8;;\x1b\\":    {},
		"\x1b]8;;f\x1b\\\x1b]8;;\x1b\\b":    {},
		"\x1b]8;;f\x1b\x1b\\\x1b]8;;\x1b\\": {},
	} {
		colours, link, cut := looks([]byte(text))
		assert.Equal(t, want, [3]bool{colours, link, cut}, "%q", text)
	}
}

// A colourful is a search that writes colours and hyperlinks to a terminal.
type colourful struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal int // our end
	text     []byte
	status   syscall.WaitStatus
}

const colourfulFiles = 2000

func startColourful(t *testing.T, how *syscall.SysProcAttr, args ...string) *colourful {
	t.Helper()
	master, terminal := openTerminal(t)
	cmd := exec.Command("ldx", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = terminal, terminal, terminal, how
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	fd := int(master.Fd()) // which makes it blocking
	require.NoError(t, unix.SetNonblock(fd, true))
	return &colourful{t: t, cmd: cmd, terminal: fd}
}

// read reads at most n bytes, or what there is if the terminal has no more for now. It returns
// false at the end.
func (c *colourful) read(n int) bool {
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(c.terminal), Events: unix.POLLIN}}, 10)
	buf := make([]byte, n)
	n, err := unix.Read(c.terminal, buf)
	c.text = append(c.text, buf[:max(n, 0)]...)
	return n > 0 || errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR)
}

// changed reports whether the process has ended, or was stopped.
func (c *colourful) changed() bool {
	pid, err := syscall.Wait4(c.cmd.Process.Pid, &c.status, syscall.WNOHANG|syscall.WUNTRACED, nil)
	require.NoError(c.t, err)
	return pid > 0
}

// drain reads what the terminal still has. It gives up if nothing comes for long.
func (c *colourful) drain(enough func() bool) {
	for vain := 0; vain < 200 && !enough(); vain++ {
		if before := len(c.text); !c.read(1 << 16) {
			return
		} else if len(c.text) > before {
			vain = 0
		}
	}
}

// clean reports whether nothing is left open at the end of the text.
func (c *colourful) clean() bool {
	colours, link, cut := looks(c.text)
	return !colours && !link && !cut
}

// Whenever a search is interrupted, terminated or stopped, it leaves neither colours nor an open
// hyperlink. The terminal throws away what it has not shown when Ctrl-C is typed.
func TestSignalsResetTerminal(t *testing.T) {
	dir := dirtest.TempDir(t)
	for i := range colourfulFiles {
		dirtest.Make(t, dir, fmt.Sprintf("d%d/%s%d.tar.gz", i%7, strings.Repeat("f", 1+i%60), i))
	}
	search := []string{"--hyperlink=always", "--color=always", "--max-buffer-time=0", "-j2", "f", dir}
	usage := []string{"du", "--color=always", "-a", "--lines", dir}
	group, session := &syscall.SysProcAttr{Setpgid: true}, &syscall.SysProcAttr{Setsid: true, Setctty: true}
	kill := func(s syscall.Signal) func(*colourful) {
		return func(c *colourful) { require.NoError(t, c.cmd.Process.Signal(s)) }
	}
	for name, row := range map[string]struct {
		args []string
		how  *syscall.SysProcAttr
		send func(*colourful)
		ends syscall.Signal
	}{
		"SIGINT":  {search, group, kill(syscall.SIGINT), syscall.SIGINT},
		"SIGTERM": {search, group, kill(syscall.SIGTERM), syscall.SIGTERM},
		"SIGTSTP": {search, group, kill(syscall.SIGTSTP), 0},
		"du":      {usage, group, kill(syscall.SIGTERM), syscall.SIGTERM},
		"Ctrl-C": {search, session, func(c *colourful) {
			_, err := unix.Write(c.terminal, []byte{3})
			require.NoError(t, err)
		}, syscall.SIGINT},
	} {
		t.Run(name, func(t *testing.T) {
			ended := 0
			for range 25 {
				c := startColourful(t, row.how, row.args...)
				for size := rand.IntN(100_000); len(c.text) < size; {
					require.True(t, c.read(1+rand.IntN(1000)))
				}
				row.send(c)
				for !c.changed() {
					c.read(1 << 16)
				}
				c.drain(c.clean)
				require.True(t, c.clean(), "%q", c.text[max(0, len(c.text)-200):])
				if c.status.Exited() && c.status.ExitStatus() == 0 { // it had ended before the signal came
					continue
				}
				if ended++; row.ends != 0 {
					require.True(t, c.status.Signaled(), "%v", c.status)
					require.Equal(t, row.ends, c.status.Signal())
					continue
				}
				require.True(t, c.status.Stopped(), "%v", c.status)
				kill(syscall.SIGCONT)(c)
				for !c.changed() {
					c.read(1 << 16)
				}
				c.drain(func() bool { return false })
				require.Zero(t, c.status.ExitStatus())
				require.Equal(t, colourfulFiles, bytes.Count(c.text, []byte("\n")), "it goes on where it was")
			}
			require.NotZero(t, ended)
		})
	}
}
