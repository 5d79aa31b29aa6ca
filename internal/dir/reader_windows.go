package dir

import (
	"bytes"
	"io"
	"math"
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

// A sysRoot has nothing: nobody asks whether a root is still the same directory.
type sysRoot struct{}

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

// fetchRemote has nothing to say: a directory's attributes tell, and then it is not
// opened.
func fetchRemote(bool) {}

func maxReaders() int { return math.MaxInt }

// maxShared is far below what a process may have; more would not be used.
func maxShared() int { return 1024 }
