//go:build !linux

package index

import "io/fs"

// stampOfInfo returns a stamp without numbers, which is enough for these tests.
func stampOfInfo(info fs.FileInfo) Stamp {
	ns := info.ModTime().UnixNano()
	return Stamp{Modified: ns, Changed: ns}
}
