package dir

import (
	"errors"
	"io/fs"
)

// A Folder is an open directory, whose names are used without a look at its path again. No link
// is followed below it. It is safe for concurrent use until it is closed. The errors of its
// methods are bare: the caller knows the path.
type Folder struct{ sys sysFolder }

// ErrReplaced means that another directory has taken the place of a root.
var ErrReplaced = errors.New("it is not the directory that it was")

// OpenFolder opens the directory below a root, by the names in below with slashes between them;
// "" is the root itself. Links on the way to the root are followed, and none below it. Unless id
// is zero, the root must be the directory with it. The error is an *fs.PathError.
func OpenFolder(root string, id ID, below string) (*Folder, error) {
	sys, err := openFolder(root, id, below)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: string(withSlash(root)) + below, Err: err}
	}
	return &Folder{sys}, nil
}
