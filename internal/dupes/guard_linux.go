package dupes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// HasReflinks says whether files can share blocks on this system.
const HasReflinks = true

// lease takes a read lease: whoever opens the file for writing then waits until it is closed, and
// isLeased says so. The error is errInUse if a process has it open for writing. Not every file
// system has leases, and not every user may take one.
func lease(f *os.File) (ok bool, err error) {
	switch _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK); err {
	case nil:
		return true, nil
	case unix.EAGAIN:
		return false, errInUse
	default:
		return false, nil
	}
}

// isLeased reports whether no process waits to write to the file.
func isLeased(f *os.File) bool {
	kind, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}

// sameAttributes reports whether two files have the same extended attributes, such as ACLs.
func sameAttributes(a, b *os.File) (bool, error) {
	x, err := attributes(a)
	if err != nil {
		return false, err
	}
	y, err := attributes(b)
	return slices.EqualFunc(x, y, bytes.Equal), err
}

// attributes returns the names of the extended attributes, sorted, with their values.
func attributes(f *os.File) (all [][]byte, err error) {
	fd := int(f.Fd())
	names, err := sized(func(b []byte) (int, error) { return unix.Flistxattr(fd, b) })
	if errors.Is(err, unix.ENOTSUP) || len(names) == 0 {
		return nil, nil
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		value, err := sized(func(b []byte) (int, error) { return unix.Fgetxattr(fd, string(name), b) })
		if err != nil && err != unix.ENODATA {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		all = append(all, slices.Concat(name, []byte{0}, value))
	}
	slices.SortFunc(all, bytes.Compare)
	return all, err
}

// sized calls a function that needs a buffer until it is large enough.
func sized(get func([]byte) (int, error)) ([]byte, error) {
	for size := 256; ; size *= 4 {
		b := make([]byte, size)
		n, err := get(b)
		if err != unix.ERANGE {
			return b[:max(n, 0)], err
		}
	}
}

// dedupe lets a file share the blocks of another with the same content. The kernel compares them
// while nobody writes. The error is errChanged if they differ.
func dedupe(from, to *os.File, size int64) error {
	const step = 16 << 20 // the least that every file system takes
	for at := int64(0); at < size; {
		r := unix.FileDedupeRange{
			Src_offset: uint64(at), Src_length: uint64(min(step, size-at)),
			Info: []unix.FileDedupeRangeInfo{{Dest_fd: int64(to.Fd()), Dest_offset: uint64(at)}},
		}
		if err := unix.IoctlFileDedupeRange(int(from.Fd()), &r); err != nil {
			return noReflinks(err)
		}
		switch info := r.Info[0]; {
		case info.Status == unix.FILE_DEDUPE_RANGE_DIFFERS:
			return errChanged
		case info.Status < 0:
			return noReflinks(unix.Errno(-info.Status))
		case info.Bytes_deduped == 0:
			return errors.New("the file system has shared nothing")
		default:
			at += int64(info.Bytes_deduped)
		}
	}
	return nil
}

func noReflinks(err error) error {
	switch err {
	case unix.EOPNOTSUPP, unix.ENOTTY, unix.EINVAL, unix.EXDEV:
		return fmt.Errorf("its file system cannot share blocks (%w)", err)
	}
	return err
}

// An extent is where a part of a file is on the disk, as linux/fiemap.h has it.
type extent struct {
	logical, physical, length uint64
	_                         [2]uint64
	flags                     uint32
	_                         [3]uint32
}

// sharesAll reports whether two files have all their blocks in common. If the file system does not
// say where they are, it returns false.
func sharesAll(a, b *os.File) bool {
	x, ok := extents(a)
	y, known := extents(b)
	return ok && known && len(x) > 0 && slices.EqualFunc(x, y, func(a, b extent) bool {
		return a.logical == b.logical && a.physical == b.physical && a.length == b.length
	})
}

// extents returns where a file is on the disk; false if that is not known, or takes more than a
// few extents to say.
func extents(f *os.File) ([]extent, bool) {
	const (
		fiemap                  = 0xc020660b // FS_IOC_FIEMAP
		flagSync                = 1
		extentLast              = 1
		unknown, delayed, inner = 2, 4, 0x200
		maxExtents              = 512
	)
	var q struct {
		start, length                  uint64
		flags, mapped, count, reserved uint32
		extents                        [maxExtents]extent
	}
	q.length, q.flags, q.count = 1<<64-1, flagSync, maxExtents
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), fiemap, uintptr(unsafe.Pointer(&q))); errno != 0 || q.mapped == 0 {
		return nil, false
	}
	all := q.extents[:min(q.mapped, maxExtents)]
	for _, e := range all {
		if e.flags&(unknown|delayed|inner) != 0 {
			return nil, false
		}
	}
	return all, all[len(all)-1].flags&extentLast != 0
}
