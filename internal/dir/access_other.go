//go:build !unix && !windows

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// access uses the permission bits for everyone, since there is no user.
func access(e *Entry, a Access) (bool, error) {
	e.asked()
	fi, err := os.Stat(e.openPath())
	if err != nil {
		if vanished(errno(err)) {
			err = nil
		}
		return false, errno(err)
	}
	return fi.Mode()&fs.FileMode(a) != 0, nil
}

// errLinkLoop means that a link's target is reached by way of the link itself. No error here
// says so.
var errLinkLoop = errors.New("a loop of links")
