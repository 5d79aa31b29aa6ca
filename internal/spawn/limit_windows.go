package spawn

import (
	"bytes"
	"syscall"
)

// space returns the maximum length of a command line: 32,767 characters with
// the NUL (CreateProcess). A character is at least one byte here.
func space() int { return 32_766 }

func environment() int { return 0 }

// sizeOf returns the maximum length of an argument once quoted, with a space.
func sizeOf(arg []byte) int {
	return max(len(syscall.EscapeArg(string(arg))), 2*len(arg)-len(bytes.TrimRight(arg, `\`))+2) + 1
}

// maxArgument returns 0: only the command line as a whole has a limit.
func maxArgument() int { return 0 }
