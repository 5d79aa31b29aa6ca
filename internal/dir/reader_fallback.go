//go:build (linux && ldx_fallback) || !(linux || darwin || windows || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// batchSize is the number of entries requested at a time.
const batchSize = 512

type sysDir struct{ file *os.File }

type sysReader struct{}

// open checks the type first: package os opens anything, and follows links. A directory that
// no link leads to is opened below the root with os.Root, which does not leave it.
func (s *sysReader) open(d, _ *Dir, below []*Dir, _ bool) error {
	path, statOf, open := d.openPath(), os.Lstat, os.Open
	if d.follow {
		statOf = os.Stat
	}
	if len(below) > 0 && !slices.ContainsFunc(below, func(p *Dir) bool { return p.follow }) {
		root, err := d.below()
		if err != nil {
			return errno(err)
		}
		defer func() { _ = root.Close() }()
		path, statOf, open = string(withoutSlash(d.AppendBelow(nil))), root.Lstat, root.Open
	}
	fi, err := statOf(path)
	if err == nil && !fi.IsDir() {
		return syscall.ENOTDIR
	}
	if err == nil {
		d.sys.file, err = open(path)
	}
	return errno(err)
}

// openPath returns the path of d to open.
func (d *Dir) openPath() string {
	if d.parent == nil {
		return string(d.root.path)
	}
	return string(withoutSlash(d.appendPath(nil, d.root.base)))
}

func (d *sysDir) close() { _ = d.file.Close() }

func (s *sysReader) next(d *Dir, batch []Entry, _ bool) ([]Entry, error) {
	list, err := d.sys.file.ReadDir(batchSize)
	for _, e := range list {
		batch = append(batch, Entry{Dir: d, Name: []byte(e.Name()), Type: e.Type()})
	}
	if len(list) > 0 {
		return batch, nil
	}
	return batch, errno(err)
}

func (*sysReader) setBuffer(int) {}

func (s *sysReader) rewind(d *Dir) error {
	_, err := d.sys.file.Seek(0, io.SeekStart)
	return errno(err)
}

func readFile(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) {
	statOf := os.Lstat
	if follow {
		statOf = os.Stat
	}
	path := filepath.Join(d.openPath(), name)
	fi, err := statOf(path)
	if err != nil || !fi.Mode().IsRegular() {
		return b, errno(err)
	}
	if fi.Size() > int64(limit) {
		return b, ErrTooLarge
	}
	data, err := os.ReadFile(path)
	return append(b, data...), errno(err)
}

func stat(e *Entry, want Fields, follow, _ bool, info *Info) error {
	statOf := os.Lstat
	if follow {
		statOf = os.Stat
	}
	e.asked()
	path := e.openPath()
	fi, err := statOf(path)
	if err != nil {
		return errno(err)
	}
	info.Mode, info.Size, info.ModTime, info.Links = fi.Mode(), fi.Size(), fi.ModTime(), 1
	info.Allocated = (info.Size + 511) &^ 511 // unless statMore knows better
	if want&^(Mode|Size|ModTime) != 0 {
		statMore(path, fi, want, info)
	}
	return nil
}

func readLink(e *Entry) ([]byte, error) {
	e.asked()
	target, err := os.Readlink(e.openPath())
	return []byte(target), errno(err)
}

func (e *Entry) openPath() string {
	if e.Dir.Depth < 0 {
		return string(e.Dir.root.path)
	}
	return string(append(e.Dir.appendPath(nil, e.Dir.root.base), e.Name...))
}

// below opens the root of d as an os.Root. The caller must close it.
func (d *Dir) below() (*os.Root, error) { return os.OpenRoot(string(d.root.path)) }

func openFile(e *Entry) (*os.File, error) {
	statOf, open, path := os.Lstat, os.Open, e.openPath()
	switch {
	case e.followed:
		statOf = os.Stat
	case e.Dir.Depth >= 0 && !e.Dir.BelowLink():
		root, err := e.Dir.below()
		if err != nil {
			return nil, errno(err)
		}
		defer func() { _ = root.Close() }()
		statOf, open, path = root.Lstat, root.Open, string(e.AppendBelow(nil))
	}
	e.asked()
	before, err := statOf(path)
	if err != nil {
		return nil, errno(err)
	}
	if !before.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := open(path)
	if err != nil {
		return nil, errno(err)
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) { // it was replaced
		_ = f.Close()
		return nil, ErrNotRegular
	}
	return f, nil
}

func remove(e *Entry) error {
	e.asked()
	if e.Dir.Depth < 0 || e.Dir.BelowLink() {
		return errno(os.Remove(e.openPath()))
	}
	root, err := e.Dir.below()
	if err != nil {
		return errno(err)
	}
	defer func() { _ = root.Close() }()
	return errno(root.Remove(string(e.AppendBelow(nil))))
}

func (*sysReader) removeDir(d, _ *Dir, _ []*Dir) error {
	root, err := d.below()
	if err != nil {
		return errno(err)
	}
	defer func() { _ = root.Close() }()
	return errno(root.Remove(string(withoutSlash(d.AppendBelow(nil)))))
}

func maxReaders() int { return math.MaxInt }

func maxShared() int { return 0 }

func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func temporary(error) bool { return false }

// statFile returns the metadata of an open file. Times that package os does not have are those of
// its path.
func statFile(f *os.File) (Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	info := Info{Mode: fi.Mode(), Size: fi.Size(), ModTime: fi.ModTime(), Links: 1, have: Everything}
	info.Allocated = (info.Size + 511) &^ 511
	statMore(f.Name(), fi, Everything, &info)
	return info, nil
}
