// Package term is what ldx knows of terminals: which files are one and how large it is,
// whether it shows colours and UTF-8, how wide text is, what must be escaped, lines that are
// redrawn at its bottom, and its pager.
package term

import (
	"os"
	"strings"
	"sync"

	xterm "golang.org/x/term"
)

// The size of a terminal that does not report one.
const defaultHeight, defaultWidth = 24, 80

// IsTerminal reports whether f is a terminal. The system is asked once about standard output. It
// is safe for concurrent use.
func IsTerminal(f *os.File) bool {
	if f == stdout {
		return stdoutIsTerminal()
	}
	return isTerminal(f)
}

var (
	stdout           = os.Stdout
	stdoutIsTerminal = sync.OnceValue(func() bool { return isTerminal(stdout) })
)

func isTerminal(f *os.File) (is bool) {
	control(f, func(fd int) { is = xterm.IsTerminal(fd) })
	return is
}

// Size returns how many lines and columns the terminal f has: 24 and 80 if it does not
// report a size, or is none.
func Size(f *os.File) (height, width int) {
	control(f, func(fd int) {
		if w, h, err := xterm.GetSize(fd); err == nil && w > 0 && h > 0 {
			height, width = h, w
		}
	})
	if height == 0 {
		return defaultHeight, defaultWidth
	}
	return height, width
}

// control calls do with f's descriptor, unless f is closed. (File.Fd would make f blocking,
// also for other processes that have it open.)
func control(f *os.File, do func(fd int)) {
	raw, err := f.SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) { do(int(fd)) })
	}
}

// WantsColours reports whether the terminal f should get colours: NO_COLOR is not set
// (no-color.org), and the terminal understands escape sequences.
func WantsColours(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && EnableEscapes(f)
}

// ShowsUTF8 reports whether the locale has UTF-8. On Windows it does unless a variable says
// otherwise.
func ShowsUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(os.Getenv(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return os.PathSeparator == '\\'
}
