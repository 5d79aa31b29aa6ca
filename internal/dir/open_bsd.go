//go:build (linux && ldx_bsd) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"errors"

	"golang.org/x/sys/unix"
)

// bufferSize is that of FreeBSD's and Apple's own programs, or twice that.
const bufferSize = 64 << 10

const openStep = 0

func (*sysReader) openat(at int, path []byte, flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_NONBLOCK
	for {
		fd, err := unix.Openat(at, string(path), flags, 0)
		switch err {
		case unix.EINTR:
		case unix.EDEADLK: // see fetchRemote
			return fd, ErrRemote
		default:
			return fd, err
		}
	}
}

// open stores the identity of a root, which may have to be opened again.
func (s *sysReader) open(d, at *Dir, below []*Dir, _ bool) (err error) {
	if d.sys.fd, err = s.openWay(d, at, below); err == nil && d.parent == nil {
		var st unix.Stat_t
		if unix.Fstat(d.sys.fd, &st) == nil {
			d.root.id = ID{uint64(st.Dev), uint64(st.Ino)}
		}
	}
	return err
}

// openSteps returns 1: each directory is opened by itself.
func (*sysReader) openSteps(int, []*Dir, int) (fd, n int, err error) { return -1, 1, nil }

func (*sysReader) unlinkat(at int, name []byte, flags int) error {
	return again(func() error { return unix.Unlinkat(at, string(name), flags) })
}

func closeFD(fd int) { _ = unix.Close(fd) }

// vanished includes the errors of O_NOFOLLOW for a link: ELOOP, EMLINK on FreeBSD and EFTYPE
// on NetBSD. ESRCH is that of procfs for a process that has ended.
func vanished(err error) bool {
	const efType = unix.Errno(79)
	for _, gone := range []unix.Errno{unix.ENOENT, unix.ENOTDIR, unix.ELOOP, unix.EMLINK, unix.ESRCH, efType} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}
