//go:build !linux && !darwin

package measure

import "errors"

// DropCaches returns errors.ErrUnsupported: the system has no command for it.
func DropCaches() error { return errors.ErrUnsupported }
