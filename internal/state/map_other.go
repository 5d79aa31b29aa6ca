//go:build !unix || aix

package state

import "os"

// Map reads a file into memory.
func Map(path string) (data []byte, unmap func() error, err error) {
	data, err = Read(path)
	return data, func() error { return nil }, err
}

// Read reads a private file.
func Read(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || !private(info) {
		return nil, ErrOwner
	}
	return os.ReadFile(path)
}
