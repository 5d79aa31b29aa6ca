//go:build !unix

package dupes

import "errors"

// errTooManyLinks means that a file has as many names as its file system allows. It is not known how
// this system says so.
var errTooManyLinks = errors.New("too many links")
