//go:build (unix && !linux) || js

package dir

import (
	"io/fs"
	"syscall"
)

func identity(_ string, fi fs.FileInfo) (device, inode uint64) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return uint64(st.Dev), uint64(st.Ino)
}
