//go:build (linux && ldx_bsd) || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"io"

	"golang.org/x/sys/unix"
)

// The reader of the BSDs. It is not for Linux, but runs there with the tag ldx_bsd,
// so that it can be tested.

type sysReader struct{ buffers }

// A sysDir is an open file descriptor.
type sysDir struct{ fd int }

func (s *sysReader) next(d *Dir, batch []Entry, _ bool) ([]Entry, error) {
	room := s.space(len(batch) == 0)
	for {
		n, err := unix.ReadDirent(d.sys.fd, room)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return batch, err
		case n <= 0:
			return batch, io.EOF
		}
		return appendRecords(batch, d, s.take(n), &systemDirent)
	}
}

func stat(e *Entry, want Fields, follow, _ bool, info *Info) error {
	return statAt(e, want, follow, info)
}
