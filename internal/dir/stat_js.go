package dir

import (
	"io/fs"
	"os"
	"syscall"
)

func statMore(_ string, fi fs.FileInfo, _ Fields, info *Info) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		info.Device, info.Inode = uint64(st.Dev), st.Ino
		info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
	}
}

// access goes by the bits for everyone, since there is no user.
func access(e *Entry, a Access) bool {
	e.asked()
	fi, err := os.Stat(e.openPath())
	return err == nil && fi.Mode()&fs.FileMode(a) != 0
}
