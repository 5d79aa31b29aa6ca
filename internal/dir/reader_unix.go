//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// What the readers of Unix systems have in common. Each has a sysDir with a descriptor
// fd, openat and closeFD, and openStep, the flags to open a directory with that is only
// on the way.

func (d *sysDir) close() { closeFD(d.fd) }

func (s *sysReader) open(d, at *Dir, path []byte, follow bool) error {
	last := unix.O_NOFOLLOW
	if follow {
		last = 0
	}
	d.sys = sysDir{} // d may have been another
	var err error
	if at != nil {
		d.sys.fd, err = openat(at.sys.fd, path, last)
		return err
	}
	// A path may be too long for the kernel (PATH_MAX), or lead over too many
	// links (40, see path_resolution(7)), each of them by itself a good one.
	if d.sys.fd, err = openSteps(path, unix.PathMax, last); err == unix.ELOOP {
		d.sys.fd, err = openSteps(path, 1, last)
	}
	return err
}

// openSteps opens a path in steps that are shorter than most, if each of its
// elements is.
func openSteps(path []byte, most, flags int) (int, error) {
	at, rest, err := walkTo(path, most)
	if err != nil {
		return -1, err
	}
	fd, err := openat(at, rest, flags)
	if at != unix.AT_FDCWD {
		closeFD(at)
	}
	return fd, err
}

// walkTo opens what leads up to the last step of a path. What it returns, if it
// is not AT_FDCWD, is the caller's to close.
func walkTo(path []byte, most int) (at int, rest []byte, err error) {
	at = unix.AT_FDCWD
	for len(path) >= most {
		n := bytes.LastIndexByte(path[:most], '/')
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
		fd, err := openat(at, step, openStep)
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
func readFile(d *Dir, name string, follow bool, b []byte) ([]byte, error) {
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := unix.Openat(d.sys.fd, name, flags, 0)
	if err == unix.ENXIO || err != nil && !follow && isLink(d, name) { // ENXIO: a socket
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer closeFD(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return b, err
	}
	for {
		b = slices.Grow(b, 4<<10)
		n, err := unix.Read(fd, b[len(b):cap(b)])
		switch {
		case err == unix.EINTR:
		case n == 0 || err != nil:
			return b, err
		default:
			if b = b[:len(b)+n]; int64(len(b)) == st.Size {
				return b, nil
			}
		}
	}
}

// isLink asks, since each system has an error of its own for O_NOFOLLOW.
func isLink(d *Dir, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(d.sys.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// sysName returns where and under which name the kernel finds e. The place is to
// be given to sysClose.
func (e *Entry) sysName() (at int, name []byte, err error) {
	if e.Dir.Depth < 0 {
		return walkTo(e.Dir.root.path, unix.PathMax)
	}
	return e.Dir.sys.fd, e.Name, nil
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
	n, err := readlinkat(at, string(name), buf)
	return buf[:max(n, 0)], err
}

// resolve asks for a type that the file system did not put into the listing.
func resolve(e *Entry) {
	var info Info
	if stat(e, Mode, false, &info) == nil {
		e.Type = info.Mode.Type()
	}
}

// descriptors divides up what RLIMIT_NOFILE allows, of which a few go to
// everyone else: a quarter of the rest is for Readers, that may need two for a
// moment, and half for handles that are shared. More shared ones would not be
// used, since a walk has few directories half done.
var descriptors = sync.OnceValue(func() (d struct{ readers, shared int }) {
	const others, most = 8, 1024
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
