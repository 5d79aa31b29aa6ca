package dir

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

var systemDirent = dragonflyDirent

// readlinkat calls readlinkat(2), which golang.org/x/sys/unix lacks.
func readlinkat(at int, name string, buf []byte) (int, error) {
	path, err := unix.BytePtrFromString(name)
	if err != nil {
		return 0, err
	}
	n, _, errno := unix.Syscall6(unix.SYS_READLINKAT, uintptr(at), uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
