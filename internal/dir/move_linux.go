//go:build !ldx_bsd && !ldx_fallback

package dir

import "golang.org/x/sys/unix"

// renameNew renames a file unless the new name exists, in one call where the file system can.
func renameNew(at int, from string, to int, name string) error {
	err := again(func() error { return unix.Renameat2(at, from, to, name, unix.RENAME_NOREPLACE) })
	if err == unix.EINVAL || err == unix.ENOSYS {
		return renameChecked(at, from, to, name)
	}
	return err
}
