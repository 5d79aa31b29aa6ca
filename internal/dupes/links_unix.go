//go:build unix

package dupes

import "syscall"

// errTooManyLinks means that a file has as many names as its file system allows.
var errTooManyLinks error = syscall.EMLINK
