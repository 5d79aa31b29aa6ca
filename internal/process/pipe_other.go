//go:build !unix && !windows

package process

// IgnoreBrokenPipe does nothing.
func IgnoreBrokenPipe() {}

// IsBrokenPipe returns false.
func IsBrokenPipe(error) bool { return false }
