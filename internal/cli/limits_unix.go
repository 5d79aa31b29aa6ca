//go:build unix

package cli

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// checkLimits returns an error if so few files may be open that ldx could not work. Go's
// runtime ends the program with a trace if it finds no descriptors for its poller, so
// where they are few it is made now.
func checkLimits() error {
	const (
		few  = 64
		need = 5 // two for the poller, one for a directory, one for that below which it is opened, one on the way
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
