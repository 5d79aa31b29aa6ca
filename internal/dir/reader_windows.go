package dir

import (
	"bytes"
	"io"
	"math"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Directories are listed by NtQueryDirectoryFile, which gives sizes, times and attributes
// with each name. They are opened relative to the handle of their parent: so no path is
// parsed, and names that Win32 would change ("con", "trail.") need no special treatment.

// bufferSize is the largest that every server accepts: above it some return an error or an
// empty directory.
const bufferSize = 64 << 10

// classes are tried in this order: not all file systems know all. The first has the file
// number.
var classes = [...]*ntClass{&ntIDFull, &ntFull, &ntDirectory}

// A sysDir is an open handle and the state of its listing. A child that is not a link is on
// the same volume as its parent, and begins with the class that worked there.
type sysDir struct {
	handle windows.Handle
	begun  bool
	class  int    // index in classes
	volume uint64 // serial number, if Identity is wanted
}

func (d *sysDir) close() { _ = windows.CloseHandle(d.handle) }

// A sysEntry is the entry's record, in the layout of the Dir's class.
type sysEntry struct{ record ntRecord }

func (s sysEntry) hidden() bool { return s.record != nil && s.record.attributes()&ntHidden != 0 }

func (s sysEntry) remote() bool {
	return s.record != nil && s.record.attributes()&(ntRecallOnRead|ntRecallOnOpen) != 0
}

func (sysEntry) automount() bool { return false }

func (s sysEntry) served() bool { return s.record != nil && s.record.attributes()&ntReparsePoint != 0 }

// LinksByOpening reports whether an entry's Links can only be read by opening it.
const LinksByOpening = true

type sysReader struct {
	buffers
	names []byte   // names of the batch
	units []uint16 // scratch: a name to open
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
		n, status := queryDirectory(d, room)
		first := !d.sys.begun
		d.sys.begun = true
		switch {
		case status == windows.STATUS_NO_MORE_FILES, first && status == windows.STATUS_NO_SUCH_FILE:
			return batch, io.EOF // STATUS_NO_SUCH_FILE: an empty root of FAT, or WinFsp
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

func queryDirectory(d *Dir, room []byte) (n int, status windows.NTStatus) {
	var result windows.IO_STATUS_BLOCK
	restart := uintptr(1)
	if d.sys.begun {
		restart = 0
	}
	r, _, _ := syscall.SyscallN(procQuery.Addr(), uintptr(d.sys.handle), 0, 0, 0, uintptr(unsafe.Pointer(&result)),
		uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)), uintptr(classes[d.sys.class].number), 0, 0, restart)
	return int(result.Information), windows.NTStatus(r)
}

// refusesClass reports whether status means that the file system does not know a class. Some
// file systems have a status of their own for it.
func refusesClass(status windows.NTStatus) bool {
	switch status {
	case windows.STATUS_INVALID_INFO_CLASS, windows.STATUS_INVALID_PARAMETER, windows.STATUS_NOT_SUPPORTED,
		windows.STATUS_NOT_IMPLEMENTED, windows.STATUS_INVALID_LEVEL, windows.STATUS_INVALID_DEVICE_REQUEST,
		windows.STATUS_INVALID_NETWORK_RESPONSE, windows.STATUS_UNSUCCESSFUL, windows.STATUS_INTERNAL_ERROR:
		return true
	}
	return false
}

// appendRecords appends an entry for each record in buf, without "." and ".." and without
// invalid names.
func (s *sysReader) appendRecords(batch []Entry, d *Dir, buf []byte) ([]Entry, error) {
	class := classes[d.sys.class]
	if size := len(buf) / 2 * 3; size > cap(s.names)-len(s.names) {
		s.names = make([]byte, 0, max(size, len(s.bufs[0])/2*3)) // earlier batches keep theirs
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

// fetchRemote does nothing: the attributes of a directory in the cloud say so, and it is not
// opened.
func fetchRemote(bool) {}

func maxReaders() int { return math.MaxInt }

// maxShared is far below the limit of a process; more handles would not be used.
func maxShared() int { return 1024 }
