package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// EnableEscapes makes the console f interpret escape sequences. It reports whether it can:
// consoles before Windows 10 cannot.
func EnableEscapes(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
