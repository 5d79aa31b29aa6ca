package cli

import (
	"errors"

	"golang.org/x/sys/windows"
)

func catchBrokenPipe() {}

// isBrokenPipe knows what a write to a pipe gives that is being closed, and one
// that is closed.
func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}

func peakMemory() int64 { return 0 }
