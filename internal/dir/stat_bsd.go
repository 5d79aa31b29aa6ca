//go:build (linux && ldx_bsd) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"time"

	"golang.org/x/sys/unix"
)

// statAt uses fstatat(2).
func statAt(e *Entry, want Fields, follow bool, info *Info) error {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return err
	}
	defer e.sysClose(at)
	flags := unix.AT_SYMLINK_NOFOLLOW
	if follow {
		flags = 0
	}
	var st unix.Stat_t
	if err := again(func() error { return unix.Fstatat(at, string(name), &st, flags) }); err != nil {
		return err
	}
	info.Device, info.Inode = uint64(st.Dev), uint64(st.Ino)
	info.Mode = fileMode(uint32(st.Mode))
	info.Size, info.Allocated = st.Size, st.Blocks*512
	info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
	if want&(ModTime|AccessTime|ChangeTime|BirthTime) != 0 {
		info.ModTime, info.AccessTime, info.ChangeTime = time.Unix(st.Mtim.Unix()), time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix())
		info.BirthTime = birthTime(&st)
	}
	return nil
}

// access uses faccessat(2), whose mode bits are those of Access.
func access(e *Entry, a Access) (bool, error) {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return false, err
	}
	defer e.sysClose(at)
	return allowed(again(func() error { return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) }))
}
