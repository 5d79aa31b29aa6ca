package dir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// stat uses the record of the listing. It opens the file only for fields that the record
// lacks, and for the target of a link.
func stat(e *Entry, want Fields, follow, _ bool, info *Info) error {
	if r := e.sys.record; r != nil && !follow {
		class := classes[e.Dir.sys.class]
		id, ok := r.id(class)
		if ok && e.Dir.sys.volume != 0 {
			want &^= Identity
			info.Device, info.Inode = e.Dir.sys.volume, id
		}
		if want&Links == 0 {
			info.Links = 1
		}
		if want&(Identity|Links) == 0 {
			r.fill(class, info)
			return nil
		}
	}
	options := uint32(0)
	if !follow {
		options = windows.FILE_OPEN_REPARSE_POINT
	}
	h, err := e.openHandle(windows.FILE_READ_ATTRIBUTES, options)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return statHandle(h, info)
}

func statHandle(h windows.Handle, info *Info) error {
	var id windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &id); err != nil {
		return err
	}
	about, err := basicOf(h)
	if err != nil {
		return err
	}
	var standard struct { // FILE_STANDARD_INFO
		allocation, end int64
		links           uint32
		pending, isDir  bool
	}
	if err := query(h, windows.FileStandardInfo, unsafe.Pointer(&standard), unsafe.Sizeof(standard)); err != nil {
		return err
	}
	info.Allocated = standard.allocation
	info.Device = uint64(id.VolumeSerialNumber)
	info.Inode = uint64(id.FileIndexHigh)<<32 | uint64(id.FileIndexLow)
	info.Links = uint64(id.NumberOfLinks)
	info.Size = int64(id.FileSizeHigh)<<32 | int64(id.FileSizeLow)
	info.Mode = ntMode(about.attributes, about.tag)
	info.BirthTime, info.AccessTime = ntTime(about.creation), ntTime(about.access)
	info.ModTime, info.ChangeTime = ntTime(about.write), ntTime(about.change)
	return nil
}

// A basicInfo is FILE_BASIC_INFO, and the reparse tag if the file has one.
type basicInfo struct {
	creation, access, write, change int64
	attributes, tag                 uint32
}

// basicOf asks for the tag only if the file is a reparse point: FAT does not know that
// question.
func basicOf(h windows.Handle) (about basicInfo, err error) {
	err = query(h, windows.FileBasicInfo, unsafe.Pointer(&about), unsafe.Sizeof(about))
	about.tag = 0 // it was padding
	if err != nil || about.attributes&ntReparsePoint == 0 {
		return about, err
	}
	var both struct{ attributes, tag uint32 } // FILE_ATTRIBUTE_TAG_INFO
	err = query(h, windows.FileAttributeTagInfo, unsafe.Pointer(&both), unsafe.Sizeof(both))
	about.tag = both.tag
	return about, err
}

// query reads a struct of the given class and size about an open file.
func query(h windows.Handle, class uint32, to unsafe.Pointer, size uintptr) error {
	return windows.GetFileInformationByHandleEx(h, class, (*byte)(to), uint32(size))
}

// access uses the extension and the read-only attribute. It does not look at access control
// lists.
func access(e *Entry, a Access) (bool, error) {
	if a&Write != 0 {
		if info, err := e.Info(Mode); err != nil || info.Mode&0o200 == 0 {
			return false, errno(err)
		}
	}
	programs := []string{".exe", ".com", ".bat", ".cmd"}
	return a&Execute == 0 || slices.Contains(programs, strings.ToLower(filepath.Ext(string(e.Name)))), nil
}

// statFile returns the metadata of an open file.
func statFile(f *os.File) (info Info, err error) {
	err = statHandle(windows.Handle(f.Fd()), &info)
	info.have = Everything
	return info, err
}
