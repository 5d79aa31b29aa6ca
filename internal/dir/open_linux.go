//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openStep is the flag to open directories on the way with. It needs no permission to read.
const openStep = unix.O_PATH

const openFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_LARGEFILE

func (s *sysReader) openat(at int, path []byte, flags int) (int, error) {
	return s.openatBy(false, at, path, flags)
}

func (s *sysReader) openatBy(raw bool, at int, path []byte, flags int) (int, error) {
	if raw { // faster than call
		fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))),
			uintptr(flags|openFlags), 0, 0, 0)
		if errno == 0 {
			return int(fd), nil
		}
		if errno != unix.EINTR {
			return -1, errno
		}
		s.interrupted = true
	}
	fd, errno := s.call(false, unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))), uintptr(flags|openFlags), 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return fd, nil
}

// open opens d, usually a child of at.
func (s *sysReader) open(d, at *Dir, below []*Dir, local bool) (err error) {
	if len(below) == 1 && at != nil {
		d.sys.fd, err = s.openatBy(local, at.sys.fd, d.name, d.noFollow())
	} else {
		d.sys.fd, err = s.openWay(d, at, below)
	}
	switch {
	case err != nil:
	case local: // so d is not a mount point
		d.sys.mount, d.sys.local = at.sys.mount, true
	default:
		s.noteMount(d)
	}
	return err
}

// openSteps opens several directories of below in one call, if the kernel has openat2(2), and
// returns their number n. If n is 1, nothing was opened.
func (s *sysReader) openSteps(at int, below []*Dir, flags int) (fd, n int, err error) {
	if noOpenat2.Load() {
		return -1, 1, nil
	}
	path := s.path[:0]
	for n < len(below) && !below[n].follow && len(path)+len(below[n].name)+1 < unix.PathMax {
		path = append(append(path, below[n].name...), '/')
		n++
	}
	s.path = path
	if n < 2 {
		return -1, 1, nil
	}
	flags |= openFlags
	if n < len(below) {
		flags = (flags | openStep) &^ unix.O_LARGEFILE // openat2 refuses it with O_PATH
	}
	path[len(path)-1] = 0
	s.how = unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	}
	fd, errno := s.call(false, unix.SYS_OPENAT2, uintptr(at), uintptr(unsafe.Pointer(&path[0])),
		uintptr(unsafe.Pointer(&s.how)), unix.SizeofOpenHow, 0)
	switch errno {
	case 0:
		return fd, n, nil
	case unix.ENOSYS, unix.EPERM: // EPERM: from seccomp
		noOpenat2.Store(true)
		return -1, 1, nil
	case unix.ELOOP, unix.EXDEV: // a link has taken the place of a directory
		errno = unix.ENOTDIR
	}
	return -1, n, errno
}

// unlinkat is never raw: to free a large file takes long.
func (s *sysReader) unlinkat(at int, name []byte, flags int) error {
	_, errno := s.call(false, unix.SYS_UNLINKAT, uintptr(at), uintptr(unsafe.Pointer(cString(name))), uintptr(flags), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

var noOpenat2 atomic.Bool

func closeFD(fd int) { _, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

// cString returns a name, which has a NUL after it, as the kernel takes it.
func cString(name []byte) *byte {
	if name[:len(name)+1][len(name)] != 0 {
		panic("dir: a name without its NUL")
	}
	return &name[:1][0]
}

func vanished(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ESRCH)
}
