package process

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IgnoreBrokenPipe does nothing: there is no signal for it.
func IgnoreBrokenPipe() {}

// IsBrokenPipe reports whether err comes from a pipe whose reader has closed it or is closing
// it.
func IsBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}
