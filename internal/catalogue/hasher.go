package catalogue

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"os"
	"sync/atomic"

	"ldx/internal/dir"
)

// A Hasher hashes files for one goroutine at a time.
type Hasher struct {
	c      *Catalogue
	hash   hash.Hash
	buffer []byte
}

// Lookup returns the stored hash of the file at path, which info is about. It opens nothing. ok
// is false if there is none that holds: then Sum must be asked. info must have Fields.
func (h *Hasher) Lookup(path []byte, info *dir.Info) (sum Sum, ok bool) {
	return Sum{}, false
}

// Sum returns the hash and the size of an open regular file in the tree of the root of that
// number: a stored hash that holds, or that of what it reads from the beginning to the end. Where
// the file is read from next is not defined. The error is an *fs.PathError, which may wrap
// ErrChanged, ErrStopped or dir.ErrNotRegular.
func (h *Hasher) Sum(root int, f *os.File) (sum Sum, size int64, err error) {
	before, err := stateOf(f)
	if err == nil {
		sum, err = h.read(f, &before)
	}
	if err != nil {
		return sum, 0, pathError(f, err)
	}
	return sum, before.stamp.Size, nil
}

// read returns the hash of what it reads.
func (h *Hasher) read(f *os.File, before *state) (sum Sum, err error) {
	if h.buffer == nil {
		h.buffer, h.hash = make([]byte, bufferSize), sha256.New()
	}
	h.hash.Reset()
	r := reader{c: h.c, f: f, state: before, size: before.stamp.Size, buffer: h.buffer, to: h.hash}
	err = r.read()
	after, statErr := stateOf(f)
	switch {
	case cmp.Or(err, statErr) != nil:
		return sum, cmp.Or(err, statErr)
	case before.stamp != after.stamp:
		return sum, ErrChanged
	}
	h.hash.Sum(sum[:0])
	return sum, nil
}

// pathError returns err as an error with the path of f.
func pathError(f *os.File, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	return &fs.PathError{Op: "read", Path: f.Name(), Err: err}
}

// A state is what the system says about an open file.
type state struct {
	device, inode uint64 // 0: not known
	links         uint64
	user          uint32
	stamp         Stamp
	sparse        bool // it takes less space than its size
}

// progress says how much has been hashed. It is safe for concurrent use.
type progress struct {
	bytes   atomic.Int64
	stopped atomic.Bool
}
