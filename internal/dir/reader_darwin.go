package dir

import (
	"bytes"
	"io"

	"golang.org/x/sys/unix"
)

// A sysDir is an open file descriptor and the state of its listing.
type sysDir struct {
	fd      int
	begun   bool
	minimal bool // it may be listed, but not searched
}

// A sysEntry is the entry's record of getattrlistbulk.
type sysEntry struct{ record []byte }

func (sysEntry) hidden() bool { return false }
func (sysEntry) served() bool { return false }

func (s sysEntry) remote() bool { return s.decode().flags&flagDataless != 0 }
func (s sysEntry) automount() bool {
	return s.decode().mountStatus&(mountTrigger|mountPoint) == mountTrigger
}

func (s sysEntry) decode() (e bulkEntry) {
	if s.record != nil {
		parseBulk(s.record, &e)
	}
	return e
}

// LinksByOpening reports whether an entry's Links can only be read by opening it.
const LinksByOpening = false

type sysReader struct{ buffers }

func (s *sysReader) next(d *Dir, batch []Entry, _ bool) ([]Entry, error) {
	room := s.space(len(batch) == 0)
	set := bulkWanted(d.reader.want)
	for {
		if d.sys.minimal {
			set = bulkMin
		}
		n, err := getattrlistbulk(d.sys.fd, &set, room)
		switch {
		case err == unix.EINTR:
		case err == unix.EACCES && !d.sys.minimal:
			d.sys.minimal = true
		case err == unix.ERANGE && d.sys.begun: // the end, from APFS in macOS 10.13
			return batch, io.EOF
		case err != nil:
			return batch, err
		case n == 0:
			return batch, io.EOF
		default:
			d.sys.begun = true
			return s.appendBulk(batch, d, n)
		}
	}
}

// appendBulk appends an entry for each of the n records in the buffer.
func (s *sysReader) appendBulk(batch []Entry, d *Dir, n int) ([]Entry, error) {
	buf, used := s.room, 0
	for range n {
		var e bulkEntry
		size := parseBulk(buf[used:], &e)
		if size == 0 {
			return batch, unix.EIO
		}
		record := buf[used : used+size : used+size]
		used += size
		name := e.name
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[: end : end+1]
		}
		switch {
		case len(name) == 0, bytes.IndexByte(name, '/') >= 0:
			d.reader.invalid = errName
			continue
		case isDots(name):
			continue
		}
		batch = append(batch, Entry{Dir: d, Name: name, Type: e.mode(), sys: sysEntry{record}})
		if e.has.common&bulkType == 0 {
			resolve(&batch[len(batch)-1])
		}
	}
	s.take(used)
	return batch, nil
}

// stat uses the record of the listing, and asks only for fields that the record lacks.
func stat(e *Entry, want Fields, follow, _ bool, info *Info) error {
	if e.sys.record != nil && !follow {
		if b := e.sys.decode(); want&^b.fields() == 0 {
			b.fill(info)
			return nil
		}
	}
	return statAt(e, want, follow, info)
}
