package catalogue

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/state"
)

// A writer adds to the store of a Catalogue. It has the lock.
type writer struct {
	dir   string
	lock  *state.Lock
	store *store // as it was when the lock was taken
	known bool   // that is the store that the Catalogue has opened
	log   *os.File
	tables
	numbers map[uint64]uint32
	size    int64 // of the log
}

// newWriter takes the lock. The error wraps state.ErrLocked if another process has it.
func newWriter(dir string, opened *store) (*writer, error) {
	lock, err := state.NewLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	w := &writer{dir: dir, lock: lock}
	if w.store, err = openStore(dir, false); err == nil {
		w.known = w.store.same(opened)
		w.tables, w.numbers = w.store.log.tables, w.store.numbers
		w.size = int64(max(w.store.log.size, state.LogHeaderSize))
		w.log, err = state.OpenLog(filepath.Join(dir, logName), w.store.log.size, state.LogHeader(logMagic, version, w.store.snap.id))
	}
	if err != nil {
		lock.Close() //nolint:errcheck // nothing was written
		return nil, err
	}
	return w, nil
}

// An entry is a hash to be written.
type entry struct {
	key   Key
	root  int // of the Catalogue
	stamp Stamp
	sum   Sum
}

// append appends entries to the log.
func (w *writer) append(entries []entry, roots []root) error {
	var out []byte
	records := make([]record, len(entries))
	for i := range entries {
		e := &entries[i]
		volume, ok := w.numbers[e.key.FileSystem]
		if !ok {
			volume = uint32(len(w.volumes))
			w.volumes, w.numbers[e.key.FileSystem] = append(w.volumes, e.key.FileSystem), volume
			p := binary.LittleEndian.AppendUint64([]byte{tagVolume}, e.key.FileSystem)
			out = append(state.AppendFrame(out, p), p...)
		}
		number := slices.Index(w.roots, roots[e.root])
		if number < 0 {
			number = len(w.roots)
			w.roots = append(w.roots, roots[e.root])
			p := putRoot([]byte{tagRoot}, roots[e.root])
			out = append(state.AppendFrame(out, p), p...)
		}
		records[i] = record{place{volume, e.key.Inode}, uint32(number), e.stamp, e.sum}
	}
	out = framesOf(out, records)
	w.size += int64(len(out))
	_, err := w.log.Write(out)
	return err
}

// sync makes the log durable.
func (w *writer) sync() error { return state.SyncData(w.log) }

// due reports whether the log is to become part of the store: it is more than a sixteenth of it.
func (w *writer) due() bool { return w.size*16 > int64(w.store.snap.size) }

// rewrite replaces the store and the log by a store of what they have together, but for what keep
// returns false for: it gets the number of a record in the store as it was opened, and its root.
func (w *writer) rewrite(keep func(number int, r root) bool) error {
	path := filepath.Join(w.dir, logName)
	data, unmap, err := state.Map(path) // of which nobody else cuts anything now
	if err != nil {
		return err
	}
	defer unmap() //nolint:errcheck // it was only read
	log := readLog(data, w.store.snap.id, w.store.snap.tables, false)
	m := merger{old: &w.store.snap, log: &log, opened: w.store.count(), keep: keep}
	err = state.Replace(filepath.Join(w.dir, storeName), filepath.Join(w.dir, temporaryName), m.write)
	if err == nil {
		err = os.Remove(path) // it would be ignored
	}
	return err
}

// close gives the lock back.
func (w *writer) close() error {
	return cmp.Or(w.log.Close(), w.store.close(), w.lock.Close())
}

// A merger writes a store and its log as one store.
type merger struct {
	old    *snapshot
	log    *journal
	opened int // records of both when they were opened
	keep   func(number int, r root) bool

	out     *bufio.Writer
	chunk   []byte // of the records
	sums    []byte
	count   int
	tables  tables
	volumes map[uint32]uint32 // new numbers, by old ones
	roots   map[uint32]uint32
	record  []byte
}

func (m *merger) write(f *os.File) error {
	m.out, m.volumes, m.roots = bufio.NewWriterSize(f, 1<<20), map[uint32]uint32{}, map[uint32]uint32{}
	if _, err := m.out.Write(make([]byte, headerSize)); err != nil {
		return err
	}
	m.merge(m.inOrder())
	m.endChunk()
	encoded := m.tables.put()
	m.out.Write(m.sums)  //nolint:errcheck // Flush returns it
	m.out.Write(encoded) //nolint:errcheck
	if err := m.out.Flush(); err != nil {
		return err
	}
	_, err := f.WriteAt(header(rand.Uint64()|1, m.count, &m.tables, encoded), 0)
	return err
}

// inOrder returns the numbers of the log's records by place, of each place the last one.
func (m *merger) inOrder() []uint32 {
	order := make([]uint32, len(m.log.starts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(placeOf(m.log.at(a)).compare(placeOf(m.log.at(b))), cmp.Compare(b, a)) // the last one first
	})
	return slices.CompactFunc(order, func(a, b uint32) bool { return placeOf(m.log.at(a)) == placeOf(m.log.at(b)) })
}

// merge writes the records of the log and those of the store that the log has no later ones of.
func (m *merger) merge(order []uint32) {
	n := m.old.count()
	for i := range n {
		b := m.old.at(i)
		if b == nil {
			continue // it is hashed anew
		}
		for len(order) > 0 && placeOf(m.log.at(order[0])).compare(placeOf(b)) < 0 {
			m.add(n+int(order[0]), m.log.at(order[0]))
			order = order[1:]
		}
		if len(order) == 0 || placeOf(m.log.at(order[0])) != placeOf(b) {
			m.add(i, b)
		}
	}
	for _, i := range order {
		m.add(n+int(i), m.log.at(i))
	}
}

// add writes a record, unless it refers to what is not there or is not kept.
func (m *merger) add(number int, b []byte) {
	r := decode(b)
	if int64(r.volume) >= int64(len(m.log.volumes)) || int64(r.root) >= int64(len(m.log.roots)) {
		return
	}
	if number < m.opened && !m.keep(number, m.log.roots[r.root]) {
		return
	}
	volume, ok := m.volumes[r.volume]
	if !ok {
		volume = uint32(len(m.tables.volumes))
		m.volumes[r.volume] = volume
		m.tables.volumes = append(m.tables.volumes, m.log.volumes[r.volume])
	}
	root, ok := m.roots[r.root]
	if !ok {
		root = uint32(len(m.tables.roots))
		m.roots[r.root] = root
		m.tables.roots = append(m.tables.roots, m.log.roots[r.root])
	}
	r.volume, r.root = volume, root
	m.record = putRecord(m.record[:0], &r)
	m.count++
	m.out.Write(m.record) //nolint:errcheck // Flush returns it
	for rest := m.record; len(rest) > 0; {
		n := min(len(rest), state.ChunkSize-len(m.chunk))
		m.chunk, rest = append(m.chunk, rest[:n]...), rest[n:]
		if len(m.chunk) == state.ChunkSize {
			m.endChunk()
		}
	}
}

func (m *merger) endChunk() {
	if len(m.chunk) > 0 {
		m.sums = binary.LittleEndian.AppendUint32(m.sums, state.Checksum(m.chunk))
		m.chunk = m.chunk[:0]
	}
}

// below reports whether path is root or below it. Both have slashes.
func below(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(root, "/"))
}
