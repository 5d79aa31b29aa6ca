package dir

import "os"

// OpenFile opens the regular file at path for reading, following links; see Entry.Open. The caller
// must close it. The error is an *fs.PathError, and wraps ErrNotRegular if there is something else.
func OpenFile(path string) (*os.File, error) {
	r := NewReader(0)
	defer r.Close()
	e, err := r.Root(Root(path, path, 0))
	if err != nil {
		return nil, err
	}
	if err := e.Follow(); err != nil {
		return nil, err
	}
	return e.Open()
}
