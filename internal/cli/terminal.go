package cli

import (
	"os"
	"runtime/debug"
)

// isTerminal reports whether f is a terminal, or at least a device that is no
// file and no pipe.
func isTerminal(f *os.File) bool {
	fi, err := f.Stat()
	return err == nil && fi.Mode()&os.ModeCharDevice != 0 && !isNull(fi)
}

// isNull reports whether fi is the null device.
func isNull(fi os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(fi, null)
}

// version returns the version that this program was built as.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
