package spawn

import "syscall"

// space returns how long a command line may be: 32,767 characters with the NUL
// (CreateProcess). A character is at least one byte here.
func space() int { return 32_766 }

func environment() int { return 0 }

// sizeOf returns the length of an argument as it will be quoted, and a space.
func sizeOf(arg []byte) int { return len(syscall.EscapeArg(string(arg))) + 1 }
