//go:build !unix && !windows

package spawn

func tooLong(error) bool { return false }
