//go:build (linux && ldx_fallback) || solaris || illumos || aix

package dir

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// statMore adds the fields that package os does not have on all systems. It asks for the times
// again, since package syscall names them differently on each system.
func statMore(path string, fi fs.FileInfo, want Fields, info *Info) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		info.Device, info.Inode = uint64(st.Dev), uint64(st.Ino)
		info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
		info.Allocated = int64(st.Blocks) * 512
	}
	if want&(AccessTime|ChangeTime|BirthTime) == 0 {
		return
	}
	statOf := unix.Stat
	if fi.Mode()&fs.ModeSymlink != 0 {
		statOf = unix.Lstat
	}
	var st unix.Stat_t
	if statOf(path, &st) == nil {
		info.AccessTime, info.ChangeTime = time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix())
		info.BirthTime = birthTime(&st)
	}
}

// access uses access(2), whose mode bits are those of Access.
func access(e *Entry, a Access) (bool, error) {
	e.asked()
	return allowed(again(func() error { return unix.Access(e.openPath(), uint32(a)) }))
}
