package dir

import (
	"errors"
	"io"
)

// The errors of this package, wrapped in an *fs.PathError.
var (
	// ErrTooLarge means that a file is larger than the limit of ReadFile.
	ErrTooLarge = errors.New("the file is too large")

	// ErrNotRegular is returned by Open for anything but a regular file.
	ErrNotRegular = errors.New("it is not a regular file")

	// ErrRemote means that a directory or file is in the cloud, and would have to be
	// downloaded.
	ErrRemote = errors.New("its content is in the cloud")

	// ErrMountedInItself means that a directory is not entered because it contains itself;
	// see Entry.MountedInItself.
	ErrMountedInItself = errors.New("file system loop: a directory above it is mounted here")

	// ErrRoot means that a root of the walk is not removed.
	ErrRoot = errors.New("it is a path that the search was given")

	errAutomount = errors.New("opening it would mount a file system")

	// errName means that a directory has an entry whose name is empty or has a slash, as in
	// a damaged file system. The entry is left out.
	errName = errors.New("it has an entry with an invalid name")
)

// Vanished reports whether err means that a directory was removed or replaced after it was
// listed.
func Vanished(err error) bool { return vanished(err) }

// Temporary reports whether err means that too many files are open or too little memory is
// free.
func Temporary(err error) bool { return temporary(err) }

// maxTries is the number of times a call is made while it fails with a temporary error.
const maxTries = 3

// tries counts the calls made for one purpose.
type tries int

// again counts a call that returned err, and reports whether to repeat it.
func (t *tries) again(err error) bool {
	*t++
	return err != nil && err != io.EOF && temporary(err) && *t < maxTries
}
