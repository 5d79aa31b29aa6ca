//go:build !unix && !js && !windows

package dir

import "io/fs"

func identity(string, fs.FileInfo) (device, inode uint64) { return 0, 0 }
