//go:build (amd64 || arm64 || ppc64le || riscv64 || s390x) && !ldx_bsd && !ldx_fallback

package dir

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hasFstatat reports whether fstatat may be called. Other processors have another call, or
// another layout.
const hasFstatat = true

// fstatat is newfstatat(2), as a raw call: see mounts_linux.go.
func (s *sysReader) fstatat(at int, path []byte) (Stamp, unix.Errno) {
	_, _, errno := unix.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(at), uintptr(unsafe.Pointer(cString(path))),
		uintptr(unsafe.Pointer(&s.stat)), unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, 0, 0)
	if errno != 0 {
		return Stamp{}, errno
	}
	st := &s.stat
	return Stamp{Device: st.Dev, Inode: st.Ino, Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano()}, 0
}
