//go:build !unix

package state

import "os"

const noFollow = 0

// stateHome returns the directory for programs' state. On Windows that is %LOCALAPPDATA%.
func stateHome() (string, error) { return os.UserCacheDir() }

// private is true: on Windows the directory is the user's own, by its access list.
func private(os.FileInfo) bool { return true }

// SyncDir does nothing: a directory cannot be synced here.
func SyncDir(string) error { return nil }
