//go:build darwin || dragonfly || freebsd

package index

import "golang.org/x/sys/unix"

// FileSystem returns the name of the file system of an open directory.
func FileSystem(fd uintptr) (string, error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(fd), &st); err != nil {
		return "", err
	}
	return unix.ByteSliceToString(st.Fstypename[:]), nil
}
