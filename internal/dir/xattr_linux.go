//go:build !ldx_fallback

package dir

import (
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// HasXattrs says whether HasXattr works on this system.
const HasXattrs = true

// HasXattr reports whether the entry, or a followed link's target, has an extended attribute of
// that name. On a file system without them there is none. The error is an *fs.PathError.
func (e *Entry) HasXattr(name string) (bool, error) {
	local := e.waiting(e.followed)
	has, err := hasXattr(e, name)
	e.answered(local)
	if err != nil {
		return false, &fs.PathError{Op: "getxattr", Path: e.Path(), Err: err}
	}
	return has, nil
}

// hasXattr names the entry by its directory's handle in /proc, as there is no call before Linux
// 6.13 that takes the handle.
func hasXattr(e *Entry, attribute string) (bool, error) {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return false, err
	}
	defer e.sysClose(at)
	path := string(name)
	if at != unix.AT_FDCWD {
		path = "/proc/self/fd/" + strconv.Itoa(at) + "/" + path
	}
	get := unix.Lgetxattr
	if e.followed {
		get = unix.Getxattr
	}
	switch err := again(func() error { _, err := get(path, attribute, nil); return err }); err {
	case nil:
		return true, nil
	case unix.ENODATA, unix.ENOTSUP:
		return false, nil
	default:
		return false, err
	}
}
