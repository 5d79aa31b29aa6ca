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

// isTerminal reports whether f is a console.
func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

// terminalSize returns how many lines and columns a console shows, or usually has.
func terminalSize(f *os.File) (height, width int) {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return usualHeight, usualWidth
	}
	return int(info.Window.Bottom-info.Window.Top) + 1, int(info.Window.Right-info.Window.Left) + 1
}

// descriptorLimit returns more than anybody needs: there is no limit on handles.
func descriptorLimit() int { return 1 << 20 }

// enableColours has the console heed escape sequences, which those before Windows
// 10 cannot.
func enableColours(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
