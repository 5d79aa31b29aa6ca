package catalogue

import (
	"errors"
	"hash"
	"io"
	"os"
)

// bufferSize is how much is read at a time. Of a larger file the system is told that it will be
// read from the beginning to the end.
const bufferSize = 1 << 20

// A reader gives the content of a file to a hash.
type reader struct {
	c      *Catalogue
	f      *os.File
	about  *fileState
	size   int64
	buffer []byte
	to     hash.Hash

	at int64
	pace
}

// read reads the file from its beginning to its end. Holes are not read. The end is where it was
// when the file was opened: what comes after it has changed the stamp.
func (r *reader) read() error {
	r.begin()
	defer r.end()
	if !r.about.sparse {
		return r.readTo(r.size)
	}
	for r.at < r.size {
		data, err := seekData(r.f, r.at)
		switch {
		case errors.Is(err, io.EOF): // a hole at the end
			data = r.size
		case err != nil:
			return r.readTo(r.size)
		}
		if err := r.skipTo(min(data, r.size)); err != nil || r.at == r.size {
			return err
		}
		hole, err := seekHole(r.f, r.at)
		if err != nil || hole > r.size {
			hole = r.size
		}
		if err := r.readFrom(hole); err != nil {
			return err
		}
	}
	return nil
}

// zeros is what a hole has.
var zeros [64 << 10]byte

// skipTo hashes the zeros of a hole that ends at end.
func (r *reader) skipTo(end int64) error {
	for r.at < end {
		if r.c.progress.stopped.Load() {
			return ErrStopped
		}
		n := min(end-r.at, int64(len(zeros)))
		r.to.Write(zeros[:n])
		r.at += n
		r.c.progress.bytes.Add(n)
	}
	return nil
}

// readFrom reads from where a hole has ended to end.
func (r *reader) readFrom(end int64) error {
	if _, err := r.f.Seek(r.at, io.SeekStart); err != nil {
		return err
	}
	return r.readTo(end)
}

// readTo reads on to end. A file of size 0 may have content, as those of proc have: it is read to
// its end.
func (r *reader) readTo(end int64) error {
	for r.at < end || r.size == 0 {
		if r.c.progress.stopped.Load() {
			return ErrStopped
		}
		buffer := r.buffer
		if rest := end - r.at; r.size > 0 && rest < int64(len(buffer)) {
			buffer = buffer[:rest]
		}
		n, err := r.next(buffer)
		if n == 0 {
			if err == io.EOF {
				err = nil // it was cut, which the stamp says
			}
			return err
		}
		r.to.Write(buffer[:n])
		r.at += int64(n)
		r.c.progress.bytes.Add(int64(n))
		if err != nil {
			return err
		}
	}
	return nil
}
