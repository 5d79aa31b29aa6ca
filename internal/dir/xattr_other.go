//go:build !linux || ldx_fallback

package dir

import (
	"errors"
	"io/fs"
)

// HasXattrs says whether HasXattr works on this system.
const HasXattrs = false

// HasXattr returns an error, an *fs.PathError.
func (e *Entry) HasXattr(string) (bool, error) {
	return false, &fs.PathError{Op: "getxattr", Path: e.Path(), Err: errors.ErrUnsupported}
}
