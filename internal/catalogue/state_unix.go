//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package catalogue

import (
	"os"

	"golang.org/x/sys/unix"

	"ldx/internal/dir"
)

// stateOf asks the system about an open file. The error is dir.ErrNotRegular for what is no regular
// file.
func stateOf(f *os.File) (s fileState, err error) {
	var st unix.Stat_t
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Fstat(int(f.Fd()), &st)
	}
	switch {
	case err != nil:
		return s, err
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return s, dir.ErrNotRegular
	}
	return fileState{
		device: uint64(st.Dev), inode: st.Ino, links: uint64(st.Nlink), user: st.Uid,
		stamp:  Stamp{Size: st.Size, Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano()},
		sparse: st.Blocks*512 < st.Size,
	}, nil
}
