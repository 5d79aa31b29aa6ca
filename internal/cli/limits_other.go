//go:build !unix

package cli

func checkLimits() error { return nil }
