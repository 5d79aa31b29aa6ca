//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"os"

	"golang.org/x/sys/unix"
)

func move(e *Entry, to *os.File, name string) error {
	e.asked()
	at, from, err := e.sysName()
	if err != nil {
		return err
	}
	defer e.sysClose(at)
	conn, err := to.SyscallConn()
	if err != nil {
		return err
	}
	closed := conn.Control(func(fd uintptr) { err = renameNew(at, string(from), int(fd), name) })
	if closed != nil {
		return closed
	}
	return err
}

// renameChecked renames a file unless the new name exists. Something may make it between the two
// calls.
func renameChecked(at int, from string, to int, name string) error {
	var st unix.Stat_t
	if unix.Fstatat(to, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
		return unix.EEXIST
	}
	return again(func() error { return unix.Renameat(at, from, to, name) })
}
