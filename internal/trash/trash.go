// Package trash moves files to the trash, by the Trash specification 1.0 of freedesktop.org, as the
// desktops of Linux and the BSDs do.
//
//	trash.go        a move: the name in the trash, and the .trashinfo beside it
//	place_unix.go   the trash directory of a file system; place_other.go: there is none
//
// What is moved stays on its file system: nothing is copied.
package trash

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Can is the trash of this user: in the home directory, and in the top directories of other
// file systems. It is safe for concurrent use.
type Can struct {
	getenv func(string) string

	mounts func() []string // the paths where file systems are mounted

	mu     sync.Mutex
	places map[uint64][]place // by the device, which may be mounted at several paths
}

// A place is a trash directory, or why there is none.
type place struct {
	path  string
	top   string   // what paths are relative to: the top directory, with a slash; "" in the home directory
	info  *os.Root // the directory of that name
	files *os.File // the same
	err   error
}

// New returns the trash of the user whose environment is given.
func New(getenv func(string) string) *Can {
	return &Can{getenv: getenv, mounts: sync.OnceValue(mountPoints), places: map[uint64][]place{}}
}

var (
	// ErrOtherFileSystem means that the system cannot rename a file into its trash: they are on
	// different mounts.
	ErrOtherFileSystem = errors.New("it is on another file system than the trash, and is not copied")

	// ErrHasTrash means that a directory is not moved because its trash is below it.
	ErrHasTrash = errors.New("the trash is in it")

	// ErrMounted means that a directory is not moved because a file system is mounted below it,
	// which would be in the trash then.
	ErrMounted = errors.New("a file system is mounted in it")
)

// Put moves the file with an absolute path, in which no directory is a link, to the trash. move
// gets an open directory and a name: it must rename the file, and fail with fs.ErrExist if there is
// such a name already.
func (c *Can) Put(path string, move func(to *os.File, name string) error) error {
	below := path + "/"
	for _, mount := range c.mounts() {
		if strings.HasPrefix(mount, below) {
			return ErrMounted
		}
	}
	p, err := c.placeFor(filepath.Dir(path))
	if err != nil {
		return err
	}
	text := infoText(path[len(p.top):], time.Now())
	for n := 1; ; n++ {
		name := numbered(filepath.Base(path), n)
		err := p.writeInfo(name, text)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if err = move(p.files, name); err == nil {
			return nil
		}
		if rest := p.info.Remove(name + suffix); rest != nil || !errors.Is(err, fs.ErrExist) {
			return errors.Join(moveError(err), rest)
		}
	}
}

// suffix is that of the file that says where another one was.
const suffix = ".trashinfo"

// writeInfo makes a .trashinfo. It reserves the name in the trash.
func (p *place) writeInfo(name string, text []byte) error {
	f, err := p.info.OpenFile(name+suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return reason(err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(reason(err), p.info.Remove(name+suffix))
	}
	return nil
}

// numbered returns the nth name to try for a file. After the first ones it is random: there may be
// very many files of one name.
func numbered(name string, n int) string {
	const maxLen, inOrder = 255 - len(suffix), 10
	end := ""
	switch {
	case n > inOrder:
		end = "." + strconv.FormatUint(uint64(rand.Uint32()), 10)
	case n > 1:
		end = "." + strconv.Itoa(n)
	}
	return name[:min(len(name), maxLen-len(end))] + end
}

// infoText returns the content of a .trashinfo.
func infoText(path string, now time.Time) []byte {
	b := append([]byte(nil), "[Trash Info]\nPath="...)
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '/', c == '-', c == '_', c == '.', c == '~':
			b = append(b, c)
		default: // as in a URI, RFC 2396
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return now.AppendFormat(append(b, "\nDeletionDate="...), "2006-01-02T15:04:05\n")
}

// reason returns the error of the system in one of package os, whose paths say nothing to a user.
func reason(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}
