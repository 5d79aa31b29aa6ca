//go:build !linux || !(amd64 || arm64)

package hostile

import "testing"

// Mount skips the test. (go-fuse does not compile for 32 bits, and qemu, which
// runs the tests for other processors, does not translate FUSE requests.)
func Mount(t testing.TB, _ FS) (dir string) {
	t.Helper()
	t.Skip("the file system is only for Linux on amd64 and arm64")
	return ""
}
