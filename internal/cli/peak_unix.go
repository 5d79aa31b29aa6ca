//go:build unix && !linux

package cli

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory returns the most memory the process has had, in bytes; 0 if that
// is not known.
func peakMemory() int64 {
	var use unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &use) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss)
	}
	return int64(use.Maxrss) << 10
}
