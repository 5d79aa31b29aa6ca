//go:build unix

package process

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// MaxDescriptors returns how many file descriptors this process may have.
func MaxDescriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 256
	}
	return int(min(limit.Cur, 1<<20))
}

// checkDescriptors returns an error if ldx could not work with as few descriptors as there
// are. Go's runtime ends the program with a trace if it finds none for its poller, so where
// they are few the poller is made now.
func checkDescriptors() error {
	const (
		few  = 64
		need = 5 // two for the poller, two for a directory and that below which it is opened, one on the way
	)
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || limit.Cur >= few {
		return nil
	}
	var free []int
	for len(free) < need {
		fd, err := unix.Dup(0)
		if err != nil {
			break
		}
		free = append(free, fd)
	}
	for _, fd := range free {
		_ = unix.Close(fd)
	}
	if len(free) < need {
		return fmt.Errorf("too few files may be open: ldx needs %d more descriptors and has %d; raise the limit (ulimit -n)", need, len(free))
	}
	time.AfterFunc(time.Hour, func() {}).Stop() // the first timer makes the poller
	return nil
}
