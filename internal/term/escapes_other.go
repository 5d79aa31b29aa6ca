//go:build !windows

package term

import "os"

// EnableEscapes returns true: terminals interpret escape sequences.
func EnableEscapes(*os.File) bool { return true }
