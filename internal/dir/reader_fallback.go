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

// batchSize is how many entries one call asks for.
const batchSize = 512

type sysDir struct{ file *os.File }

type sysReader struct{}

type sysRoot struct{}

// open looks before it opens: package os opens anything, and follows links. What has not
// been reached through a link is opened below the root, which os.Root does not leave.
func (s *sysReader) open(d, _ *Dir, below []*Dir, _ bool) error {
	path, look, open := d.openPath(), os.Lstat, os.Open
	if d.follow {
		look = os.Stat
	}
	if len(below) > 0 && !slices.ContainsFunc(below, func(p *Dir) bool { return p.follow }) {
		root, err := d.below()
		if err != nil {
			return errno(err)
		}
		defer func() { _ = root.Close() }()
		path, look, open = string(withoutSlash(d.AppendBelow(nil))), root.Lstat, root.Open
	}
	fi, err := look(path)
	if err == nil && !fi.IsDir() {
		return syscall.ENOTDIR
	}
	if err == nil {
		d.sys.file, err = open(path)
	}
	return errno(err)
}

// openPath returns the path to open d by.
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
	ask := os.Lstat
	if follow {
		ask = os.Stat
	}
	path := filepath.Join(d.openPath(), name)
	fi, err := ask(path)
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
	ask := os.Lstat
	if follow {
		ask = os.Stat
	}
	e.asked()
	path := e.openPath()
	fi, err := ask(path)
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

// below opens the root of d for os.Root's ways to reach what is below it, without leaving it.
func (d *Dir) below() (*os.Root, error) { return os.OpenRoot(string(d.root.path)) }

func openFile(e *Entry) (*os.File, error) {
	ask, open, path := os.Lstat, os.Open, e.openPath()
	switch {
	case e.followed:
		ask = os.Stat
	case e.Dir.Depth >= 0 && !e.Dir.BelowLink():
		root, err := e.Dir.below()
		if err != nil {
			return nil, errno(err)
		}
		defer func() { _ = root.Close() }()
		ask, open, path = root.Lstat, root.Open, string(e.AppendBelow(nil))
	}
	e.asked()
	before, err := ask(path)
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
