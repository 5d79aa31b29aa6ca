//go:build !linux

package state

import "os"

// SyncData makes what was written to a file durable.
func SyncData(f *os.File) error { return f.Sync() }
