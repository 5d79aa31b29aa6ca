package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// SyncData makes what was written to a file durable.
func SyncData(f *os.File) error {
	err := error(unix.EINTR)
	for err == unix.EINTR {
		err = unix.Fdatasync(int(f.Fd()))
	}
	return err
}
