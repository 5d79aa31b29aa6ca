//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock of an open file, without waiting. The lock ends with the file.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return ErrLocked
	}
	return err
}
