//go:build !unix && !windows && !js

package dir

import "io/fs"

func statMore(string, fs.FileInfo, Fields, *Info) {}
