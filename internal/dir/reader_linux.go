//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls here are raw: they do not tell Go's scheduler, which saves
// an eighth of a walk's time. A worker that blocks in one keeps its P, so a
// program must allow as many Ps (GOMAXPROCS) as it has workers. (One that hangs,
// on a dead server say, also holds up a garbage collection; but hardly any is
// needed, since nothing is allocated per entry.)

// bufferSize holds nearly every directory; larger ones were not faster.
const bufferSize = 32 << 10

// openStep needs no permission to read.
const openStep = unix.O_PATH

type sysReader struct{ buffers }

// A sysDir is an open file descriptor.
type sysDir struct{ fd int }

func openat(at int, path []byte, flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_LARGEFILE
	for {
		fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))),
			uintptr(flags), 0, 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case unix.EINTR:
		default:
			return -1, errno
		}
	}
}

func closeFD(fd int) { _, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

func (s *sysReader) next(d *Dir, batch []Entry) ([]Entry, error) {
	room := s.space(len(batch) == 0)
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_GETDENTS64, uintptr(d.sys.fd),
			uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
		switch {
		case errno == unix.EINTR:
			continue
		case errno != 0:
			return batch, errno
		case n == 0:
			return batch, io.EOF
		}
		return appendDirents(batch, d, s.take(int(n)))
	}
}

// endOfDir is the position after the last entry of a directory, for the file
// systems that have one: ext4 (EXT4_HTREE_EOF_64BIT), btrfs (LLONG_MAX in
// btrfs_real_readdir) and others that sort by hash or number. It is the largest
// position there is, so nothing comes after it and there is no need to ask for
// more. (Where positions are a server's own, as in NFS and FUSE, that one would
// have to give just this number to an entry that is not the last.) A listing cut
// short, by a signal or a full buffer, does not show it: the kernel puts the
// position where it stopped after the last record.
const endOfDir = math.MaxInt64

// appendDirents appends an entry for each record in buf but "." and "..". With
// the last one there can be, the error is io.EOF.
func appendDirents(batch []Entry, d *Dir, buf []byte) ([]Entry, error) {
	const leastRecord = 24
	if most := len(batch) + len(buf)/leastRecord; most > cap(batch) {
		batch = slices.Grow(batch, most-len(batch))
	}
	end := int64(0)
	for len(buf) > 0 {
		name, kind, next, size := parseDirent64(buf)
		if size == 0 {
			return batch, unix.EBADMSG
		}
		buf, end = buf[size:], next
		if isDots(name) {
			continue
		}
		n := len(batch)
		batch = batch[:n+1]
		e := &batch[n]
		e.Dir, e.Name, e.Type, e.followed, e.info = d, name, direntTypes[kind&15], false, nil
		if kind == dtUnknown {
			resolve(e)
		}
	}
	if end == endOfDir {
		return batch, io.EOF
	}
	return batch, nil
}

func vanished(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ESRCH)
}

// cString returns a name that has a NUL after it as the kernel takes it.
func cString(name []byte) *byte {
	if name[:len(name)+1][len(name)] != 0 {
		panic("dir: a name without its NUL")
	}
	return &name[:1][0]
}

// stat uses statx(2), with the least mask: a network file system may have to ask its
// server for more.
func stat(e *Entry, want Fields, follow bool, info *Info) error {
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
	var st unix.Statx_t
	for {
		_, _, errno := unix.RawSyscall6(unix.SYS_STATX, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
			uintptr(flags), uintptr(mask), uintptr(unsafe.Pointer(&st)), 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return errno
		}
		break
	}
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

// statxMasks has what to ask for, for each bit of Fields.
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

// access has the bits of Access as they are, those of faccessat2(2). Kernels before
// 5.8 lack that, and are asked with more work; Android ends a program that tries.
func access(e *Entry, a Access) bool {
	e.asked()
	at, name, err := e.sysName()
	if err != nil {
		return false
	}
	defer e.sysClose(at)
	if runtime.GOOS == "android" {
		return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) == nil
	}
	_, _, errno := unix.RawSyscall6(unix.SYS_FACCESSAT2, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
		uintptr(a), unix.AT_EACCESS, 0, 0)
	if errno == unix.ENOSYS || errno == unix.EPERM { // the latter from seccomp
		return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) == nil
	}
	return errno == 0
}
