//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// readFile reads regular files only: reading others may block or never end. The same holds for
// files of size 0, such as /proc/kmsg.
func readFile(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) {
	if err := d.reach(); err != nil {
		return b, err
	}
	fd, st, err := openRegular(d.sys.fd, name, follow)
	if err == ErrNotRegular {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer closeFD(fd)
	if st.Size == 0 {
		return b, nil
	}
	if st.Size > int64(limit) {
		return b, ErrTooLarge
	}
	for {
		b = slices.Grow(b, 4<<10)
		n, err := unix.Read(fd, b[len(b):cap(b)])
		switch {
		case err == unix.EINTR:
		case n == 0 || err != nil:
			return b, err
		default:
			b = b[:len(b)+n]
			if len(b) > limit { // it is growing
				return b, ErrTooLarge
			}
			if int64(len(b)) == st.Size {
				return b, nil
			}
		}
	}
}

// openRegular opens a regular file, and does not block on anything else. The error is
// ErrNotRegular for any other type, and for a link unless follow is set.
func openRegular(at int, name string, follow bool) (fd int, st unix.Stat_t, err error) {
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	err = again(func() (err error) {
		fd, err = unix.Openat(at, name, flags, 0)
		return err
	})
	if err == unix.ENXIO || err != nil && !follow && isLink(at, name) { // ENXIO: a socket
		return -1, st, ErrNotRegular
	}
	if err != nil {
		return -1, st, err
	}
	if err = again(func() error { return unix.Fstat(fd, &st) }); err == nil && st.Mode&unix.S_IFMT != unix.S_IFREG {
		err = ErrNotRegular
	}
	if err != nil {
		closeFD(fd)
		return -1, st, err
	}
	return fd, st, nil
}

// isLink asks for the type, since O_NOFOLLOW fails with another error on each system.
func isLink(at int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

func openFile(e *Entry) (*os.File, error) {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return nil, err
	}
	defer e.sysClose(at)
	fd, _, err := openRegular(at, string(name), e.followed)
	if err != nil {
		return nil, err
	}
	// Reading a regular file never blocks, so the file can be as package os opens one.
	if err := unix.SetNonblock(fd, false); err != nil {
		closeFD(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), e.Path()), nil
}

func remove(e *Entry) error {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return err
	}
	defer e.sysClose(at)
	flags := 0
	if e.isDir() {
		flags = unix.AT_REMOVEDIR
	}
	return e.Dir.reader.sys.unlinkat(at, name, flags)
}

func (s *sysReader) removeDir(d, at *Dir, below []*Dir) (err error) {
	var fd int
	switch {
	case len(below) > 0:
		fd, err = s.openWay(d.parent, at, below)
	case at == nil:
		fd, err = s.openRoot(d.root)
	default:
		return s.unlinkat(at.sys.fd, d.name, unix.AT_REMOVEDIR)
	}
	if err != nil {
		return err
	}
	defer closeFD(fd)
	return s.unlinkat(fd, d.name, unix.AT_REMOVEDIR)
}

func readLink(e *Entry) ([]byte, error) {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return nil, err
	}
	defer e.sysClose(at)
	buf := make([]byte, unix.PathMax)
	n := 0
	err = again(func() error {
		n, err = readlinkat(at, string(name), buf)
		return err
	})
	return buf[:max(n, 0)], err
}

// sysName returns the directory and the name by which the kernel finds e. The caller must pass
// at to sysClose.
func (e *Entry) sysName() (at int, name []byte, err error) {
	if e.Dir.Depth < 0 {
		return e.Dir.reader.sys.walkTo(e.Dir.root.path, unix.PathMax)
	}
	return e.Dir.sys.fd, e.Name, e.Dir.reach()
}

func (e *Entry) sysClose(at int) {
	if e.Dir.Depth < 0 && at != unix.AT_FDCWD {
		closeFD(at)
	}
}
