//go:build !unix || aix

package index

import "os"

// mapFile reads a file into memory.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	data, err = readPrivate(path)
	return data, func() error { return nil }, err
}

func readPrivate(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || !private(info) {
		return nil, ErrOwner
	}
	return os.ReadFile(path)
}
