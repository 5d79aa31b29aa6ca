//go:build !linux

package catalogue

import "os"

// identify knows nothing: so files are always read, unless mtimes are trusted.
func identify(*os.File, uint64) volume { return volume{} }
