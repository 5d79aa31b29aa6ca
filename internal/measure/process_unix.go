//go:build unix

package measure

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// peakMemory returns the most memory that an ended process had, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	use, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return peakOf(use)
}

// OwnPeak returns the most memory that this process had, which its children begin with, in bytes; 0
// if that is not known.
// What the process that started this one had is in what getrusage(2) tells, but not in
// VmHWM of proc_pid_status(5).
func OwnPeak() int64 {
	if kib, ok := strings.CutSuffix(fieldOf("/proc/self/status", "VmHWM"), " kB"); ok {
		if n, err := strconv.ParseInt(kib, 10, 64); err == nil {
			return n << 10
		}
	}
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return peakOf(&use)
}

func peakOf(use *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss)
	}
	return int64(use.Maxrss) << 10
}

// shield keeps the terminal's ^C from a child: who measures decides what becomes of it.
func shield(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// block has a read of f wait in the kernel. Through Go's poller it would take several
// threads that wake each other, at the cost of what is measured.
func block(f *os.File) error { return syscall.SetNonblock(int(f.Fd()), false) }
