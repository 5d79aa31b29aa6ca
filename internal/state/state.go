// Package state has what the files have in common in which ldx keeps what it knows: they are in one
// directory, private to the user, and are read without a lock. One process writes a file at a time.
// It replaces the file as a whole, or appends to a log beside it, whose records have checksums:
// frames.go. What is mapped into memory is checked in chunks: chunks.go.
package state

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

var (
	// ErrOwner means that a file, or its directory, belongs to another user or may be written by
	// others.
	ErrOwner = errors.New("it is not private to this user")
	// ErrLocked means that another process writes a file.
	ErrLocked = errors.New("another process is writing it")
	// ErrTooLarge means that a file does not fit into memory.
	ErrTooLarge = errors.New("it is too large")
)

// Dir returns this user's directory: $XDG_STATE_HOME/ldx; without that variable ~/.local/state/ldx,
// on macOS ~/Library/Application Support/ldx. On Windows %LOCALAPPDATA%\ldx.
func Dir() (string, error) {
	base, err := stateHome()
	return filepath.Join(base, "ldx"), err
}

// A Lock is the right to write.
type Lock struct{ file *os.File }

// NewLock makes the directory that the path is in, if need be, and takes the lock of the file at
// the path, which it makes. The error is an *fs.PathError. It wraps ErrLocked if another process or
// Lock has it, and ErrOwner if the directory is not private. The caller must close it.
func NewLock(path string) (*Lock, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !private(info) {
		return nil, &fs.PathError{Op: "lock", Path: dir, Err: cmp.Or(err, ErrOwner)}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err = lockFile(f); err == nil && !isAt(f, path) {
		err = ErrLocked // somebody has removed it, and may have made another one
	}
	if err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return &Lock{f}, nil
}

// WaitLock is like NewLock, but waits two seconds for another process to write.
func WaitLock(path string) (*Lock, error) {
	const tries, pause = 100, 20 * time.Millisecond
	for range tries {
		if lock, err := NewLock(path); !errors.Is(err, ErrLocked) {
			return lock, err
		}
		time.Sleep(pause)
	}
	return NewLock(path)
}

// isAt reports whether the open file is the one at path.
func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(open, now)
}

// Close gives the lock back.
func (l *Lock) Close() error { return l.file.Close() }

// Replace replaces the file at path by what write writes, under the name temporary at first. Other
// processes see the old file or the new one. It needs the lock.
func Replace(path, temporary string, write func(*os.File) error) error {
	err := os.Remove(temporary)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = Finish(f, write(f)); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary) //nolint:errcheck // the next writer does
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Finish syncs and closes a file, unless writing it failed.
func Finish(f *os.File, err error) error {
	if err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// OpenLog opens a log at the end of its intact records, which have that size with the header; 0
// means that there is none, and makes a new one. The log is cut there, which no reader notices:
// logs are not mapped. It needs the lock.
func OpenLog(path string, size int, header []byte) (f *os.File, err error) {
	if size == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_, err = f.Write(header)
		}
	} else if f, err = os.OpenFile(path, os.O_RDWR|noFollow, 0); err == nil {
		if err = f.Truncate(int64(size)); err == nil {
			_, err = f.Seek(0, io.SeekEnd)
		}
	}
	if err != nil && f != nil {
		f.Close() //nolint:errcheck // err is the first
	}
	return f, err
}
