package catalogue

import (
	"crypto/sha256"
	"hash"
	"io"
	"os"

	"ldx/internal/dir"
)

// bufferSize is how much is read at a time.
const bufferSize = 1 << 20

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

// Sum returns the hash of an open regular file in the tree of the root of that number: a stored
// one that holds, or that of what it reads from the beginning to the end. Where the file is read
// from next is not defined. The error is ErrChanged or an *fs.PathError.
func (h *Hasher) Sum(root int, f *os.File) (sum Sum, err error) {
	before, err := stampOf(f)
	if err != nil {
		return sum, err
	}
	if err := h.read(f); err != nil {
		return sum, err
	}
	after, err := stampOf(f)
	if err != nil {
		return sum, err
	}
	if before != after {
		return sum, ErrChanged
	}
	h.hash.Sum(sum[:0])
	return sum, nil
}

func (h *Hasher) read(f *os.File) error {
	if h.buffer == nil {
		h.buffer, h.hash = make([]byte, bufferSize), sha256.New()
	}
	h.hash.Reset()
	for {
		n, err := f.Read(h.buffer)
		h.hash.Write(h.buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// stampOf returns the stamp of an open file.
func stampOf(f *os.File) (s Stamp, err error) {
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}, nil
}
