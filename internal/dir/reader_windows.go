package dir

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Directories are read by NtQueryDirectoryFile, which gives sizes, times and
// attributes with each name, and opened below the handle of their parent: then no
// path is parsed, and names that Win32 would change ("con", "trail.") are as good as any.

// bufferSize is the most that every server takes: above it some refuse, or give an
// empty directory.
const bufferSize = 64 << 10

// The classes, in the order they are tried in: not all file systems know all. The
// first has a file's number.
var classes = [...]*ntClass{&ntIDFull, &ntFull, &ntDirectory}

// A sysDir is an open handle, and what its listing must remember. A child that is
// no link is on the same volume, and begins with what its parent has learnt.
type sysDir struct {
	handle windows.Handle
	begun  bool
	class  int    // among classes
	volume uint64 // serial number, if identities are wanted
}

func (d *sysDir) close() { _ = windows.CloseHandle(d.handle) }

// A sysEntry is the entry's record, in a layout that the Dir knows.
type sysEntry struct{ record ntRecord }

func (s sysEntry) hidden() bool { return s.record != nil && s.record.attributes()&ntHidden != 0 }

func (s sysEntry) remote() bool {
	return s.record != nil && s.record.attributes()&(ntRecallOnRead|ntRecallOnOpen) != 0
}

func (sysEntry) automount() bool { return false }

func (s sysEntry) served() bool { return s.record != nil && s.record.attributes()&ntReparsePoint != 0 }

// LinksByOpening says that an entry's Links cannot be had without opening it.
const LinksByOpening = true

type sysReader struct {
	buffers
	names []byte   // of the batch
	units []uint16 // scratch: a name to open
}

func (s *sysReader) open(d, at *Dir, below []*Dir, _ bool) (err error) {
	d.sys = sysDir{}
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

// openWay opens d by way of the directories in below, one after the other: the kernel
// follows each link but the last of a longer path. No link is followed but where one
// has been before.
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

// openRootPath opens a root's path, which Win32 translates.
func openRootPath(r *root, access, options uint32) (windows.Handle, error) {
	units, err := ntPath(r)
	if err != nil {
		return 0, err
	}
	return ntOpen(0, units, access, options)
}

// ntOpen opens what has the name of these units, below a handle if that is not 0.
func ntOpen(at windows.Handle, units []uint16, access, options uint32) (windows.Handle, error) {
	const most = math.MaxUint16 / 2
	if len(units) > most {
		return 0, windows.ERROR_FILENAME_EXCED_RANGE
	}
	name := windows.NTUnicodeString{Length: uint16(2 * len(units)), MaximumLength: uint16(2 * len(units)), Buffer: unsafe.SliceData(units)}
	object := windows.OBJECT_ATTRIBUTES{RootDirectory: at, ObjectName: &name}
	object.Length = uint32(unsafe.Sizeof(object))
	if at == 0 {
		object.Attributes = windows.OBJ_CASE_INSENSITIVE // as it was typed
	}
	var h windows.Handle
	var status windows.IO_STATUS_BLOCK
	err := windows.NtCreateFile(&h, access|windows.SYNCHRONIZE, &object, &status, nil, 0,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.FILE_OPEN,
		options|windows.FILE_SYNCHRONOUS_IO_NONALERT|windows.FILE_OPEN_FOR_BACKUP_INTENT, 0, 0)
	return h, ntError(err)
}

// ntPath returns the name that the kernel has for a root.
func ntPath(r *root) ([]uint16, error) {
	path, err := windows.UTF16FromString(string(r.path))
	if err != nil {
		return nil, err
	}
	var name windows.NTUnicodeString
	if err := windows.RtlDosPathNameToNtPathName(&path[0], &name, nil, nil); err != nil {
		return nil, ntError(err)
	}
	defer procFree.Call(uintptr(unsafe.Pointer(&name)))
	return slices.Clone(name.Slice()), nil
}

var (
	ntdll     = windows.NewLazySystemDLL("ntdll.dll")
	procQuery = ntdll.NewProc("NtQueryDirectoryFile")
	procFree  = ntdll.NewProc("RtlFreeUnicodeString")
)

func (s *sysReader) next(d *Dir, batch []Entry, _ bool) ([]Entry, error) {
	fresh := len(batch) == 0
	room := s.space(fresh)
	if fresh {
		s.names = s.names[:0]
	}
	for {
		n, status := query(d, room)
		first := !d.sys.begun
		d.sys.begun = true
		switch {
		case status == windows.STATUS_NO_MORE_FILES, first && status == windows.STATUS_NO_SUCH_FILE:
			return batch, io.EOF // the latter: an empty root of FAT, or WinFsp
		case first && refusesClass(status) && d.sys.class+1 < len(classes):
			d.sys.class++
			d.sys.begun = false
		case status != 0:
			return batch, ntError(status)
		case n == 0 || n > len(room): // not even one record fits
			return batch, windows.ERROR_INSUFFICIENT_BUFFER
		default:
			return s.appendRecords(batch, d, s.take(n))
		}
	}
}

func query(d *Dir, room []byte) (n int, status windows.NTStatus) {
	var result windows.IO_STATUS_BLOCK
	restart := uintptr(1)
	if d.sys.begun {
		restart = 0
	}
	r, _, _ := syscall.SyscallN(procQuery.Addr(), uintptr(d.sys.handle), 0, 0, 0, uintptr(unsafe.Pointer(&result)),
		uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)), uintptr(classes[d.sys.class].number), 0, 0, restart)
	return int(result.Information), windows.NTStatus(r)
}

// refusesClass knows what file systems say to a class they do not know: some have
// words of their own.
func refusesClass(status windows.NTStatus) bool {
	switch status {
	case windows.STATUS_INVALID_INFO_CLASS, windows.STATUS_INVALID_PARAMETER, windows.STATUS_NOT_SUPPORTED,
		windows.STATUS_NOT_IMPLEMENTED, windows.STATUS_INVALID_LEVEL, windows.STATUS_INVALID_DEVICE_REQUEST,
		windows.STATUS_INVALID_NETWORK_RESPONSE, windows.STATUS_UNSUCCESSFUL, windows.STATUS_INTERNAL_ERROR:
		return true
	}
	return false
}

// appendRecords appends an entry for each record in buf but "." and "..".
func (s *sysReader) appendRecords(batch []Entry, d *Dir, buf []byte) ([]Entry, error) {
	class := classes[d.sys.class]
	if most := len(buf) / 2 * 3; most > cap(s.names)-len(s.names) {
		s.names = make([]byte, 0, max(most, len(s.bufs[0])/2*3)) // those of earlier batches stay where they are
	}
	for len(buf) > 0 {
		record, units, size := class.parse(buf)
		if size == 0 {
			return batch, windows.ERROR_INVALID_DATA
		}
		buf = buf[size:]
		from := len(s.names)
		s.names = appendWTF8(s.names, units)
		name := s.names[from:len(s.names):len(s.names)]
		switch {
		case bytes.ContainsAny(name, "\x00/\\"):
			d.reader.invalid = errName
			continue
		case isDots(name):
			continue
		}
		batch = append(batch, Entry{Dir: d, Name: name, Type: record.mode(class).Type(), sys: sysEntry{record}})
	}
	return batch, nil
}

func (s *sysReader) rewind(d *Dir) error {
	d.sys.begun = false
	return nil
}

// readFile reads no more than rule files need: nothing that would be fetched.
func readFile(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) {
	if err := d.reach(); err != nil {
		return b, err
	}
	options := uint32(windows.FILE_NON_DIRECTORY_FILE | windows.FILE_OPEN_NO_RECALL)
	if !follow {
		options |= windows.FILE_OPEN_REPARSE_POINT
	}
	h, err := ntOpen(d.sys.handle, appendUnits(nil, []byte(name)), windows.FILE_READ_DATA|windows.FILE_READ_ATTRIBUTES, options)
	if errors.Is(err, errIsDirectory) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	about, err := basicOf(h)
	if err != nil {
		return b, err
	}
	const remote = ntOffline | ntRecallOnOpen | ntRecallOnRead
	if about.attributes&remote != 0 || ntMode(about.attributes, about.tag).Type() != 0 {
		return b, nil
	}
	if about.attributes&ntReparsePoint != 0 && !follow { // a driver has what the file holds
		return readFile(d, name, true, limit, b)
	}
	for {
		b = slices.Grow(b, 4<<10)
		var n uint32
		err := windows.ReadFile(h, b[len(b):cap(b)], &n, nil)
		if n == 0 || err != nil {
			if err == windows.ERROR_HANDLE_EOF {
				err = nil
			}
			return b, err
		}
		if b = b[:len(b)+int(n)]; len(b) > limit {
			return b, ErrTooLarge
		}
	}
}

// openFile opens what the entry names as it is, or through a reparse point that is no link: a
// driver has what such a file holds.
func openFile(e *Entry) (*os.File, error) {
	options := uint32(windows.FILE_NON_DIRECTORY_FILE)
	if !e.followed && !e.sys.served() {
		options |= windows.FILE_OPEN_REPARSE_POINT
	}
	h, err := e.openHandle(windows.FILE_READ_DATA|windows.FILE_READ_ATTRIBUTES, options)
	if errors.Is(err, errIsDirectory) {
		return nil, ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	about, err := basicOf(h)
	if err == nil && ntMode(about.attributes, about.tag).Type() != 0 {
		err = ErrNotRegular
	}
	if err != nil {
		_ = windows.CloseHandle(h)
		return nil, err
	}
	return os.NewFile(uintptr(h), e.Path()), nil
}

func remove(e *Entry) error {
	options := uint32(windows.FILE_OPEN_REPARSE_POINT)
	if e.isDir() {
		options |= windows.FILE_DIRECTORY_FILE
	}
	h, err := e.openHandle(windows.DELETE, options)
	if err != nil {
		return err
	}
	return dispose(h)
}

func (s *sysReader) removeDir(d, at *Dir, below []*Dir) (err error) {
	var from windows.Handle
	if at != nil && len(below) == 0 {
		from = at.sys.handle
	} else {
		if from, err = s.openWay(d.parent, at, below, windows.FILE_TRAVERSE); err != nil {
			return err
		}
		defer func() { _ = windows.CloseHandle(from) }()
	}
	h, err := ntOpen(from, appendUnits(nil, d.name), windows.DELETE, windows.FILE_DIRECTORY_FILE|windows.FILE_OPEN_REPARSE_POINT)
	if err != nil {
		return err
	}
	return dispose(h)
}

// dispose removes what h was opened for, with DELETE, once nobody has it open, and closes h.
func dispose(h windows.Handle) error {
	remove := byte(1) // FILE_DISPOSITION_INFO
	err := windows.SetFileInformationByHandle(h, windows.FileDispositionInfo, &remove, 1)
	_ = windows.CloseHandle(h)
	return err
}

func temporary(err error) bool {
	for _, full := range []error{windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_NO_SYSTEM_RESOURCES, windows.ERROR_NOT_ENOUGH_MEMORY} {
		if errno := syscall.Errno(0); errors.As(err, &errno) && errno == full {
			return true
		}
	}
	return false
}

// errLinkLoop means that a link's target is reached by way of the link itself.
var errLinkLoop error = windows.ERROR_CANT_RESOLVE_FILENAME

// fetchRemote has nothing to say: a directory's attributes tell, and then it is not
// opened.
func fetchRemote(bool) {}

func maxReaders() int { return math.MaxInt }

// maxShared is far below what a process may have; more would not be used.
func maxShared() int { return 1024 }

// errIsDirectory is what Win32 calls ERROR_ACCESS_DENIED.
var errIsDirectory = errors.New("it is a directory")

// ntError makes an error of Win32 of what the kernel says.
func ntError(err error) error {
	status, ok := err.(windows.NTStatus)
	switch {
	case !ok:
		return err
	case status == windows.STATUS_DELETE_PENDING, status == windows.STATUS_FILE_DELETED:
		return windows.ERROR_DELETE_PENDING // not that access is denied
	case status == windows.STATUS_FILE_IS_A_DIRECTORY:
		return errIsDirectory
	}
	return status.Errno()
}

// vanished goes by the numbers: for fs.ErrNotExist a server that is gone is one too.
func vanished(err error) bool {
	for _, gone := range []error{windows.ERROR_FILE_NOT_FOUND, windows.ERROR_PATH_NOT_FOUND, windows.ERROR_DELETE_PENDING, windows.ERROR_DIRECTORY} {
		if errno := syscall.Errno(0); errors.As(err, &errno) && errno == gone {
			return true
		}
	}
	return false
}
