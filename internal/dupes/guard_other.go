//go:build !linux

package dupes

import (
	"errors"
	"os"
)

// HasReflinks says whether files can share blocks on this system.
const HasReflinks = false

// lease returns false: there are no leases.
func lease(*os.File) (ok bool, err error) { return false, nil }

// isLeased is not called.
func isLeased(*os.File) bool { return false }

// sameAttributes returns true: extended attributes are not compared.
func sameAttributes(_, _ *os.File) (bool, error) { return true, nil }

// dedupe returns errors.ErrUnsupported.
func dedupe(_, _ *os.File, _ int64) error { return errors.ErrUnsupported }

// sharesAll returns false.
func sharesAll(_, _ *os.File) bool { return false }
