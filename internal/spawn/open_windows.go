package spawn

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// open asks the shell of Windows to open a path, as start does.
func open(path string) error {
	file, err := windows.UTF16PtrFromString(path)
	if err == nil {
		err = windows.ShellExecute(0, nil, file, nil, nil, windows.SW_SHOWNORMAL)
	}
	if err != nil {
		return fmt.Errorf("cannot open '%s': %w", shorten(path), err)
	}
	return nil
}
