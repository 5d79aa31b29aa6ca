//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package state

import (
	"errors"
	"os"
)

// lockFile fails: without a lock nothing is written.
func lockFile(*os.File) error { return errors.ErrUnsupported }
