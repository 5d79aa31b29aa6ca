//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"bytes"
	"cmp"

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

// A sysRoot says which directory was opened as a root: it may have to be opened again.
type sysRoot struct{ id ID } // zero where the system does not say

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
