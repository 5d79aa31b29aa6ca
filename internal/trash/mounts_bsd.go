//go:build freebsd || netbsd || openbsd || dragonfly

package trash

// mountPoints returns none: the system is not asked.
func mountPoints() []string { return nil }
