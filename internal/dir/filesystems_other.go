//go:build !linux

package dir

import "errors"

// FileSystems returns the names of the mounted file systems, by device. If the system cannot
// say, the error wraps errors.ErrUnsupported.
func FileSystems() (map[uint64]string, error) { return nil, errors.ErrUnsupported }
