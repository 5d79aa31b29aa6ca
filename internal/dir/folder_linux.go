//go:build !ldx_fallback

package dir

import "golang.org/x/sys/unix"

// Exchange exchanges two entries at once. The error wraps errors.ErrUnsupported if the system or
// the file system cannot.
func (f *Folder) Exchange(a, b string) error {
	return f.rename(a, b, unix.RENAME_EXCHANGE)
}

// Move renames an entry. It fails if something has the new name. The error wraps
// errors.ErrUnsupported if the system or the file system cannot.
func (f *Folder) Move(name, to string) error {
	return f.rename(name, to, unix.RENAME_NOREPLACE)
}

func (f *Folder) rename(a, b string, flags uint) error {
	err := again(func() error { return unix.Renameat2(f.sys.fd, a, f.sys.fd, b, flags) })
	if err == unix.EINVAL { // the file system does not know the flag
		return unix.ENOSYS
	}
	return err
}
