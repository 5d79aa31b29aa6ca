//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// What the readers of Unix systems have in common. Each has a sysDir with a descriptor
// fd, openat and closeFD; openSteps, for which several directories may be one step; and
// openStep, the flags to open a directory with that is only on the way.

func (d *sysDir) close() { closeFD(d.fd) }

// noFollow returns the flag to open d with.
func (d *Dir) noFollow() int {
	if d.follow {
		return 0
	}
	return unix.O_NOFOLLOW
}

// openWay opens d by way of the directories in below. No link is followed but where
// one has been before.
func (s *sysReader) openWay(d, at *Dir, below []*Dir) (fd int, err error) {
	switch {
	case len(below) == 0:
		return s.openPath(d.root.path, 0)
	case at != nil:
		fd = at.sys.fd
	default:
		if fd, err = s.openRoot(d.root); err != nil {
			return -1, err
		}
	}
	kept := at != nil
	for len(below) > 0 {
		from := fd
		var n int
		if fd, n, err = s.openSteps(from, below, d.noFollow()); n == 1 && err == nil {
			flags := d.noFollow()
			if len(below) > 1 {
				flags = openStep | below[0].noFollow()
			}
			fd, err = s.openat(from, below[0].name, flags)
		}
		if !kept {
			closeFD(from)
		}
		if err != nil {
			return -1, err
		}
		below, kept = below[n:], false
	}
	return fd, nil
}

// openRoot opens a root on the way to what is below it, if it is still the directory that
// it was.
func (s *sysReader) openRoot(r *root) (int, error) {
	fd, err := s.openPath(r.path, openStep)
	if err != nil {
		return -1, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || r.id != (ID{}) && r.id != (ID{uint64(st.Dev), st.Ino}) {
		closeFD(fd)
		return -1, cmp.Or(err, error(unix.ENOENT))
	}
	return fd, nil
}

// openPath opens a path that the user has given. It may be too long for the kernel
// (PATH_MAX), or lead over too many links (40, see path_resolution(7)), each of them by
// itself a good one.
func (s *sysReader) openPath(path []byte, flags int) (int, error) {
	fd, err := s.openParts(path, unix.PathMax, flags)
	if err == unix.ELOOP {
		fd, err = s.openParts(path, 1, flags)
	}
	return fd, err
}

// openParts opens a path in parts that are shorter than limit, if each of its
// elements is.
func (s *sysReader) openParts(path []byte, limit, flags int) (int, error) {
	at, rest, err := s.walkTo(path, limit)
	if err != nil {
		return -1, err
	}
	fd, err := s.openat(at, rest, flags)
	if at != unix.AT_FDCWD {
		closeFD(at)
	}
	return fd, err
}

// walkTo opens what leads up to the last part of a path. What it returns, if it
// is not AT_FDCWD, is the caller's to close.
func (s *sysReader) walkTo(path []byte, limit int) (at int, rest []byte, err error) {
	at = unix.AT_FDCWD
	for len(path) >= limit {
		n := bytes.LastIndexByte(path[:limit], '/')
		if n <= 0 {
			n = 1 + bytes.IndexByte(path[1:], '/')
		}
		if n == 0 {
			break // a single element: the kernel will say so if it is too long
		}
		step := append(path[:n:n], 0)[:n]
		rest := bytes.TrimLeft(path[n:], "/")
		if len(rest) == 0 {
			break // nothing but slashes follows
		}
		fd, err := s.openat(at, step, openStep)
		if at != unix.AT_FDCWD {
			closeFD(at)
		}
		if err != nil {
			return unix.AT_FDCWD, nil, err
		}
		at, path = fd, rest
	}
	return at, path, nil
}

func (s *sysReader) rewind(d *Dir) error {
	_, err := unix.Seek(d.sys.fd, 0, io.SeekStart)
	return err
}

// readFile reads regular files only: what others hold may never come, or end.
// Nor may that of a file without a size: /proc/kmsg is such a regular file.
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
			if len(b) > limit { // it grows
				return b, ErrTooLarge
			}
			if int64(len(b)) == st.Size {
				return b, nil
			}
		}
	}
}

// openRegular opens a regular file, and does not wait for anything else. The error is
// ErrNotRegular for what is none; so is a link that is not to be followed.
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

// isLink asks, since each system has an error of its own for O_NOFOLLOW.
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
	// A regular file is never waited for, so that it may be as package os opens one.
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
	return again(func() error { return unix.Unlinkat(at, string(name), flags) })
}

func (s *sysReader) removeDir(d, at *Dir, below []*Dir) (err error) {
	fd := -1
	switch {
	case len(below) > 0:
		fd, err = s.openWay(d.parent, at, below)
	case at == nil:
		fd, err = s.openRoot(d.root)
	default:
		return again(func() error { return unix.Unlinkat(at.sys.fd, string(d.name), unix.AT_REMOVEDIR) })
	}
	if err != nil {
		return err
	}
	defer closeFD(fd)
	return again(func() error { return unix.Unlinkat(fd, string(d.name), unix.AT_REMOVEDIR) })
}

// sysName returns where and under which name the kernel finds e. The place is to
// be given to sysClose.
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

func temporary(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.EAGAIN)
}

// resolve asks for a type that the file system did not put into the listing.
func resolve(e *Entry) {
	var info Info
	switch err := e.stat(Mode, false, &info); {
	case err == nil:
		e.Type = info.Mode.Type()
	case !vanished(err):
		e.Dir.reader.invalid = err
	}
}

// descriptors divides up what RLIMIT_NOFILE allows, of which a few go to
// everyone else: a quarter of the rest is for Readers, that may need two for a
// moment, and half for handles that are shared. More shared ones would not be
// used, since a walk has few directories half done.
var descriptors = sync.OnceValue(func() (d struct{ readers, shared int }) {
	const others, most = 6, 1024
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		limit.Cur = 256
	}
	free := int(min(limit.Cur, 1<<20)) - others
	d.readers = max(1, free/4)
	d.shared = max(0, min(free/2, most))
	return d
})

func maxReaders() int { return descriptors().readers }

func maxShared() int { return descriptors().shared }
