package catalogue

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A pace is how a file is read: what is in the system's cache at once, and the rest of it without
// leaving it there.
type pace struct {
	waits  bool  // the file is read from the disk from missed on
	missed int64 // -1: all has been in the cache
	disk   *disk // that is locked; nil: none
	iov    [1][]byte
}

// begin prepares the open file. It keeps its access time, where the user may ask for that, and does
// not block on what only looks like a regular file, such as /proc/kmsg.
func (r *reader) begin() {
	r.pace = pace{missed: -1}
	fd, flags := int(r.f.Fd()), unix.O_NONBLOCK
	if own := r.about.user == r.c.user || r.c.user == 0; own {
		flags |= unix.O_NOATIME
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags); err == unix.EPERM { // an owner of another user namespace
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_NONBLOCK)
	}
	if r.size > bufferSize {
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_SEQUENTIAL)
	}
}

// end lets the cache forget what was not in it before.
func (r *reader) end() {
	if r.missed >= 0 {
		_ = unix.Fadvise(int(r.f.Fd()), r.missed, 0, unix.FADV_DONTNEED)
	}
	if r.disk != nil {
		r.disk.Unlock()
	}
}

// next reads the next bytes. What is not in the cache is read from a rotating disk by one reader
// at a time, to the end of the file.
func (r *reader) next(buffer []byte) (n int, err error) {
	if !r.waits {
		r.iov[0] = buffer
		n, err = unix.Preadv2(int(r.f.Fd()), r.iov[:], -1, unix.RWF_NOWAIT)
		switch {
		case err == nil && n == 0:
			return 0, io.EOF
		case err == nil:
			return n, nil
		case err == unix.EAGAIN:
			r.missed = r.at
			if d := r.c.disk(r.about.device); d.rotating {
				d.Lock()
				r.disk = d
			}
		}
		r.waits = true // also where a file system does not know the flag
	}
	return r.f.Read(buffer)
}

// seekData returns where the next data begins; io.EOF if only a hole follows.
func seekData(f *os.File, at int64) (int64, error) {
	data, err := f.Seek(at, unix.SEEK_DATA)
	if errors.Is(err, unix.ENXIO) {
		err = io.EOF
	}
	return data, err
}

// seekHole returns where the next hole begins.
func seekHole(f *os.File, at int64) (int64, error) { return f.Seek(at, unix.SEEK_HOLE) }
