//go:build windows || (linux && ldx_fallback) || !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// errno takes the system's error out of what package os put around it.
func errno(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		return call.Err
	}
	return err
}
