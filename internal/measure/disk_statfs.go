//go:build darwin || freebsd

package measure

import "golang.org/x/sys/unix"

func disk(path string) (fileSystem, kind string) {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return "", ""
	}
	if uint64(st.Flags)&unix.MNT_LOCAL == 0 {
		kind = "network"
	}
	return unix.ByteSliceToString(st.Fstypename[:]), kind
}
