//go:build unix

package dir

import "golang.org/x/sys/unix"

// again calls f until it is not interrupted by a signal.
func again(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

// allowed tells the error of a question for access that means no from others.
func allowed(err error) (bool, error) {
	switch err {
	case nil:
		return true, nil
	case unix.EACCES, unix.EPERM, unix.EROFS, unix.ETXTBSY, unix.ENOENT, unix.ENOTDIR, unix.ELOOP:
		return false, nil
	}
	return false, err
}

// errLinkLoop means that a link's target is reached by way of the link itself.
var errLinkLoop error = unix.ELOOP
