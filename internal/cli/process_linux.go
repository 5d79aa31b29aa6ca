package cli

import "golang.org/x/sys/unix"

// waits returns what tells how often the calling thread has had to wait for anything but
// a processor: getrusage(2)'s voluntary context switches.
func waits() func() int64 {
	return func() int64 {
		var use unix.Rusage
		if unix.Getrusage(unix.RUSAGE_THREAD, &use) != nil {
			return 0
		}
		return int64(use.Nvcsw)
	}
}
