package cli

import "runtime/debug"

// What a terminal has that does not tell.
const usualHeight, usualWidth = 24, 80

// version returns the version that this program was built as.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
