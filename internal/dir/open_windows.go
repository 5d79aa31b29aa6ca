package dir

import (
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

func (s *sysReader) open(d, at *Dir, below []*Dir, _ bool) (err error) {
	if d.parent != nil && !d.follow {
		d.sys.class, d.sys.volume = d.parent.sys.class, d.parent.sys.volume
	}
	access := uint32(windows.FILE_LIST_DIRECTORY)
	if d.reader.want&Identity != 0 {
		access |= windows.FILE_READ_ATTRIBUTES
	} else {
		d.sys.class = max(d.sys.class, 1)
	}
	d.sys.handle, err = s.openWay(d, at, below, access)
	if err == nil && d.reader.want&Identity != 0 && (d.follow || d.parent == nil) {
		var info windows.ByHandleFileInformation
		if windows.GetFileInformationByHandle(d.sys.handle, &info) == nil {
			d.sys.volume = uint64(info.VolumeSerialNumber)
		}
	}
	return err
}

// openWay opens d by way of the directories in below, one by one, since in a longer path the
// kernel follows every link but the last. It follows a link only where the walk has followed
// one.
func (s *sysReader) openWay(d, at *Dir, below []*Dir, access uint32) (h windows.Handle, err error) {
	if len(below) == 0 {
		return openRootPath(d.root, access, windows.FILE_DIRECTORY_FILE)
	}
	kept := at != nil
	if kept {
		h = at.sys.handle
	} else if h, err = openRootPath(d.root, windows.FILE_TRAVERSE, windows.FILE_DIRECTORY_FILE); err != nil {
		return 0, err
	}
	for _, p := range below {
		from, wanted, options := h, access, uint32(windows.FILE_DIRECTORY_FILE)
		if p != d {
			wanted = windows.FILE_TRAVERSE
		}
		if !p.follow {
			options |= windows.FILE_OPEN_REPARSE_POINT
		}
		s.units = appendUnits(s.units[:0], p.name)
		h, err = ntOpen(from, s.units, wanted, options)
		if !kept {
			_ = windows.CloseHandle(from)
		}
		if err != nil {
			return 0, err
		}
		kept = false
	}
	return h, nil
}

// openRootPath opens a root's path, translated by Win32.
func openRootPath(r *root, access, options uint32) (windows.Handle, error) {
	units, err := ntPath(r)
	if err != nil {
		return 0, err
	}
	return ntOpen(0, units, access, options)
}

// ntOpen opens the file with that name, relative to the handle at if it is not 0.
func ntOpen(at windows.Handle, units []uint16, access, options uint32) (windows.Handle, error) {
	const maxUnits = math.MaxUint16 / 2
	if len(units) > maxUnits {
		return 0, windows.ERROR_FILENAME_EXCED_RANGE
	}
	name := windows.NTUnicodeString{Length: uint16(2 * len(units)), MaximumLength: uint16(2 * len(units)), Buffer: unsafe.SliceData(units)}
	object := windows.OBJECT_ATTRIBUTES{RootDirectory: at, ObjectName: &name}
	object.Length = uint32(unsafe.Sizeof(object))
	if at == 0 {
		object.Attributes = windows.OBJ_CASE_INSENSITIVE // the path is as typed
	}
	var h windows.Handle
	var status windows.IO_STATUS_BLOCK
	err := windows.NtCreateFile(&h, access|windows.SYNCHRONIZE, &object, &status, nil, 0,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.FILE_OPEN,
		options|windows.FILE_SYNCHRONOUS_IO_NONALERT|windows.FILE_OPEN_FOR_BACKUP_INTENT, 0, 0)
	return h, ntError(err)
}

// ntPath returns the kernel's name for the path of a root.
func ntPath(r *root) ([]uint16, error) {
	path, err := windows.UTF16FromString(string(r.path))
	if err != nil {
		return nil, err
	}
	var name windows.NTUnicodeString
	if err := windows.RtlDosPathNameToNtPathName(&path[0], &name, nil, nil); err != nil {
		return nil, ntError(err)
	}
	defer func() { _, _, _ = procFree.Call(uintptr(unsafe.Pointer(&name))) }()
	return slices.Clone(name.Slice()), nil
}

// openHandle opens the entry itself with FILE_OPEN_REPARSE_POINT, or else the target of a
// link.
func (e *Entry) openHandle(access, options uint32) (windows.Handle, error) {
	e.asked()
	if e.Dir.Depth < 0 {
		return openRootPath(e.Dir.root, access, options)
	}
	if err := e.Dir.reach(); err != nil {
		return 0, err
	}
	return ntOpen(e.Dir.sys.handle, appendUnits(nil, e.Name), access, options)
}
