//go:build !unix && !windows && !js

package dir

import (
	"io/fs"
	"os"
)

func statMore(string, fs.FileInfo, Fields, *Info) {}

func access(e *Entry, a Access) bool {
	e.asked()
	fi, err := os.Stat(e.openPath())
	return err == nil && fi.Mode()&fs.FileMode(a) != 0
}
