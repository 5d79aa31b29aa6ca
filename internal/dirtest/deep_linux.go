package dirtest

import (
	"testing"

	"golang.org/x/sys/unix"
)

// Deep makes a chain of depth directories below dir, each with the given name
// in the one before, and removes it after the test. It may be longer than any
// path.
func Deep(t testing.TB, dir, name string, depth int) {
	t.Helper()
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	fd, err := unix.Open(dir, flags, 0)
	check(t, err)
	step := func(to string) {
		next, err := unix.Openat(fd, to, flags, 0)
		check(t, err)
		check(t, unix.Close(fd))
		fd = next
	}
	for range depth {
		check(t, unix.Mkdirat(fd, name, 0o755))
		step(name)
	}
	t.Cleanup(func() {
		for range depth {
			step("..")
			check(t, unix.Unlinkat(fd, name, unix.AT_REMOVEDIR))
		}
		check(t, unix.Close(fd))
	})
}
