package catalogue

import (
	"errors"
	"io/fs"
	"path/filepath"

	"ldx/internal/state"
)

// The names of the files in the store's directory.
const (
	storeName     = "hashes"
	logName       = "hashes.log"
	lockName      = "hashes.lock"
	temporaryName = "hashes.new"
)

// A store is the files as they were when they were opened. It is safe for concurrent use.
type store struct {
	snap    snapshot
	log     journal
	numbers map[uint64]uint32 // of the file systems, by id
}

// openStore opens the store in a directory. A store that is damaged or of another version is
// empty. find needs findable to be set.
func openStore(dir string, findable bool) (s *store, err error) {
	s = &store{}
	data, unmap, err := state.Map(filepath.Join(dir, storeName))
	if err == nil {
		if s.snap, err = parse(data); err == nil {
			s.snap.unmap = unmap
		} else {
			unmap() //nolint:errcheck // it was only read
			err = nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(dir, storeName), Err: err}
	}
	text, err := state.Read(filepath.Join(dir, logName))
	if err != nil {
		text = nil
	}
	s.log = readLog(text, s.snap.id, s.snap.tables, findable)
	s.numbers = make(map[uint64]uint32, len(s.log.volumes))
	for i, id := range s.log.volumes {
		s.numbers[id] = uint32(i)
	}
	return s, nil
}

func (s *store) close() error {
	if s.snap.unmap == nil {
		return nil
	}
	unmap := s.snap.unmap
	s.snap = snapshot{}
	return unmap()
}

// count returns the number of records, for met.
func (s *store) count() int { return s.snap.count() + len(s.log.starts) }

// find returns the bytes of the record of a key, and its number below count; nil if there is none.
func (s *store) find(k Key) (number int, b []byte) {
	volume, ok := s.numbers[k.FileSystem]
	if !ok {
		return 0, nil
	}
	p := place{volume, k.Inode}
	if i, b := s.log.find(p); b != nil {
		return s.snap.count() + i, b
	}
	return s.snap.find(p)
}

// same reports whether two stores have the same files.
func (s *store) same(other *store) bool {
	return s.snap.id == other.snap.id && s.snap.size == other.snap.size && s.log.size == other.log.size
}
