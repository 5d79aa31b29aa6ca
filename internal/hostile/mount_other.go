//go:build !linux || !(amd64 || arm64)

package hostile

import "testing"

// Mount skips the test. (go-fuse does not compile for 32 bits, and qemu, in which other
// processors are tested, does not translate what the kernel asks.)
func Mount(t testing.TB, _ FS) (dir string) {
	t.Helper()
	t.Skip("the file system is only for Linux on amd64 and arm64")
	return ""
}
