//go:build (linux && ldx_fallback) || !(linux || darwin || windows || freebsd || netbsd || openbsd || dragonfly)

package dir

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
)

// batchSize is how many entries one call asks for.
const batchSize = 512

type sysDir struct{ file *os.File }

type sysReader struct{}

// open looks before it opens: package os opens anything, and follows links.
func (s *sysReader) open(d, _ *Dir, path []byte, follow bool) error {
	ask := os.Lstat
	if follow {
		ask = os.Stat
	}
	fi, err := ask(string(path))
	if err == nil && !fi.IsDir() {
		return syscall.ENOTDIR
	}
	if err == nil {
		d.sys.file, err = os.Open(string(path))
	}
	return errno(err)
}

func (d *sysDir) close() { _ = d.file.Close() }

func (s *sysReader) next(d *Dir, batch []Entry) ([]Entry, error) {
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

func readFile(d *Dir, name string, follow bool, b []byte) ([]byte, error) {
	ask := os.Lstat
	if follow {
		ask = os.Stat
	}
	path := filepath.Join(d.sys.file.Name(), name)
	fi, err := ask(path)
	if err != nil || !fi.Mode().IsRegular() {
		return b, errno(err)
	}
	data, err := os.ReadFile(path)
	return append(b, data...), errno(err)
}

func stat(e *Entry, want Fields, follow bool, info *Info) error {
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
	r := e.Dir.reader
	return string(append(append(r.pathOf(e.Dir), os.PathSeparator), e.Name...))
}

func maxReaders() int { return math.MaxInt }

func maxShared() int { return 0 }

func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// errno takes the system's error out of what package os put around it.
func errno(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		return call.Err
	}
	return err
}
