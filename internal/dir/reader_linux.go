//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"bytes"
	"io"
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bufferSize is enough for nearly every directory; larger buffers were not faster.
const bufferSize = 32 << 10

type sysReader struct {
	buffers
	interrupted bool         // a raw call returned EINTR; see mounts_linux.go
	about       unix.Statx_t // scratch: an answer
	stat        unix.Stat_t  // scratch: an answer
	how         unix.OpenHow // scratch: an argument
	path        []byte       // scratch: a path to open
}

// A sysDir is an open file descriptor and the mount that it is in.
type sysDir struct {
	fd    int
	mount uint64 // mount ID; 0 where the kernel does not say
	local bool   // calls about its entries are short
}

// call makes a system call, and repeats it after EINTR. A raw call does not inform Go's
// scheduler. Arguments may be pointers to memory that is not on a stack.
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

func (s *sysReader) next(d *Dir, batch []Entry, local bool) ([]Entry, error) {
	room := s.space(len(batch) == 0)
	n, errno := 0, unix.EINTR
	if local { // faster than call
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

// endOfDir is the position after the last entry of a directory, in file systems that have such
// a position: ext4 (EXT4_HTREE_EOF_64BIT), btrfs (LLONG_MAX in btrfs_real_readdir) and others
// that sort by hash or number. It is the largest position possible, so nothing comes after it,
// and a call that returns no entries is saved. (Where positions are a server's own, as in NFS
// and FUSE, the server would have to give this number to an entry that is not the last.) A
// listing cut short by a signal or a full buffer does not show it: the kernel puts the
// position where it stopped after the last record.
const endOfDir = math.MaxInt64

// appendDirents appends an entry for each record in buf, without "." and ".." and without
// invalid names. The error is io.EOF if no entry can follow.
func appendDirents(batch []Entry, d *Dir, buf []byte) ([]Entry, error) {
	const minRecord = 24
	if size := len(batch) + len(buf)/minRecord; size > cap(batch) {
		batch = slices.Grow(batch, size-len(batch))
	}
	end := int64(0)
	for len(buf) > 0 {
		name, kind, next, size := parseDirent64(buf)
		if size == 0 {
			return batch, unix.EBADMSG
		}
		buf, end = buf[size:], next
		// Kernels that give mount IDs refuse names with a slash (verify_dirent_name in
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
		e.Dir, e.Name, e.Type, e.Tag, e.Node, e.followed, e.info = d, name, direntTypes[kind&15], 0, 0, false, nil
		if kind == dtUnknown {
			resolve(e)
		}
	}
	if end == endOfDir {
		return batch, io.EOF
	}
	return batch, nil
}
