// Package catalogue returns the SHA-256 of files. It keeps them in a store, so that a file that
// has not changed need not be read again.
//
// A file is known by its file system and inode number, not by its path: what is moved, and each
// hard link, keeps its hash. A stored hash holds while size, mtime and ctime are the same. It is
// stored only if the ctime was older than a slack when the file was read: then a later change gives
// the file another ctime, whatever becomes of its mtime. What is on a file system that does not keep
// inode numbers and ctimes is always read, unless the user trusts mtimes.
//
// One process writes the store at a time (write.go); others use it meanwhile without a lock
// (store.go), and what they hash is not stored. format.go has the files.
package catalogue

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/state"
)

// ErrChanged means that a file was changed while it was read, so that the hash is of no state of
// it.
var ErrChanged = errors.New("the file was changed while it was read")

// ErrStopped means that Stop was called before a file was read to its end.
var ErrStopped = errors.New("stopped")

// A Sum is the SHA-256 of a file's content.
type Sum [32]byte

// A Key identifies a file: by the id of its file system, and its inode number.
type Key struct{ FileSystem, Inode uint64 }

// byPath is the FileSystem of keys whose Inode is a hash of the path.
const byPath = math.MaxUint64

// A Stamp identifies a state of a file's content.
type Stamp struct {
	Size              int64
	Modified, Changed int64 // mtime and ctime in nanoseconds
}

// Options say how a Catalogue is used.
type Options struct {
	// Dir is the directory of the store; "": that of this user.
	Dir string
	// Roots are the absolute paths of the trees that files are in, with slashes.
	Roots []string
	// All says that all files of the trees are looked up, hidden and ignored ones too.
	All bool
	// None neither reads nor writes the store.
	None bool
	// TrustModified lets a hash hold if size and mtime are the same. On a file system that does not
	// keep inode numbers a file is then known by its path.
	TrustModified bool
}

// Fields are the fields of a dir.Info that Lookup needs.
const Fields = dir.Identity | dir.Size | dir.ModTime | dir.ChangeTime

// A Catalogue has the hashes of files. It is safe for concurrent use.
type Catalogue struct {
	opt      Options
	user     uint32 // of this process
	progress progress
	store    *store // nil: none
	roots    []root
	slack    time.Duration
	volumes  atomic.Pointer[map[uint64]volume] // by device; copied when one is added
	met      []atomic.Uint64                   // a bit for each record of store: it was looked up
	complete atomic.Bool                       // see Complete

	mu      sync.Mutex // guards what follows
	hashers []*Hasher
	disks   map[uint64]*disk // by device
	linked  map[Key]entry    // hashes of files with several names

	directory func() string // the current directory

	writing sync.Mutex // guards what follows, for one Commit at a time
	writer  *writer    // nil: nothing was written
	timer   *time.Timer
}

// commitEvery is how long hashes are kept in memory.
const commitEvery = 5 * time.Second

// Open opens the store. A store that cannot be used is an error, an *fs.PathError; the Catalogue
// is then one with None. The caller must close the Catalogue, after its Hashers are used for the
// last time.
func Open(opt Options) (*Catalogue, error) {
	c := &Catalogue{
		opt: opt, user: uint32(os.Geteuid()), slack: state.Slack, disks: map[uint64]*disk{}, linked: map[Key]entry{},
		directory: sync.OnceValue(func() string {
			path, _ := os.Getwd() // without, what is relative has no other hash than in other directories without
			return path
		}),
	}
	c.volumes.Store(&map[uint64]volume{})
	for _, path := range opt.Roots {
		c.roots = append(c.roots, root{filepath.ToSlash(path), opt.All})
	}
	if len(c.roots) == 0 {
		c.roots = []root{{}}
	}
	if opt.None {
		return c, nil
	}
	err := error(nil)
	if opt.Dir == "" {
		c.opt.Dir, err = state.Dir()
	}
	if err == nil {
		c.store, err = openStore(c.opt.Dir, true)
	}
	if err != nil {
		return c, err
	}
	c.met = make([]atomic.Uint64, (c.store.count()+63)/64)
	return c, nil
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

// Complete says that all files below the roots have been looked up or hashed. What is stored of
// other files below them is dropped the next time the store is written as a whole.
func (c *Catalogue) Complete() { c.complete.Store(true) }

// commitLater has what was hashed written after a while.
func (c *Catalogue) commitLater() {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.timer == nil {
		c.timer = time.AfterFunc(commitEvery, func() {
			_ = c.Commit() // Close tries again
			c.writing.Lock()
			if c.timer != nil {
				c.timer.Reset(commitEvery)
			}
			c.writing.Unlock()
		})
	}
}

// Commit writes what has been hashed so far. If another process writes the store, what has been
// hashed is kept for the next Commit. The error is an *fs.PathError.
func (c *Catalogue) Commit() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.commit()
}

func (c *Catalogue) commit() (err error) {
	c.mu.Lock()
	hashers := c.hashers
	c.mu.Unlock()
	for _, h := range hashers {
		err = errors.Join(err, c.write(h))
	}
	if err == nil && c.writer != nil {
		err = c.writer.sync()
	}
	return err
}

// write appends what h has hashed to the log. It is not durable yet.
func (c *Catalogue) write(h *Hasher) (err error) {
	if c.store == nil || !h.pends() {
		return nil
	}
	if c.writer == nil {
		if c.writer, err = newWriter(c.opt.Dir, c.store); err != nil {
			c.writer = nil
			if errors.Is(err, state.ErrLocked) {
				return nil
			}
			return err
		}
	}
	h.mu.Lock()
	entries := h.pending
	h.pending = nil
	h.mu.Unlock()
	return c.writer.append(entries, c.roots)
}

// spill makes room for more of what h hashes.
func (c *Catalogue) spill(h *Hasher) {
	if c.writing.TryLock() { // or somebody does it now
		_ = c.write(h) // Close tries again
		c.writing.Unlock()
	}
}

// Close writes what was hashed, unless another process writes the store, and closes it. Nothing is
// written if nothing was hashed. The error is an *fs.PathError.
func (c *Catalogue) Close() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if c.store == nil {
		return nil
	}
	err := c.commit()
	if w := c.writer; w != nil {
		c.writer = nil
		if err == nil && w.due() {
			err = w.rewrite(c.keeper(w))
		}
		err = errors.Join(err, w.close())
	}
	err = errors.Join(err, c.store.close())
	c.store = nil
	return err
}

// keeper returns which records of the writer's store to keep.
func (c *Catalogue) keeper(w *writer) func(number int, r root) bool {
	if !c.complete.Load() || !w.known {
		return func(int, root) bool { return true }
	}
	return func(number int, r root) bool {
		if c.met[number/64].Load()>>(number%64)&1 != 0 || r.all && !c.opt.All {
			return true
		}
		for _, own := range c.roots {
			if below(r.path, own.path) {
				return false
			}
		}
		return true
	}
}

// meet notes that a record was looked up.
func (c *Catalogue) meet(number int) {
	word, bit := &c.met[number/64], uint64(1)<<(number%64)
	if word.Load()&bit == 0 {
		word.Or(bit)
	}
}
