//go:build unix

package dir

import "golang.org/x/sys/unix"

// again calls f until no signal interrupts it.
func again(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

// allowed returns the answer that the error of a question for access means, or the error
// itself if it means that the system did not say.
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
