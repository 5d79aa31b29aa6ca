package dir

import (
	"syscall"
	"unsafe"
)

// Functions of libSystem that golang.org/x/sys/unix lacks, called as package syscall calls
// others. System calls by number are no alternative: Apple does not keep the numbers stable.

//go:linkname syscallSyscall6 syscall.syscall6
func syscallSyscall6(fn, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno)

//go:linkname syscallSyscall syscall.syscall
func syscallSyscall(fn, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)

var (
	getattrlistbulkAddr uintptr
	setiopolicyAddr     uintptr
)

//go:cgo_import_dynamic libc_getattrlistbulk getattrlistbulk "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_setiopolicy_np setiopolicy_np "/usr/lib/libSystem.B.dylib"

// getattrlistbulk returns the number of records that it has put into buf; 0 at the end.
func getattrlistbulk(fd int, set *bulkSet, buf []byte) (int, error) {
	attributes := struct {
		count, _ uint16
		set      bulkSet
	}{count: 5, set: *set} // struct attrlist
	n, _, errno := syscallSyscall6(getattrlistbulkAddr, uintptr(fd), uintptr(unsafe.Pointer(&attributes)),
		uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(int32(n)), nil
}

// fetchRemote sets the policy of bsd/sys/resource.h for files in the cloud that this process
// opens.
func fetchRemote(allowed bool) {
	const vfsMaterializeDataless, scopeProcess, off, on = 3, 0, 1, 2
	policy := uintptr(off)
	if allowed {
		policy = on
	}
	_, _, _ = syscallSyscall(setiopolicyAddr, vfsMaterializeDataless, scopeProcess, policy)
}
