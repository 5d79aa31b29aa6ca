//go:build !((linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"os"
)

func move(*Entry, *os.File, string) error { return errors.ErrUnsupported }
