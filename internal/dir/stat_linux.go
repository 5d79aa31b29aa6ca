//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stat uses statx(2) with the smallest mask possible: a network file system may have to ask
// its server for more.
func stat(e *Entry, want Fields, follow, local bool, info *Info) error {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return err
	}
	defer e.sysClose(at)
	flags := unix.AT_NO_AUTOMOUNT | unix.AT_SYMLINK_NOFOLLOW
	if follow {
		flags = 0
	}
	mask := 0
	for i, bits := range statxMasks {
		if want&(1<<i) != 0 {
			mask |= bits
		}
	}
	s := &e.Dir.reader.sys
	switch errno := s.statx(local, at, name, flags, mask); errno {
	case 0:
	case unix.ENOSYS, unix.EPERM: // an old kernel, or a seccomp filter that does not know statx
		return statAt(at, name, want, flags, info)
	default:
		return errno
	}
	st := &s.about
	info.Device = unix.Mkdev(st.Dev_major, st.Dev_minor)
	info.Inode = st.Ino
	info.Mode = fileMode(uint32(st.Mode))
	info.Size, info.Allocated = int64(st.Size), int64(st.Blocks)*512
	info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
	if want&(ModTime|AccessTime|ChangeTime|BirthTime) != 0 {
		info.ModTime, info.AccessTime, info.ChangeTime = statxTime(st.Mtime), statxTime(st.Atime), statxTime(st.Ctime)
		info.BirthTime = time.Time{}
		if st.Mask&unix.STATX_BTIME != 0 {
			info.BirthTime = statxTime(st.Btime)
		}
	}
	return nil
}

// statx calls statx(2), with the answer in s.about.
func (s *sysReader) statx(raw bool, at int, name []byte, flags, mask int) unix.Errno {
	if raw { // faster than call
		_, _, errno := unix.RawSyscall6(unix.SYS_STATX, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
			uintptr(flags), uintptr(mask), uintptr(unsafe.Pointer(&s.about)), 0)
		if errno != unix.EINTR {
			return errno
		}
		s.interrupted = true
	}
	_, errno := s.call(false, unix.SYS_STATX, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
		uintptr(flags), uintptr(mask), uintptr(unsafe.Pointer(&s.about)))
	return errno
}

// statAt is like stat, with the older newfstatat(2), which has no BirthTime.
func statAt(at int, name []byte, want Fields, flags int, info *Info) error {
	var st unix.Stat_t
	if err := again(func() error { return unix.Fstatat(at, string(name), &st, flags) }); err != nil {
		return err
	}
	info.Device, info.Inode = uint64(st.Dev), st.Ino
	info.Mode = fileMode(st.Mode)
	info.Size, info.Allocated = st.Size, st.Blocks*512
	info.User, info.Group, info.Links = st.Uid, st.Gid, uint64(st.Nlink)
	if want&(ModTime|AccessTime|ChangeTime|BirthTime) != 0 {
		info.ModTime, info.AccessTime, info.ChangeTime = time.Unix(st.Mtim.Unix()), time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix())
		info.BirthTime = time.Time{}
	}
	return nil
}

// statxMasks has the mask for each bit of Fields.
var statxMasks = [...]int{
	unix.STATX_INO,
	unix.STATX_TYPE | unix.STATX_MODE,
	unix.STATX_SIZE,
	unix.STATX_UID | unix.STATX_GID,
	unix.STATX_NLINK,
	unix.STATX_MTIME,
	unix.STATX_ATIME,
	unix.STATX_CTIME,
	unix.STATX_BTIME,
	unix.STATX_BLOCKS,
}

func statxTime(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }

// access uses faccessat2(2), whose mode bits are those of Access. Kernels before 5.8 lack it;
// there golang.org/x/sys/unix determines the answer from the mode. Android kills a program
// that tries the call.
func access(e *Entry, a Access) (bool, error) {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return false, err
	}
	defer e.sysClose(at)
	errno := unix.ENOSYS
	if s := &e.Dir.reader.sys; runtime.GOOS != "android" {
		_, errno = s.call(s.local(e.Dir, e.Name, true), unix.SYS_FACCESSAT2, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
			uintptr(a), unix.AT_EACCESS, 0)
	}
	if errno == 0 {
		return true, nil
	}
	err = errno
	if errno == unix.ENOSYS || errno == unix.EPERM { // EPERM: from seccomp
		err = again(func() error { return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) })
	}
	return allowed(err)
}
