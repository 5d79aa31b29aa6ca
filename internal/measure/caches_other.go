//go:build !linux && !darwin

package measure

import "errors"

// DropCaches would have the system forget what it remembers of the disk, for which this
// one has no command.
func DropCaches() error { return errors.ErrUnsupported }
