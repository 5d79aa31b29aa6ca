//go:build !linux

package hostile

import "testing"

// Ext4Image skips the test.
func Ext4Image(t testing.TB, _ func(dir string), _ func(image []byte) []byte) (dir string) {
	t.Helper()
	t.Skip("only Linux has ext4")
	return ""
}

// Strace skips the test.
func Strace(t testing.TB, _, _ string, _ ...string) (stdout, stderr []byte, exit int) {
	t.Helper()
	t.Skip("only Linux has strace")
	return nil, nil, 0
}

// A Swapper replaces directories by links.
type Swapper struct{}

// Swap skips the test.
func Swap(t testing.TB, _, _ string, _ ...string) *Swapper {
	t.Helper()
	t.Skip("only Linux exchanges names")
	return nil
}

// Count is never called.
func (*Swapper) Count() int64 { return 0 }

// Stop is never called.
func (*Swapper) Stop() int64 { return 0 }
