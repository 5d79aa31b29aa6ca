//go:build unix

package state

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// noFollow refuses a link as the last element of a path.
const noFollow = syscall.O_NOFOLLOW

// stateHome returns the directory for programs' state. A relative $XDG_STATE_HOME is ignored,
// as the specification has it.
func stateHome() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), err
	}
	return filepath.Join(home, ".local", "state"), err
}

// private reports whether a file belongs to this user and nobody else may write it.
func private(info os.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(sys.Uid) == int64(os.Geteuid()) && info.Mode().Perm()&0o022 == 0
}

// SyncDir makes renames in a directory durable.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return Finish(d, nil)
}
