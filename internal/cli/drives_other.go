//go:build !windows

package cli

// allDrives returns the one root there is.
func allDrives() ([]string, error) { return []string{"/"}, nil }
