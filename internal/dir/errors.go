package dir

import (
	"errors"
	"io"
)

// ErrRemote is that a directory or file would have to be fetched.
var ErrRemote = errors.New("its content is in the cloud")

var errAutomount = errors.New("opening it would mount something")

// errName means that a directory has an entry whose name is empty or has a slash, as those of
// damaged file systems may. It is left out.
var errName = errors.New("it has an entry whose name no file can have")

// Vanished reports whether err is one that a directory gives when it has been
// removed, or replaced by something else, since it was listed.
func Vanished(err error) bool { return vanished(err) }

// Temporary reports whether err says that too much is open, or too little memory left.
func Temporary(err error) bool { return temporary(err) }

// maxTries is how often a call is made that fails with a temporary error.
const maxTries = 3

// tries counts the calls made for one purpose.
type tries int

// again reports whether to make a call once more after err.
func (t *tries) again(err error) bool {
	*t++
	return err != nil && err != io.EOF && temporary(err) && *t < maxTries
}

// ErrTooLarge means that a file has more bytes than ReadFile may return.
var ErrTooLarge = errors.New("the file is too large")

var errRoot = errors.New("a search's root is not removed")

// ErrMountedInItself means that a directory is not entered for that reason.
var ErrMountedInItself = errors.New("file system loop: a directory above it is mounted here")

// ErrNotRegular means that something is no regular file.
var ErrNotRegular = errors.New("it is not a regular file")
