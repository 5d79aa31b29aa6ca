package search

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

var (
	// errInTrash means that a root is in the trash already.
	errInTrash = errors.New("it is in the trash already")

	// errHasRoot means that a directory is not moved because a root would be moved with it.
	errHasRoot = errors.New("a path that the search was given is in it")
)

// discard moves a result to the trash, by its name in the directory that was read.
func (w *deleting) discard(e *dir.Entry) error {
	d, place := w.d, w.d.place(e)
	if d.opt.Trash.Holds(place) { // so is the root, which has been reported
		return nil
	}
	if slices.ContainsFunc(d.places, func(root string) bool { return strings.HasPrefix(root, place+"/") }) {
		d.report(&fs.PathError{Op: "trash", Path: e.Path(), Err: errHasRoot})
		return nil
	}
	w.whole = true
	return w.delete(func() error {
		err := d.opt.Trash.Put(place, e.Move)
		if moved, ok := errors.AsType[*fs.PathError](err); ok && moved.Path == e.Path() {
			err = moved.Err
		}
		if err != nil {
			err = &fs.PathError{Op: "trash", Path: e.Path(), Err: err}
		}
		return err
	}, d.size(e))
}

// place returns the absolute path of an entry, in which no directory is a link.
func (d *Deleter) place(e *dir.Entry) string {
	return string(e.AppendBelow([]byte(d.places[e.Dir.Root()])))
}

// resolved returns the absolute paths of roots without links, each with a slash; "/" for one that
// is not there, which the walk reports.
func resolved(roots []walk.Root) []string {
	places := make([]string, len(roots))
	for i, root := range roots {
		path, err := filepath.EvalSymlinks(root.Path)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil || path == "/" {
			path = ""
		}
		places[i] = path + "/"
	}
	return places
}
