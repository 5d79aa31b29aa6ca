package process

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// keepClosed makes writes to the standard output fail, with EBADF, if it was closed when
// ldx was started. Go's runtime has opened /dev/null in its place by then, so that no file
// gets its number, and what is written there would be lost without an error.
func keepClosed() {
	const stdout = 1
	if !isNull(stdout) || !wasClosed(stdout) {
		return
	}
	if null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
		_ = unix.Dup3(null, stdout, 0)
		_ = unix.Close(null)
	}
}

func isNull(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFCHR && uint64(st.Rdev) == unix.Mkdev(1, 3)
}

// wasClosed reports whether the runtime has opened fd, which is /dev/null. It opens it for
// reading and writing, but so do programs that start others without an output, such as
// Python and Node. Only the parent process shows which it was: either its own descriptor
// is closed, or it is a shell, which opens /dev/null for writing alone (unless it is asked
// for 1<>/dev/null, which counts as closed). What is not certain counts as open.
func wasClosed(fd int) bool {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	proc := "/proc/" + strconv.Itoa(os.Getppid())
	open, err := os.ReadDir(proc + "/fd")
	if err != nil || isFile(os.Getpid(), 0, fd) || isFile(os.Getpid(), 2, fd) {
		return false
	}
	inherits := false
	for _, other := range open {
		number, err := strconv.Atoi(other.Name())
		if err != nil || isFile(os.Getppid(), number, fd) {
			return false
		}
		inherits = inherits || number == fd
	}
	return !inherits || isShell(proc)
}

// isFile reports whether another descriptor, of a process, is the same open file as fd of
// this one, or cannot be compared with it.
func isFile(pid, other, fd int) bool {
	const file = 0 // KCMP_FILE
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(pid), file, uintptr(fd), uintptr(other), 0)
	return order == 0 || errno != 0 && !errors.Is(errno, unix.EBADF)
}

func isShell(proc string) bool {
	program, err := os.Readlink(proc + "/exe")
	name := filepath.Base(program)
	return err == nil && (strings.HasSuffix(name, "sh") || name == "busybox") // dash, bash, zsh, ksh, fish
}
