//go:build darwin || freebsd || netbsd || openbsd

package spawn

import "golang.org/x/sys/unix"

func systemSpace() int {
	size, err := unix.SysctlUint32("kern.argmax")
	if err != nil {
		return 0
	}
	return int(size)
}

// maxArgument returns 0: a single argument has no limit of its own.
func maxArgument() int { return 0 }
