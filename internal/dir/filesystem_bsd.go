//go:build darwin || dragonfly || freebsd

package dir

import "golang.org/x/sys/unix"

func fileSystem(d *Dir) (string, error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(d.sys.fd, &st); err != nil {
		return "", err
	}
	return unix.ByteSliceToString(st.Fstypename[:]), nil
}
