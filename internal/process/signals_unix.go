//go:build unix

package process

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// deadly returns the signals that end or stop a process at the terminal's or a user's command.
// The system does not stop a process that no shell could continue: one in the group of its
// session's leader.
func deadly() []os.Signal {
	signals := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT}
	session, err := unix.Getsid(0)
	if group, groupErr := unix.Getpgid(0); err == nil && groupErr == nil && group != session {
		signals = append(signals, unix.SIGTSTP)
	}
	return signals
}

// suspend stops the process if s is SIGTSTP, and returns true when it goes on. (A caught SIGTSTP
// has no default action in Go any more.)
func suspend(s os.Signal) bool {
	if s != unix.SIGTSTP {
		return false
	}
	continued := make(chan os.Signal, 1) // other threads than that of Kill may be the first to stop
	signal.Notify(continued, unix.SIGCONT)
	defer signal.Stop(continued)
	if unix.Kill(unix.Getpid(), unix.SIGSTOP) == nil {
		<-continued
	}
	return true
}
