package dir

import (
	"io/fs"
	"syscall"
)

// Hidden reports whether the file that fi is of is hidden, as Entry.Hidden does.
func Hidden(fi fs.FileInfo) bool {
	data, ok := fi.Sys().(*syscall.Win32FileAttributeData)
	return fi.Name()[0] == '.' || ok && data.FileAttributes&ntHidden != 0
}
