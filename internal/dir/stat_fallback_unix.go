//go:build (linux && ldx_fallback) || solaris || illumos || aix

package dir

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// statMore adds what package os has not told of in common. The times are asked
// for again, since syscall has another name for each on each system.
func statMore(path string, fi fs.FileInfo, want Fields, info *Info) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		info.Device, info.Inode = uint64(st.Dev), uint64(st.Ino)
		info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
		info.Allocated = int64(st.Blocks) * 512
	}
	if want&(AccessTime|ChangeTime|BirthTime) == 0 {
		return
	}
	ask := unix.Stat
	if fi.Mode()&fs.ModeSymlink != 0 {
		ask = unix.Lstat
	}
	var st unix.Stat_t
	if ask(path, &st) == nil {
		info.AccessTime, info.ChangeTime = time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix())
		info.BirthTime = birthTime(&st)
	}
}

// access has the bits of Access as they are, those of access(2).
func access(e *Entry, a Access) (bool, error) {
	e.asked()
	return allowed(again(func() error { return unix.Access(e.openPath(), uint32(a)) }))
}
