//go:build unix

package spawn

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// scarce reports whether a process could not be started for lack of
// descriptors, processes or memory, which the end of another process may
// release. (EBADF comes from a dup3 in the child to a number beyond
// RLIMIT_NOFILE.)
func scarce(err error) bool {
	for _, want := range []error{unix.EMFILE, unix.ENFILE, unix.EBADF, unix.EAGAIN, unix.ENOMEM} {
		if errors.Is(err, want) {
			return true
		}
	}
	return false
}

// tooLong reports whether the system refused the arguments as too long.
func tooLong(err error) bool { return errors.Is(err, unix.E2BIG) }

// signalOf returns the signal that killed the process of err, or 0.
func signalOf(err error) syscall.Signal {
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return status.Signal()
		}
	}
	return 0
}

// signalled returns a SignalError if err means that a command was killed, else
// err.
func signalled(command string, path []byte, err error) error {
	signal := signalOf(err)
	if signal == 0 {
		return err
	}
	name := signal.String()
	if short := unix.SignalName(signal); short != "" {
		name = short + " (" + name + ")"
	}
	return &SignalError{Command: command, Path: string(path), Signal: name}
}

// brokenPipe returns the error of writing to w if w is a broken pipe and err
// means that SIGPIPE killed the process, else nil.
func brokenPipe(err error, w any) error {
	file, ok := w.(*os.File)
	if signalOf(err) != unix.SIGPIPE || !ok {
		return nil
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	fds := []unix.PollFd{{Events: unix.POLLOUT}}
	err = raw.Control(func(fd uintptr) {
		fds[0].Fd = int32(fd)
		_, _ = unix.Poll(fds, 0)
	})
	if err != nil || fds[0].Revents&(unix.POLLERR|unix.POLLHUP) == 0 {
		return nil
	}
	return &os.PathError{Op: "write", Path: file.Name(), Err: syscall.EPIPE}
}

// A pipeWriter writes to a file, and returns an error for a broken pipe on the
// standard outputs too, where package os would end this process by SIGPIPE.
// Commands would inherit an ignored signal, and catching it takes threads.
type pipeWriter struct{ file *os.File }

// writer returns a writer to w that reports broken pipes as errors.
func writer(w io.Writer) io.Writer {
	if file, ok := w.(*os.File); ok {
		return pipeWriter{file}
	}
	return w
}

func (w pipeWriter) Write(b []byte) (int, error) {
	raw, err := w.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	done := 0
	for err == nil && done < len(b) {
		var n int
		var failed error
		err = raw.Write(func(fd uintptr) bool {
			n, failed = syscall.Write(int(fd), b[done:])
			return failed != syscall.EAGAIN
		})
		done += max(n, 0)
		if failed != nil && failed != syscall.EINTR {
			err = &os.PathError{Op: "write", Path: w.file.Name(), Err: failed}
		}
	}
	return done, err
}
