package catalogue

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"hash"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
)

// A Hasher hashes files for one goroutine at a time.
type Hasher struct {
	c      *Catalogue
	hash   hash.Hash
	buffer []byte

	mu      sync.Mutex
	pending []entry // hashed, and not written
}

// Lookup returns the stored hash of the file at path, which info is about. It opens nothing. ok
// is false if there is none that holds, or nothing is known of the file system yet: then Sum must
// be asked. info must have Fields.
func (h *Hasher) Lookup(path []byte, info *dir.Info) (sum Sum, ok bool) {
	c := h.c
	if c.store == nil {
		return sum, false
	}
	v, known := (*c.volumes.Load())[info.Device]
	if !known {
		return sum, false
	}
	stamp := Stamp{info.Size, info.ModTime.UnixNano(), info.ChangeTime.UnixNano()}
	key, ok := c.key(v, info.Inode, path)
	r, number, ok := c.stored(key, ok)
	if !ok || !r.stamp.holds(&stamp, c.opt.TrustModified) {
		return sum, false
	}
	c.meet(number)
	return r.sum, true
}

// holds reports whether a file with the stamp now has the content that it had with stamp s.
func (s *Stamp) holds(now *Stamp, trustModified bool) bool {
	return s.Size == now.Size && s.Modified == now.Modified && (s.Changed == now.Changed || trustModified)
}

// key returns what a file is stored under; false if nothing identifies it.
func (c *Catalogue) key(v volume, inode uint64, path []byte) (k Key, ok bool) {
	if v.trusted {
		return Key{v.id, inode}, true
	}
	if !c.opt.TrustModified {
		return k, false
	}
	return Key{byPath, pathHash(c.directory(), path)}, true
}

// pathHash returns the Inode of a path, which begins at a directory unless it is absolute.
func pathHash(directory string, path []byte) uint64 {
	h := fnv.New64a()
	if !filepath.IsAbs(string(path)) {
		h.Write([]byte(directory + "/"))
		path = bytes.TrimPrefix(path, []byte("./"))
	}
	h.Write(path)
	return h.Sum64()
}

// stored returns what is stored under a key, if ok is set, and its number.
func (c *Catalogue) stored(k Key, ok bool) (r record, number int, found bool) {
	if !ok {
		return r, 0, false
	}
	number, b := c.store.find(k)
	if b == nil {
		return r, 0, false
	}
	return decode(b), number, true
}

// name returns what was hashed before of a file with several names.
func (c *Catalogue) name(k Key) (e entry, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok = c.linked[k]
	return e, ok
}

// Sum returns the hash and the size of an open regular file in the tree of the root of that
// number: a stored hash that holds, or that of what it reads from the beginning to the end. Where
// the file is read from next is not defined. The error is an *fs.PathError, which may wrap
// ErrChanged, ErrStopped or dir.ErrNotRegular.
func (h *Hasher) Sum(root int, f *os.File) (sum Sum, size int64, err error) {
	sum, size, _, err = h.sum(root, f, false)
	return sum, size, err
}

// A Verdict is what Verify has found.
type Verdict uint8

// The verdicts.
const (
	New     Verdict = iota // no hash was stored
	Same                   // the hash is the stored one
	Changed                // another hash was stored, of another state of the file
	Damaged                // another hash was stored, of the same state: the disk has another content than was written
)

// Verify is like Sum, but reads the file in any case, and compares with what is stored. The hash
// of a damaged file is not stored, so that it is found again.
func (h *Hasher) Verify(root int, f *os.File) (sum Sum, v Verdict, err error) {
	sum, _, v, err = h.sum(root, f, true)
	return sum, v, err
}

func (h *Hasher) sum(root int, f *os.File, verify bool) (sum Sum, size int64, v Verdict, err error) {
	began := time.Now()
	before, err := stateOf(f)
	if err != nil {
		return sum, 0, v, pathError(f, err)
	}
	c, key, stores := h.c, Key{}, false
	if c.store != nil {
		key, stores = c.key(c.volume(before.device, f), before.inode, []byte(f.Name()))
	}
	old, number, known := c.stored(key, stores)
	holds := known && old.stamp.holds(&before.stamp, c.opt.TrustModified && !verify)
	if holds {
		c.meet(number)
	}
	shared := stores && before.links > 1
	switch {
	case verify:
	case holds:
		return old.sum, before.stamp.Size, Same, nil
	case shared:
		if e, ok := c.name(key); ok && e.stamp == before.stamp {
			return e.sum, before.stamp.Size, Same, nil
		}
	}
	stamp := before.stamp
	if sum, err = h.read(f, &before); err != nil {
		return sum, 0, v, pathError(f, err)
	}
	holds = holds && before.stamp == stamp
	switch {
	case known && old.sum == sum:
		v = Same
	case holds:
		v = Damaged
	case known:
		v = Changed
	}
	if holds {
		return sum, before.stamp.Size, v, nil
	}
	if stores && c.isStable(key, &before.stamp, began) {
		h.keep(entry{key, root, before.stamp, sum}, shared)
	}
	return sum, before.stamp.Size, v, nil
}

// isStable reports whether a change after a file was begun to be read gives it another stamp.
func (c *Catalogue) isStable(k Key, stamp *Stamp, began time.Time) bool {
	at := stamp.Changed
	if k.FileSystem == byPath {
		at = stamp.Modified
	}
	return at < began.Add(-c.slack).UnixNano()
}

// keep keeps a hash until it is written.
func (h *Hasher) keep(e entry, shared bool) {
	h.mu.Lock()
	h.pending = append(h.pending, e)
	n := len(h.pending)
	h.mu.Unlock()
	if shared {
		h.c.mu.Lock()
		h.c.linked[e.key] = e
		h.c.mu.Unlock()
	}
	switch {
	case n == 1:
		h.c.commitLater()
	case n%maxPending == 0:
		h.c.spill(h)
	}
}

// maxPending is the number of hashes that wait to be written, unless another process writes the
// store.
const maxPending = 4096

// pends reports whether a hash waits to be written.
func (h *Hasher) pends() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.pending) > 0
}

// read returns the hash of what it reads. It sets *before to the state after that.
func (h *Hasher) read(f *os.File, before *fileState) (sum Sum, err error) {
	if h.buffer == nil {
		h.buffer, h.hash = make([]byte, bufferSize), sha256.New()
	}
	h.hash.Reset()
	r := reader{c: h.c, f: f, about: before, size: before.stamp.Size, buffer: h.buffer, to: h.hash}
	err = r.read()
	after, statErr := stateOf(f)
	switch {
	case cmp.Or(err, statErr) != nil:
		return sum, cmp.Or(err, statErr)
	case before.stamp.Size != after.stamp.Size || before.stamp.Modified != after.stamp.Modified:
		return sum, ErrChanged
	}
	*before = after // what has another ctime now, as by another link, may have changed all the same
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

// A fileState is what the system says about an open file.
type fileState struct {
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
