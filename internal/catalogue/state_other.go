//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package catalogue

import (
	"os"

	"ldx/internal/dir"
)

// stateOf asks the system about an open file. The error is dir.ErrNotRegular for what is no regular
// file.
func stateOf(f *os.File) (s fileState, err error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return s, err
	case !info.Mode().IsRegular():
		return s, dir.ErrNotRegular
	}
	return fileState{links: 1, stamp: Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}}, nil
}
