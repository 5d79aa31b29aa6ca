//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package trash

import "errors"

// Supported reports whether the system has a trash of this kind.
const Supported = false

func (*Can) placeFor(string) (place, error) { return place{}, errors.ErrUnsupported }

// Holds returns false.
func (*Can) Holds(string) bool { return false }

func mountPoints() []string { return nil }

func moveError(err error) error { return err }
