package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func catchBrokenPipe() {}

// isBrokenPipe knows what a write to a pipe gives that is being closed, and one
// that is closed.
func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}

func peakMemory() int64 { return 0 }

// isTerminal reports whether f is a console.
func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

func passBrokenPipe() {}

// enableColours has the console heed escape sequences, which those before Windows
// 10 cannot.
func enableColours(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
