package dir

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/windows"
)

// readFile does not read what would be downloaded.
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
	if about.attributes&ntReparsePoint != 0 && !follow { // its content comes from a driver
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

// openFile opens the entry without following a reparse point, or through one that is not a
// link: such a file's content comes from a driver.
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

// dispose closes h, which was opened with DELETE. The file is removed once no one else has it
// open.
func dispose(h windows.Handle) error {
	remove := byte(1) // FILE_DISPOSITION_INFO
	err := windows.SetFileInformationByHandle(h, windows.FileDispositionInfo, &remove, 1)
	_ = windows.CloseHandle(h)
	return err
}

// readLink lets package os read the link, by a path that Win32 does not change: \\?\C:\…
func readLink(e *Entry) ([]byte, error) {
	e.asked()
	d := e.Dir
	units, err := ntPath(d.root)
	if err != nil {
		return nil, err
	}
	if d.Depth >= 0 {
		path := strings.ReplaceAll(string(append(d.appendPath(nil, nil), e.Name...)), "/", `\`)
		if units[len(units)-1] != '\\' {
			units = append(units, '\\')
		}
		units = appendUnits(units, []byte(path))
	}
	units[1] = '\\'
	target, err := os.Readlink(windows.UTF16ToString(units))
	return []byte(target), errno(err)
}
