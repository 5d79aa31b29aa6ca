package dir

import (
	"io/fs"
	"syscall"
)

func statMore(_ string, fi fs.FileInfo, _ Fields, info *Info) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		info.Device, info.Inode = uint64(st.Dev), st.Ino
		info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
	}
}
