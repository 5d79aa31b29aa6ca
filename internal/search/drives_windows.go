package search

import (
	"errors"
	"strings"

	"golang.org/x/sys/windows"
)

// Drives returns the roots of the drives that are fixed or in memory. A drive that
// stands for a directory of another (subst) is left out.
func Drives() (roots []string, err error) {
	drives, err := windows.GetLogicalDrives()
	if err != nil {
		return nil, err
	}
	for letter := range 26 {
		drive := string(rune('A'+letter)) + ":"
		if drives&(1<<letter) == 0 {
			continue
		}
		root, err := windows.UTF16PtrFromString(drive + `\`)
		if err != nil {
			return nil, err
		}
		kind := windows.GetDriveType(root)
		if (kind == windows.DRIVE_FIXED || kind == windows.DRIVE_RAMDISK) && !substituted(drive) {
			roots = append(roots, drive+`\`)
		}
	}
	if len(roots) == 0 {
		return nil, errors.New("there is no fixed drive")
	}
	return roots, nil
}

// substituted reports whether a drive's device is a path.
func substituted(drive string) bool {
	name, err := windows.UTF16PtrFromString(drive)
	if err != nil {
		return false
	}
	var target [windows.MAX_PATH]uint16
	n, err := windows.QueryDosDevice(name, &target[0], uint32(len(target)))
	return err == windows.ERROR_INSUFFICIENT_BUFFER || err == nil && strings.HasPrefix(windows.UTF16ToString(target[:n]), `\??\`) // no device has so long a name
}
