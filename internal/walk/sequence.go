package walk

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"ldx/internal/dir"
)

// How results come in order.
//
// A walk with a Sequence has a list of places instead of queues:
//
//	results   a/   results   b/   results   c/   results
//
// A place is a directory to list, and the results after it. When a directory has been listed, its
// results and the places of the directories in it take its place in the list. What is before the
// first place is next, and is used.
//
// A worker takes the first place that no worker has taken. So the results that must wait are those
// of about as many directories as there are workers, and those beside the directories on the way
// to them. If a directory does not answer, the results after it wait.

// A Sequence has a walk give the results of its Visitors in the order of their paths, each as soon
// as it is next.
//
// The order is that of the roots, and below a root that of the names in each directory. A directory
// comes before what is in it.
type Sequence struct {
	// Compare compares the names of two entries of a directory. If it is nil, they compare as
	// bytes. It is called concurrently.
	Compare func(a, b []byte) int
	// Reversed gives the last result first.
	Reversed bool
	// Use gets a result, which is valid until it returns. It is called by one worker at a time.
	// If it returns Stop, the walk ends.
	Use func(r *Result) Action
}

// A Result is what a Visitor has made of an entry, without the directory's path.
type Result struct {
	Text   []byte      // without the prefix
	At     int         // where the prefix was in Text; -1: Text is whole
	Prefix *dir.Prefix // of the entries of the directory

	prefix []byte // that of the last Result with At >= 0
	of     *dir.Prefix
	whole  []byte
}

// Whole returns what the Visitor has made. It is valid until the next call.
func (r *Result) Whole() []byte {
	if r.At < 0 {
		return r.Text
	}
	if r.of != r.Prefix {
		r.of, r.prefix = r.Prefix, r.Prefix.Append(r.prefix[:0])
	}
	r.whole = append(append(append(r.whole[:0], r.Text[:r.At]...), r.prefix...), r.Text[r.At:]...)
	return r.whole
}

// A place is where the results of a directory will be.
type place struct {
	next          *place // in the list of all places
	before, after *place // in the list of those that are queued or taken
	number        uint32 // the Tag of its Ref
	state         placeState
	ref           dir.Ref     // if it is queued
	prefix        *dir.Prefix // of the entries of the directory; nil: a root
	text          []byte      // the results after those of the directory, see chunk.append
	above         *dir.Prefix // of text
	chunk         *chunk      // that has text
}

type placeState uint8

const (
	apart  placeState = iota // its Ref is elsewhere: its parent is being listed, or it is postponed
	queued                   // to be taken
	taken                    // by a worker
	listed                   // only its text is left
)

const (
	placesPerSlab = 256
	chunkSize     = 64 << 10
	freeChunks    = 64

	// While results are being used and more bytes of text than this wait, workers wait too:
	// the reader of the output is slower than the walk.
	maxWaiting = 4 << 20
)

// A chunk has texts of places. It is reused when none of them is left.
type chunk struct {
	data []byte
	uses int // of the worker that fills it, and of places
}

// A sequence is the list of places of a walk.
type sequence struct {
	Sequence
	pool *pool
	size atomic.Int64 // number of places that are queued

	mu      sync.Mutex
	head    *place     // of all places, in order
	open    place      // the ends of the list of those that are queued or taken
	slabs   [][]place  // all places by number
	free    []uint32   // numbers of unused places
	chunks  []*chunk   // unused
	using   bool       // a worker uses results
	result  Result     // that is used
	waiting int        // bytes of text in places
	used    *sync.Cond // signals that results were used
}

func newSequence(s *Sequence, p *pool) *sequence {
	q := &sequence{Sequence: *s, pool: p}
	q.used = sync.NewCond(&q.mu)
	return q
}

// start queues the roots.
func (s *sequence) start(roots []dir.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range roots {
		ref := &roots[len(roots)-1-i]
		if s.Reversed {
			ref = &roots[i]
		}
		p := s.newPlace()
		ref.Tag = p.number
		p.state, p.ref = queued, *ref
		p.next, s.head = s.head, p
	}
	s.relink()
}

// at returns the place of a number. The caller holds s.mu.
func (s *sequence) at(number uint32) *place {
	return &s.slabs[number/placesPerSlab][number%placesPerSlab]
}

// newPlace returns a place that is apart. The caller holds s.mu.
func (s *sequence) newPlace() *place {
	if len(s.free) == 0 {
		first := uint32(len(s.slabs) * placesPerSlab)
		s.slabs = append(s.slabs, make([]place, placesPerSlab))
		for i := range uint32(placesPerSlab) {
			s.free = append(s.free, first+placesPerSlab-1-i)
		}
	}
	last := len(s.free) - 1
	p := s.at(s.free[last])
	*p = place{number: s.free[last]}
	s.free = s.free[:last]
	return p
}

// add returns the number of a new place for a directory.
func (s *sequence) add(prefix *dir.Prefix) uint32 {
	s.mu.Lock()
	p := s.newPlace()
	s.mu.Unlock()
	p.prefix = prefix
	return p.number
}

// relink makes the list of places that are queued or taken. The caller holds s.mu.
func (s *sequence) relink() {
	s.open.before, s.open.after = &s.open, &s.open
	size := 0
	for p := s.head; p != nil; p = p.next {
		switch p.state {
		case queued:
			size++
			s.link(s.open.before, p)
		case taken:
			s.link(s.open.before, p)
		}
	}
	s.size.Store(int64(size))
}

// link puts a place after another that is queued or taken.
func (*sequence) link(before, p *place) {
	p.before, p.after = before, before.after
	before.after.before = p
	before.after = p
}

func (*sequence) unlink(p *place) {
	p.before.after, p.after.before = p.after, p.before
	p.before, p.after = nil, nil
}

// take returns the first directory that no worker has taken, and the prefix of its entries.
func (s *sequence) take() (ref dir.Ref, prefix *dir.Prefix, ok bool) {
	if s.size.Load() == 0 {
		return ref, nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := s.open.after; p != &s.open; p = p.after {
		if p.state == queued {
			p.state = taken
			s.size.Add(-1)
			return p.ref, p.prefix, true
		}
	}
	return ref, nil, false
}

// requeue queues directories that were apart.
func (s *sequence) requeue(refs []dir.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range refs {
		p := s.at(ref.Tag)
		p.state, p.ref = queued, ref
	}
	s.relink()
}

// postpone is for a directory that was taken, and will be queued again.
func (s *sequence) postpone(ref dir.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.at(ref.Tag)
	p.state = apart
	s.unlink(p)
}

// skip is for a directory apart that will not be listed.
func (s *sequence) skip(ref dir.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at(ref.Tag).state = listed
}

// remove moves the directories for which f is true to refs.
func (s *sequence) remove(f func(dir.Ref) bool, refs []dir.Ref) []dir.Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := s.open.after; p != &s.open; p = p.after {
		if p.state == queued && f(p.ref) {
			p.state = apart
			refs = append(refs, p.ref)
		}
	}
	s.relink()
	return refs
}

// drain calls drop for each directory that is queued.
func (s *sequence) drain(drop func(dir.Ref)) {
	for ref, _, ok := s.take(); ok; ref, _, ok = s.take() {
		drop(ref)
	}
}

// replace puts the parts of h in the place of a directory that was listed: first the text before the
// first directory in it. refs are the directories to queue.
func (s *sequence) replace(number uint32, h *held, refs []dir.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.using && s.waiting > maxWaiting && !s.pool.stopped.Load() {
		s.used.Wait()
	}
	p := s.at(number)
	if p.state != taken {
		return // it is postponed
	}
	for _, ref := range refs {
		child := s.at(ref.Tag)
		child.state, child.ref = queued, ref
	}
	s.size.Add(int64(len(refs)))
	if len(p.text) > 0 { // comes after all parts
		rest := s.newPlace()
		rest.state, rest.text, rest.above, rest.chunk = listed, p.text, p.above, p.chunk
		rest.next, p.next = p.next, rest
	}
	p.state, p.text, p.chunk = listed, nil, nil
	s.fill(p, h.parts[0].text, h)
	last, lastOpen := p, p
	for _, part := range h.parts[1:] {
		child := s.at(part.place)
		child.next, last.next = last.next, child
		last = child
		if child.state == queued {
			s.link(lastOpen, child)
			lastOpen = child
		}
		s.fill(child, part.text, h)
	}
	s.unlink(p)
	s.use()
}

// fill gives a place a text of h. The caller holds s.mu.
func (s *sequence) fill(p *place, text []byte, h *held) {
	if len(text) > 0 {
		p.text, p.above, p.chunk = text, h.prefix, h.chunk
		h.chunk.uses++
		s.waiting += len(text)
	}
}

// use uses the results that are next, unless another worker does. The caller holds s.mu, which is
// released meanwhile.
func (s *sequence) use() {
	for !s.using && s.head != nil && s.head.state == listed && !s.pool.stopped.Load() {
		first, last := s.head, s.head
		for last.next != nil && last.next.state == listed {
			last = last.next
		}
		s.head, last.next = last.next, nil
		s.using = true
		s.mu.Unlock()
		for p := first; p != nil && s.useText(p); p = p.next {
		}
		s.mu.Lock()
		for p := first; p != nil; p = p.next {
			s.release(p)
		}
		s.using = false
		s.used.Broadcast()
	}
}

// useText uses the results after a directory. It returns false if the walk ends.
func (s *sequence) useText(p *place) bool {
	r := &s.result
	r.Prefix = p.above
	for text := p.text; len(text) > 0; {
		size, n := binary.Uvarint(text)
		at, m := binary.Uvarint(text[n:])
		n += m
		end := n + int(size)
		if s.pool.stopped.Load() {
			return false
		}
		r.Text, r.At = text[n:end:end], int(at)-1
		if s.Use(r) == Stop {
			s.pool.stop()
			return false
		}
		text = text[end:]
	}
	return true
}

// useRest uses what is left at the end of a walk.
func (s *sequence) useRest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.use()
}

// release frees a place whose text was used. The caller holds s.mu.
func (s *sequence) release(p *place) {
	s.waiting -= len(p.text)
	if p.chunk != nil {
		s.releaseChunk(p.chunk)
	}
	*p = place{number: p.number, next: p.next}
	s.free = append(s.free, p.number)
}

// releaseChunk drops a use of a chunk. The caller holds s.mu.
func (s *sequence) releaseChunk(c *chunk) {
	if c.uses--; c.uses == 0 && len(s.chunks) < freeChunks && cap(c.data) == chunkSize {
		c.data = c.data[:0]
		s.chunks = append(s.chunks, c)
	}
}

// newChunk returns a chunk with room for size bytes, for a worker that drops the last one.
func (s *sequence) newChunk(last *chunk, size int) *chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last != nil {
		s.releaseChunk(last)
	}
	if n := len(s.chunks); size <= chunkSize && n > 0 {
		c := s.chunks[n-1]
		s.chunks = s.chunks[:n-1]
		c.uses = 1
		return c
	}
	return &chunk{data: make([]byte, 0, max(size, chunkSize)), uses: 1}
}

// wake wakes workers that wait for results to be used.
func (s *sequence) wake() {
	s.mu.Lock()
	s.used.Broadcast()
	s.mu.Unlock()
}
