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

// peakMemory returns the peak memory of an ended process, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	use, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return peakOf(use)
}

// OwnPeak returns the peak memory of this process in bytes, or 0 if it is not
// known. A child begins with that. getrusage(2) includes the parent's peak;
// VmHWM (proc_pid_status(5)) does not.
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

// shield keeps the terminal's ^C from a child: the measuring program decides
// when it ends.
func shield(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// block makes reads of f block in the kernel. Go's poller would take several
// threads that wake each other, and disturb the measurement.
func block(f *os.File) error { return syscall.SetNonblock(int(f.Fd()), false) }
