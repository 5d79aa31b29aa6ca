//go:build windows || (linux && ldx_fallback) || !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import "errors"

// HasStamps reports whether directories have stamps here, so that what is recorded of them can
// be verified.
const HasStamps = false

// stamp is not known: on Windows asking for it takes as long as reading the directory.
func (*sysReader) stamp(*Dir, *Dir, []byte, bool) (Stamp, error) {
	return Stamp{}, errors.ErrUnsupported
}
