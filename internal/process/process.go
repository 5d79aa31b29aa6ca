// Package process is what the system gives this process: file descriptors, signals, and a
// standard output that may be closed.
package process

import (
	"os"
	"os/signal"
	"runtime"
	"time"
)

// Prepare must be called before anything is written or opened. An error means that so few
// files may be open that nothing can be listed.
func Prepare() error {
	keepClosed()
	return checkDescriptors()
}

// Processors returns how many threads or commands may usefully run at a time: the processors
// that the process may use (Go respects affinity and cgroups), at most 64. More only wait for
// each other.
func Processors() int { return min(runtime.GOMAXPROCS(0), 64) }

// EndBy ends the process by a signal, as if the signal had not been caught; if it is ignored,
// with status.
func EndBy(s os.Signal, status int) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // until it is delivered
	}
	os.Exit(status)
}
