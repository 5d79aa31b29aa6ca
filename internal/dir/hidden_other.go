//go:build !windows

package dir

import "io/fs"

// Hidden reports whether the file that fi is of is hidden, as Entry.Hidden does.
func Hidden(fi fs.FileInfo) bool { return fi.Name()[0] == '.' }
