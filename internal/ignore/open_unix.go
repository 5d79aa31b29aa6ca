//go:build unix

package ignore

import "syscall"

// openFlags keep open from blocking on a named pipe.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
