//go:build !windows

package search

// Drives returns the roots of all fixed drives, which is / where there are no drives.
func Drives() ([]string, error) { return []string{"/"}, nil }
