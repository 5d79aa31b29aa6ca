//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"bytes"
	"cmp"

	"golang.org/x/sys/unix"
)

// The native readers of Unix systems share the *_native.go files. Each has a sysDir with a
// descriptor fd; openat and closeFD; openSteps, which may open several directories in one
// call; unlinkat; and openStep, the flags for a directory on the way to another.

func (d *sysDir) close() { closeFD(d.fd) }

// noFollow returns O_NOFOLLOW unless d is reached through a link.
func (d *Dir) noFollow() int {
	if d.follow {
		return 0
	}
	return unix.O_NOFOLLOW
}

// openWay opens d by way of the directories in below. It follows a link only where the walk
// has followed one.
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

// openRoot opens a root on the way to a directory below it. The root must still be the
// directory that was opened first.
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

// openPath opens a path from the user. The path may be longer than PATH_MAX. It may also lead
// through more links than the kernel follows in one call: 40, see path_resolution(7).
func (s *sysReader) openPath(path []byte, flags int) (int, error) {
	fd, err := s.openParts(path, unix.PathMax, flags)
	if err == unix.ELOOP {
		fd, err = s.openParts(path, 1, flags)
	}
	return fd, err
}

// openParts opens a path in parts shorter than limit, if each element of it is.
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

// walkTo opens the directory that the last part of a path is in. The caller must close at,
// unless it is AT_FDCWD.
func (s *sysReader) walkTo(path []byte, limit int) (at int, rest []byte, err error) {
	at = unix.AT_FDCWD
	for len(path) >= limit {
		n := bytes.LastIndexByte(path[:limit], '/')
		if n <= 0 {
			n = 1 + bytes.IndexByte(path[1:], '/')
		}
		if n == 0 {
			break // a single element: the kernel reports it if it is too long
		}
		step := append(path[:n:n], 0)[:n]
		rest := bytes.TrimLeft(path[n:], "/")
		if len(rest) == 0 {
			break // only slashes follow
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
