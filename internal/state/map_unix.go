//go:build unix && !aix

package state

import (
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Map maps a private file into memory, by four system calls. Package os would ask for more
// and allocate.
func Map(path string) (data []byte, unmap func() error, err error) {
	fd, size, err := openPrivate(path)
	if err != nil {
		return nil, nil, err
	}
	defer unix.Close(fd)
	if size == 0 {
		return nil, func() error { return nil }, nil
	}
	data, err = unix.Mmap(fd, 0, size, unix.PROT_READ, unix.MAP_SHARED)
	return data, func() error { return unix.Munmap(data) }, err
}

// Read reads a private file.
func Read(path string) ([]byte, error) {
	fd, size, err := openPrivate(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	data := make([]byte, size)
	n := 0
	for n < size {
		got, err := unix.Read(fd, data[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || got == 0 { // it was cut
			return data[:n], err
		}
		n += got
	}
	return data, nil
}

// openPrivate opens a regular file of this user and returns its size.
func openPrivate(path string) (fd, size int, err error) {
	fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	for err == unix.EINTR {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	}
	if err != nil {
		return -1, 0, err
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	switch {
	case err != nil:
	case uint32(st.Mode)&syscall.S_IFMT != syscall.S_IFREG || int64(st.Uid) != int64(os.Geteuid()) || st.Mode&0o022 != 0:
		err = ErrOwner
	case st.Size > math.MaxInt:
		err = ErrTooLarge
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	return fd, int(st.Size), nil
}
