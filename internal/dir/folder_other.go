//go:build windows || (linux && ldx_fallback) || !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"os"
)

// HasFolders says whether OpenFolder works on this system.
const HasFolders = false

type sysFolder struct{}

func openFolder(string, ID, string) (sysFolder, error) { return sysFolder{}, errors.ErrUnsupported }

// Close does nothing.
func (*Folder) Close() {}

// Open returns errors.ErrUnsupported.
func (*Folder) Open(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// Stat returns errors.ErrUnsupported.
func (*Folder) Stat(string) (Info, error) { return Info{}, errors.ErrUnsupported }

// Remove returns errors.ErrUnsupported.
func (*Folder) Remove(string) error { return errors.ErrUnsupported }

// Link returns errors.ErrUnsupported.
func (*Folder) Link(*Folder, string, string) error { return errors.ErrUnsupported }

// Replace returns errors.ErrUnsupported.
func (*Folder) Replace(string, string) error { return errors.ErrUnsupported }

// OpenNoFollow opens a regular file for reading. A link is not followed. The error is an
// *fs.PathError; it wraps ErrNotRegular if the file is not one.
func OpenNoFollow(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().Type() != 0 {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// StatFile returns the metadata of an open file as Stat does of a path.
func StatFile(f *os.File) (Info, error) { return statFile(f) }
