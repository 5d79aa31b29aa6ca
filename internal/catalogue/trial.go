package catalogue

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// A Trial is a store of made-up hashes in a directory of its own, to measure what a store can do.
// It is not safe for concurrent use.
type Trial struct {
	dir     string
	entries []entry
}

// A Sync says when a Trial makes what it has written durable.
type Sync uint8

// When it does.
const (
	SyncAlways  Sync = iota // after each commit
	SyncSeconds             // after each second
	SyncAtEnd
)

// errMissing means that a store does not have what was written.
var errMissing = errors.New("the store lacks what was written to it")

// NewTrial returns a Trial with n hashes, in a directory that need not exist. Half of them are
// known by path.
func NewTrial(dir string, n int) *Trial {
	t := &Trial{dir: dir}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		e := entry{key: Key{1, r.Uint64()}, stamp: Stamp{int64(i), r.Int64(), r.Int64()}}
		if i%2 == 1 {
			e.key = Key{byPath, pathHash("/trial", trialPath(i))}
		}
		binary.LittleEndian.PutUint64(e.sum[:], uint64(i))
		t.entries = append(t.entries, e)
	}
	return t
}

// trialPath returns a path of the usual length.
func trialPath(i int) []byte {
	return binary.AppendUvarint([]byte("/home/user/projects/name/internal/directory/file"), uint64(i))
}

// Len returns the number of hashes.
func (t *Trial) Len() int { return len(t.entries) }

// Clear removes the store.
func (t *Trial) Clear() error { return os.RemoveAll(t.dir) }

// Commit writes all hashes to the log, some with each commit.
func (t *Trial) Commit(perCommit int, when Sync) error {
	w, err := newWriter(t.dir, &store{})
	if err != nil {
		return err
	}
	synced := time.Now()
	for rest := t.entries; err == nil && len(rest) > 0; {
		n := min(perCommit, len(rest))
		err = w.append(rest[:n], []root{{}})
		if err == nil && (when == SyncAlways || when == SyncSeconds && time.Since(synced) > time.Second) {
			err, synced = w.sync(), time.Now()
		}
		rest = rest[n:]
	}
	if err == nil {
		err = w.sync()
	}
	return errors.Join(err, w.close())
}

// Merge makes the log a part of the store.
func (t *Trial) Merge() error {
	w, err := newWriter(t.dir, &store{})
	if err != nil {
		return err
	}
	return errors.Join(w.rewrite(func(int, root) bool { return true }), w.close())
}

// LookUp opens the store and finds n hashes in random order: those of files known by inode, or
// those known by path, whose hash it makes then.
func (t *Trial) LookUp(n int, byPath bool) error {
	s, err := openStore(t.dir, true)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range n {
		i := r.IntN(len(t.entries)) &^ 1
		if byPath && i+1 < len(t.entries) {
			i++
		}
		k := t.entries[i].key
		if i%2 == 1 {
			k.Inode = pathHash("/trial", trialPath(i))
		}
		if _, b := s.find(k); b == nil || decode(b).sum != t.entries[i].sum {
			return errors.Join(errMissing, s.close())
		}
	}
	return s.close()
}

// Scan opens the store and reads all of it in order.
func (t *Trial) Scan() error {
	s, err := openStore(t.dir, true)
	if err != nil {
		return err
	}
	var last place
	for i := range s.snap.count() {
		b := s.snap.at(i)
		if b == nil || placeOf(b).compare(last) < 0 {
			return errors.Join(errMissing, s.close())
		}
		last = decode(b).place
	}
	if s.snap.count() != len(t.entries) {
		err = errMissing
	}
	return errors.Join(err, s.close())
}

// Tear cuts the last bytes of the log.
func (t *Trial) Tear() error {
	path := filepath.Join(t.dir, logName)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()-1)
}

// Recover opens the store with its log as it is, and returns the number of hashes in them.
func (t *Trial) Recover() (int, error) {
	s, err := openStore(t.dir, true)
	if err != nil {
		return 0, err
	}
	return s.count(), s.close()
}
