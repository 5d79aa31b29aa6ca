package dir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"slices"
	"sync"
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

// A sysDir is an open file descriptor.
type sysDir struct{ fd int }

type sysReader struct {
	bufs [][]byte // of getdents64; 8-byte aligned, as the allocator does for any of this size
	used int      // so many hold the batch
	room []byte   // and the last of these has so much room
}

func (s *sysReader) open(d, at *Dir, path []byte, follow bool) error {
	last := unix.O_NOFOLLOW
	if follow {
		last = 0
	}
	var err error
	if at != nil {
		d.sys.fd, err = openat(at.sys.fd, path, last)
		return err
	}
	// A path may be too long for the kernel (PATH_MAX), or lead over too many
	// links (40, see path_resolution(7)), each of them by itself a good one.
	if d.sys.fd, err = openSteps(path, unix.PathMax, last); err == unix.ELOOP {
		d.sys.fd, err = openSteps(path, 1, last)
	}
	return err
}

// openSteps opens a path in steps that are shorter than most, if each of its
// elements is.
func openSteps(path []byte, most, flags int) (int, error) {
	at, rest, err := walkTo(path, most)
	if err != nil {
		return -1, err
	}
	fd, err := openat(at, rest, flags)
	if at != unix.AT_FDCWD {
		closeFD(at)
	}
	return fd, err
}

// walkTo opens what leads up to the last step of a path. What it returns, if it
// is not AT_FDCWD, is the caller's to close.
func walkTo(path []byte, most int) (at int, rest []byte, err error) {
	at = unix.AT_FDCWD
	for len(path) >= most {
		n := bytes.LastIndexByte(path[:most], '/')
		if n <= 0 {
			n = 1 + bytes.IndexByte(path[1:], '/')
		}
		if n == 0 {
			break // a single element: the kernel will say so if it is too long
		}
		step := append(path[:n:n], 0)[:n]
		rest := bytes.TrimLeft(path[n:], "/")
		if len(rest) == 0 {
			break // nothing but slashes follows
		}
		fd, err := openat(at, step, unix.O_PATH)
		if at != unix.AT_FDCWD {
			closeFD(at)
		}
		if err != nil {
			return unix.AT_FDCWD, nil, err
		}
		at, path = fd, rest
	}
	return at, path, nil
}

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

func (d *sysDir) close() { closeFD(d.fd) }

func (s *sysReader) next(d *Dir, batch []Entry) ([]Entry, error) {
	if len(batch) == 0 {
		s.used, s.room = 0, nil
	}
	if len(s.room) < bufferSize/2 {
		if s.used == len(s.bufs) {
			s.bufs = append(s.bufs, make([]byte, bufferSize))
		}
		s.room = s.bufs[s.used]
		s.used++
	}
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_GETDENTS64, uintptr(d.sys.fd),
			uintptr(unsafe.Pointer(&s.room[0])), uintptr(len(s.room)))
		switch {
		case errno == unix.EINTR:
			continue
		case errno != 0:
			return batch, errno
		case n == 0:
			return batch, io.EOF
		}
		records := s.room[:n]
		s.room = s.room[n:]
		return appendDirents(batch, d, records)
	}
}

func (s *sysReader) rewind(d *Dir) error {
	_, err := unix.Seek(d.sys.fd, 0, io.SeekStart)
	return err
}

// readFile reads regular files only: what others hold may never come, or end.
func readFile(d *Dir, name string, follow bool, b []byte) ([]byte, error) {
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := unix.Openat(d.sys.fd, name, flags, 0)
	if err == unix.ELOOP && !follow || err == unix.ENXIO { // a link; a socket
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer closeFD(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return b, err
	}
	for {
		b = slices.Grow(b, 4<<10)
		n, err := unix.Read(fd, b[len(b):cap(b)])
		switch {
		case err == unix.EINTR:
		case n == 0 || err != nil:
			return b, err
		default:
			if b = b[:len(b)+n]; int64(len(b)) == st.Size {
				return b, nil
			}
		}
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
		if kind == unix.DT_UNKNOWN {
			resolve(e)
		}
	}
	if end == endOfDir {
		return batch, io.EOF
	}
	return batch, nil
}

// resolve asks for a type that the file system did not put into the listing.
func resolve(e *Entry) {
	var info Info
	if stat(e, Mode, false, &info) == nil {
		e.Type = info.Mode.Type()
	}
}

// descriptors divides up what RLIMIT_NOFILE allows, of which a few go to
// everyone else: a quarter of the rest is for Readers, that may need two for a
// moment, and half for handles that are shared. More shared ones would not be
// used, since a walk has few directories half done.
var descriptors = sync.OnceValue(func() (d struct{ readers, shared int }) {
	const others, most = 8, 1024
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		limit.Cur = 256
	}
	free := int(min(limit.Cur, 1<<20)) - others
	d.readers = max(1, free/4)
	d.shared = max(0, min(free/2, most))
	return d
})

func maxReaders() int { return descriptors().readers }

func maxShared() int { return descriptors().shared }

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
	info.Size = int64(st.Size)
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
}

func statxTime(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }

// sysName returns where and under which name the kernel finds e. The place is to
// be given to sysClose.
func (e *Entry) sysName() (at int, name []byte, err error) {
	if e.Dir.Depth < 0 {
		return walkTo(e.Dir.root.path, unix.PathMax)
	}
	return e.Dir.sys.fd, e.Name, nil
}

func (e *Entry) sysClose(at int) {
	if e.Dir.Depth < 0 && at != unix.AT_FDCWD {
		closeFD(at)
	}
}

// access has the bits of Access as they are, those of faccessat2(2). Kernels before
// 5.8 lack that, and are asked with more work.
func access(e *Entry, a Access) bool {
	at, name, err := e.sysName()
	if err != nil {
		return false
	}
	defer e.sysClose(at)
	_, _, errno := unix.RawSyscall6(unix.SYS_FACCESSAT2, uintptr(at), uintptr(unsafe.Pointer(cString(name))),
		uintptr(a), unix.AT_EACCESS, 0, 0)
	if errno == unix.ENOSYS || errno == unix.EPERM { // the latter from seccomp
		return unix.Faccessat(at, string(name), uint32(a), unix.AT_EACCESS) == nil
	}
	return errno == 0
}

func readLink(e *Entry) ([]byte, error) {
	at, name, err := e.sysName()
	if err != nil {
		return nil, err
	}
	defer e.sysClose(at)
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(at, string(name), buf)
	return buf[:max(n, 0)], err
}

// direntTypes has the Type for each DT_ constant of getdents64(2).
var direntTypes = [16]fs.FileMode{
	unix.DT_UNKNOWN: fs.ModeIrregular,
	unix.DT_FIFO:    fs.ModeNamedPipe,
	unix.DT_CHR:     fs.ModeDevice | fs.ModeCharDevice,
	3:               fs.ModeIrregular,
	unix.DT_DIR:     fs.ModeDir,
	5:               fs.ModeIrregular,
	unix.DT_BLK:     fs.ModeDevice,
	7:               fs.ModeIrregular,
	unix.DT_REG:     0,
	9:               fs.ModeIrregular,
	unix.DT_LNK:     fs.ModeSymlink,
	11:              fs.ModeIrregular,
	unix.DT_SOCK:    fs.ModeSocket,
	13:              fs.ModeIrregular,
	14:              fs.ModeIrregular,
	15:              fs.ModeIrregular,
}

// fileMode translates st_mode. The type in its high bits is a DT_ constant.
func fileMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode&0o777) | direntTypes[mode>>12&15]
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}
