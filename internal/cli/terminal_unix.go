//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// catchBrokenPipe has a write to a pipe that nobody reads fail, not end the
// program. Commands that are started would inherit that, so it is not for a search that
// starts some. (These get SIGHUP and SIGINT ignored if this process did. Of SIGTERM,
// SIGPIPE and the others nobody can know: Go's runtime puts its handlers in their places
// before anything else runs, and commands get the defaults.)
func catchBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// isTerminal reports whether f is a terminal. (File.Fd is avoided: it changes
// how the file blocks, also for others that have it open.)
func isTerminal(f *os.File) bool { return windowSize(f) != nil }

// terminalSize returns how many lines and columns a terminal has, or usually has.
func terminalSize(f *os.File) (height, width int) {
	if size := windowSize(f); size != nil && size.Row > 0 && size.Col > 0 {
		return int(size.Row), int(size.Col)
	}
	return usualHeight, usualWidth
}

// windowSize returns nil for what is no terminal.
func windowSize(f *os.File) (size *unix.Winsize) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	var sizeErr error
	err = raw.Control(func(fd uintptr) { size, sizeErr = unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ) })
	if errors.Join(err, sizeErr) != nil {
		return nil
	}
	return size
}

func enableColours(*os.File) bool { return true }

// descriptorLimit returns how many file descriptors this process may have.
func descriptorLimit() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 256
	}
	return int(min(limit.Cur, 1<<20))
}
