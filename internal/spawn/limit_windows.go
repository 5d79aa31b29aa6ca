package spawn

import (
	"bytes"
	"syscall"
)

// space returns how long a command line may be: 32,767 characters with the NUL
// (CreateProcess). A character is at least one byte here.
func space() int { return 32_766 }

func environment() int { return 0 }

// sizeOf returns the length of an argument as it may be quoted at most, and a space.
func sizeOf(arg []byte) int {
	return max(len(syscall.EscapeArg(string(arg))), 2*len(arg)-len(bytes.TrimRight(arg, `\`))+2) + 1
}

// maxArgument returns 0: only the whole command line has a limit.
func maxArgument() int { return 0 }
