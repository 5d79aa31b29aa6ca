//go:build linux || darwin || freebsd || netbsd || openbsd

package spawn

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// reserve is left for what the kernel or a C library adds, as xargs does.
const reserve = 2048

// space returns how many bytes the arguments and the environment of a process may
// have. On Linux that is a quarter of the stack, at least 128 KiB and at most 6 MiB
// (bprm_stack_limits in fs/exec.c); elsewhere there is a setting.
var space = sync.OnceValue(func() int {
	const least, most = 128 << 10, 6 << 20
	if size := systemSpace(); size > 0 {
		return size - reserve
	}
	var stack unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &stack); err != nil {
		return least - reserve
	}
	return max(least, int(min(uint64(stack.Cur)/4, most))) - reserve
})

// environment returns how much of that the environment takes.
var environment = sync.OnceValue(func() int {
	n := 0
	for _, e := range os.Environ() {
		n += sizeOf([]byte(e))
	}
	return n
})

// sizeOf returns how much an argument takes: its bytes, a NUL, and a pointer.
func sizeOf(arg []byte) int { return len(arg) + 1 + 8 }
