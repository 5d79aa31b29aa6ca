//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bufferSize holds nearly every directory; larger ones were not faster.
const bufferSize = 32 << 10

// openStep needs no permission to read.
const openStep = unix.O_PATH

type sysReader struct {
	buffers
	interrupted bool         // a raw call was; see mounts_linux.go
	about       unix.Statx_t // scratch: an answer
	how         unix.OpenHow // scratch
}

// A sysDir is an open file descriptor, and the mount that it is in.
type sysDir struct {
	fd    int
	mount uint64 // its ID; 0 where the system does not say
	local bool   // calls about what is in it are short
}

// call makes a system call, and makes it again after EINTR. A raw one does not tell Go's
// scheduler. Arguments may be pointers to what is not on a stack.
//
//go:uintptrescapes
func (s *sysReader) call(raw bool, number, a, b, c, d, e uintptr) (n int, errno unix.Errno) {
	for {
		var r uintptr
		if raw {
			r, _, errno = unix.RawSyscall6(number, a, b, c, d, e, 0)
			s.interrupted = s.interrupted || errno == unix.EINTR
			raw = errno != unix.EINTR
		} else {
			r, _, errno = unix.Syscall6(number, a, b, c, d, e, 0)
		}
		if errno != unix.EINTR {
			return int(r), errno
		}
	}
}

const openFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_LARGEFILE

func (s *sysReader) openat(at int, path []byte, flags int) (int, error) {
	return s.openatBy(false, at, path, flags)
}

func (s *sysReader) openatBy(raw bool, at int, path []byte, flags int) (int, error) {
	if raw { // call would take longer
		fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))),
			uintptr(flags|openFlags), 0, 0, 0)
		if errno == 0 {
			return int(fd), nil
		}
		if errno != unix.EINTR {
			return -1, errno
		}
		s.interrupted = true
	}
	fd, errno := s.call(false, unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))), uintptr(flags|openFlags), 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return fd, nil
}

// open opens a child of at, most often.
func (s *sysReader) open(d, at *Dir, below []*Dir, local bool) (err error) {
	d.sys = sysDir{} // d may have been another
	if len(below) == 1 && at != nil {
		d.sys.fd, err = s.openatBy(local, at.sys.fd, d.name, d.noFollow())
	} else {
		d.sys.fd, err = s.openWay(d, at, below)
	}
	switch {
	case err != nil:
	case local: // so it is no mount point
		d.sys.mount, d.sys.local = at.sys.mount, true
	default:
		s.noteMount(d)
	}
	return err
}

// openSteps opens in one call what leads down several directories, if the kernel has
// openat2(2), and returns how many: 1 is that it does not.
func (s *sysReader) openSteps(at int, below []*Dir, flags int) (fd, n int, err error) {
	if noOpenat2.Load() {
		return -1, 1, nil
	}
	r := below[len(below)-1].reader // that of the one to open
	path := r.path[:0]
	for n < len(below) && !below[n].follow && len(path)+len(below[n].name)+1 < unix.PathMax {
		path = append(append(path, below[n].name...), '/')
		n++
	}
	r.path = path
	if n < 2 {
		return -1, 1, nil
	}
	flags |= openFlags
	if n < len(below) {
		flags = (flags | openStep) &^ unix.O_LARGEFILE // which openat2 does not take with O_PATH
	}
	path[len(path)-1] = 0
	s.how = unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	}
	fd, errno := s.call(false, unix.SYS_OPENAT2, uintptr(at), uintptr(unsafe.Pointer(&path[0])),
		uintptr(unsafe.Pointer(&s.how)), unix.SizeofOpenHow, 0)
	switch errno {
	case 0:
		return fd, n, nil
	case unix.ENOSYS, unix.EPERM: // the latter from seccomp
		noOpenat2.Store(true)
		return -1, 1, nil
	case unix.ELOOP, unix.EXDEV: // a link has taken the place of a directory
		errno = unix.ENOTDIR
	}
	return -1, n, errno
}

var noOpenat2 atomic.Bool

func closeFD(fd int) { _, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

func (s *sysReader) next(d *Dir, batch []Entry, local bool) ([]Entry, error) {
	room := s.space(len(batch) == 0)
	n, errno := 0, unix.EINTR
	if local { // call would take longer
		var r uintptr
		r, _, errno = unix.RawSyscall(unix.SYS_GETDENTS64, uintptr(d.sys.fd), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
		n, s.interrupted = int(r), errno == unix.EINTR
	}
	if errno == unix.EINTR {
		n, errno = s.call(false, unix.SYS_GETDENTS64, uintptr(d.sys.fd), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)), 0, 0)
	}
	switch {
	case errno != 0:
		return batch, errno
	case n == 0:
		return batch, io.EOF
	}
	return appendDirents(batch, d, s.take(n))
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

// appendDirents appends an entry for each record in buf but "." and "..", and but those of
// names that no file can have. With the last one there can be, the error is io.EOF.
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
		// Kernels that give mount IDs let no name with a slash pass (verify_dirent_name in
		// fs/readdir.c, since 5.4).
		if len(name) == 0 || d.sys.mount == 0 && bytes.IndexByte(name, '/') >= 0 {
			d.reader.invalid = errName
			continue
		}
		if isDots(name) {
			continue
		}
		n := len(batch)
		batch = batch[:n+1]
		e := &batch[n]
		e.Dir, e.Name, e.Type, e.Tag, e.followed, e.info = d, name, direntTypes[kind&15], 0, false, nil
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
	case unix.ENOSYS, unix.EPERM: // from an old kernel, or from seccomp, which may know statx only as new
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

// statx puts the answer into s.about.
func (s *sysReader) statx(raw bool, at int, name []byte, flags, mask int) unix.Errno {
	if raw { // call would take longer
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

// statAt is as stat, with the older newfstatat(2), which has no BirthTime.
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
	if errno == unix.ENOSYS || errno == unix.EPERM { // the latter from seccomp
		err = again(func() error { return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) })
	}
	return allowed(err)
}
