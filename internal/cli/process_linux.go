package cli

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// peakMemory returns the most memory the process has had, in bytes; 0 if that is not
// known. It is VmHWM of proc_pid_status(5): what getrusage(2) tells begins with that of
// the process that started this one.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := strings.Cut(string(rest), "\n")
	kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	return kib << 10
}

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
