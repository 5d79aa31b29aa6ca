//go:build windows || (linux && ldx_fallback) || !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// errno returns the error of the system that package os has wrapped.
func errno(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	return err
}
