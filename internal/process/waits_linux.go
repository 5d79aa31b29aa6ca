package process

import "golang.org/x/sys/unix"

// Waits returns a function that returns how often the calling thread has had to wait for
// anything but a processor: getrusage(2)'s voluntary context switches.
func Waits() func() int64 {
	return func() int64 {
		var use unix.Rusage
		if unix.Getrusage(unix.RUSAGE_THREAD, &use) != nil {
			return 0
		}
		return int64(use.Nvcsw)
	}
}
