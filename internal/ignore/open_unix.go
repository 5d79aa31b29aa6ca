//go:build unix

package ignore

import "syscall"

// openFlags have no pipe hold up whoever opens it.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
