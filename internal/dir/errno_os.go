//go:build windows || (linux && ldx_fallback) || !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// errno takes the system's error out of what package os put around it.
func errno(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	return err
}
