package dir

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// vanished compares error numbers: fs.ErrNotExist includes that of a server that is gone.
func vanished(err error) bool {
	switch errno, _ := errors.AsType[syscall.Errno](err); errno {
	case windows.ERROR_FILE_NOT_FOUND, windows.ERROR_PATH_NOT_FOUND, windows.ERROR_DELETE_PENDING, windows.ERROR_DIRECTORY:
		return true
	}
	return false
}

func temporary(err error) bool {
	switch errno, _ := errors.AsType[syscall.Errno](err); errno {
	case windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_NO_SYSTEM_RESOURCES, windows.ERROR_NOT_ENOUGH_MEMORY:
		return true
	}
	return false
}

// errLinkLoop means that a link's target is reached by way of the link itself.
var errLinkLoop error = windows.ERROR_CANT_RESOLVE_FILENAME

// errIsDirectory is STATUS_FILE_IS_A_DIRECTORY, which Win32 translates to ERROR_ACCESS_DENIED.
var errIsDirectory = errors.New("it is a directory")

// ntError translates an error of the kernel to one of Win32.
func ntError(err error) error {
	status, ok := errors.AsType[windows.NTStatus](err)
	switch {
	case !ok:
		return err
	case status == windows.STATUS_DELETE_PENDING, status == windows.STATUS_FILE_DELETED:
		return windows.ERROR_DELETE_PENDING // Win32 would say that access is denied
	case status == windows.STATUS_FILE_IS_A_DIRECTORY:
		return errIsDirectory
	}
	return status.Errno()
}
