//go:build (linux && ldx_bsd) || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"bytes"
	"io"

	"golang.org/x/sys/unix"
)

// The reader of the BSDs. For tests it runs on Linux too, with the tag ldx_bsd.

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
		return appendRecords(batch, d, s.take(n))
	}
}

// appendRecords appends an entry for each record in buf, without "." and ".." and without
// invalid names.
func appendRecords(batch []Entry, d *Dir, buf []byte) ([]Entry, error) {
	for len(buf) > 0 {
		name, kind, size := systemDirent.parse(buf)
		if size == 0 {
			return batch, unix.EIO
		}
		buf = buf[size:]
		switch {
		case name == nil:
			continue
		case len(name) == 0, bytes.IndexByte(name, '/') >= 0:
			d.reader.invalid = errName
			continue
		case isDots(name):
			continue
		}
		batch = append(batch, Entry{Dir: d, Name: name, Type: direntTypes[kind&15]})
		if kind == dtUnknown {
			resolve(&batch[len(batch)-1])
		}
	}
	return batch, nil
}

func stat(e *Entry, want Fields, follow, _ bool, info *Info) error {
	return statAt(e, want, follow, info)
}
