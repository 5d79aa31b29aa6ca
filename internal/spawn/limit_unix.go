//go:build linux || darwin || freebsd || netbsd || openbsd

package spawn

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// reserve is left for additions by the kernel or a C library, as in xargs.
const reserve = 2048

// space returns the maximum size of a process's arguments and environment. On
// Linux it is a quarter of the stack, at least 128 KiB and at most 6 MiB
// (bprm_stack_limits in fs/exec.c); other systems have a setting.
var space = sync.OnceValue(func() int {
	const minSpace, maxSpace = 128 << 10, 6 << 20
	if size := systemSpace(); size > 0 {
		return size - reserve
	}
	var stack unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &stack); err != nil {
		return minSpace - reserve
	}
	return max(minSpace, int(min(uint64(stack.Cur)/4, maxSpace))) - reserve
})

// environment returns the size of the environment.
var environment = sync.OnceValue(func() int {
	n := 0
	for _, e := range os.Environ() {
		n += sizeOf([]byte(e))
	}
	return n
})

// sizeOf returns the size of an argument: its bytes, a NUL, and a pointer.
func sizeOf(arg []byte) int { return len(arg) + 1 + 8 }
