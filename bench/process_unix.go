//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most memory that an ended process had, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	use, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss)
	}
	return int64(use.Maxrss) << 10
}

// block has a read of f wait in the kernel. Through Go's poller it would take
// several threads that wake each other, at the cost of what is measured.
func block(f *os.File) error { return syscall.SetNonblock(int(f.Fd()), false) }
