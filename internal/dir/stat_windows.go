package dir

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// statMore adds what package os has not told of.
func statMore(path string, fi fs.FileInfo, want Fields, info *Info) {
	if data, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		info.AccessTime = time.Unix(0, data.LastAccessTime.Nanoseconds())
		info.BirthTime = time.Unix(0, data.CreationTime.Nanoseconds())
	}
	if want&(Identity|Links) != 0 {
		identify(path, info)
	}
}

// identify asks for the volume's serial number, the file's index on it, and how
// many names it has.
func identify(path string, info *Info) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return
	}
	const shareAll = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, 0, shareAll, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var id windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(h, &id) == nil {
		info.Device = uint64(id.VolumeSerialNumber)
		info.Inode = uint64(id.FileIndexHigh)<<32 | uint64(id.FileIndexLow)
		info.Links = uint64(id.NumberOfLinks)
	}
}

// access goes by the name and the read-only attribute. Windows has access
// control lists as well, which are not looked at.
func access(e *Entry, a Access) bool {
	if a&Write != 0 {
		if fi, err := os.Stat(e.openPath()); err != nil || fi.Mode()&0o200 == 0 {
			return false
		}
	}
	programs := []string{".exe", ".com", ".bat", ".cmd"}
	return a&Execute == 0 || slices.Contains(programs, strings.ToLower(filepath.Ext(string(e.Name))))
}
