//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"errors"
	"io"
	"sync"

	"golang.org/x/sys/unix"
)

func (s *sysReader) rewind(d *Dir) error {
	_, err := unix.Seek(d.sys.fd, 0, io.SeekStart)
	return err
}

func temporary(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.EAGAIN)
}

// resolve asks for the type of an entry if the listing does not have it.
func resolve(e *Entry) {
	var info Info
	switch err := e.stat(Mode, false, &info); {
	case err == nil:
		e.Type = info.Mode.Type()
	case !vanished(err):
		e.Dir.reader.invalid = err
	}
}

// descriptors divides the limit RLIMIT_NOFILE, less a few for the rest of the program. A
// quarter is for Readers, which may need two descriptors for a moment, and half for shared
// handles. More than 1024 shared handles would not be used, since a walk has few directories
// half done.
var descriptors = sync.OnceValue(func() (d struct{ readers, shared int }) {
	const reserved, maxHandles = 6, 1024
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		limit.Cur = 256
	}
	free := int(min(limit.Cur, 1<<20)) - reserved
	d.readers = max(1, free/4)
	d.shared = max(0, min(free/2, maxHandles))
	return d
})

func maxReaders() int { return descriptors().readers }

func maxShared() int { return descriptors().shared }
