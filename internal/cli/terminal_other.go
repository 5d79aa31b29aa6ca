//go:build !unix && !windows

package cli

func catchBrokenPipe() {}

func isBrokenPipe(error) bool { return false }

func peakMemory() int64 { return 0 }
