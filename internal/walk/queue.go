package walk

import (
	"sync"
	"sync/atomic"

	"ldx/internal/dir"
)

// How the work is spread.
//
//	      oldest                         newest
//	     +-----+-----+-----+-----+-----+-----+
//	     | ref | ref | ref | ref | ref | ref |   a ring for each worker
//	     +-----+-----+-----+-----+-----+-----+
//	       |       |                       ^ |
//	       |       |          the owner    | |  the owner takes here
//	       |       |          pushes here  | v  if the queue is long
//	       |       v
//	       |     a worker without work
//	       v     steals the older half
//	   the owner takes here
//	   if the queue is short
//
// A short queue is taken oldest first. The oldest directories are the shallowest, so a
// search begins near its root, and lists a small tree level by level. A long queue is taken
// newest first. The newest are the deepest, so the queue hardly grows any more.
//
// A directory with more children than the queue has room for is suspended between two
// batches of its listing. It is queued as older than the children found so far. So the
// memory of a walk depends on the depth of a tree, not on its size, and no worker waits for
// room. (Only a walk that follows links remembers each directory; see loop.go.)
//
// A worker without work is idle if there is nothing to steal. When all workers are idle, no
// one can queue anything, and the walk is over.

const (
	fifoMax = 256 // a queue up to this length is taken oldest first

	// Below this depth a queue is always taken newest first: only a child's path is
	// cheap to make, from that of the directory listed last.
	fifoMaxDepth = 64

	suspendAt = 4096 // at this length of the queue a listing is suspended

	// At this length of a queue a worker is started. The other workers have enough to do
	// without a shorter one, and a small tree is listed before a thread is up.
	growAt = 8

	// More workers than processors are started after a worker had to wait for this many
	// directories in a row. (Over a network of 2 ms, 16 workers were 3.5 times as fast as
	// 2 on two processors; with all in memory they took 1.2 to 1.5 times as long.)
	slowOpensMax = 4
)

// A queue has one worker's directories to list.
type queue struct {
	mu   sync.Mutex
	ring []dir.Ref // its length is a power of two
	head int       // index of the oldest
	size atomic.Int64
	_    [64]byte // so that no other data shares the cache line
}

func (q *queue) at(i int) *dir.Ref { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

func (q *queue) full() bool { return q.size.Load() >= suspendAt }

// push adds refs; the last one becomes the newest.
func (q *queue) push(refs []dir.Ref) {
	q.mu.Lock()
	n := int(q.size.Load())
	if n+len(refs) > len(q.ring) {
		q.resize(n, n+len(refs))
	}
	for i, ref := range refs {
		*q.at(n + i) = ref
	}
	q.size.Store(int64(n + len(refs)))
	q.mu.Unlock()
}

func (q *queue) resize(n, minSize int) {
	size := 64
	for size < minSize {
		size *= 2
	}
	ring := make([]dir.Ref, size)
	for i := range n {
		ring[i] = *q.at(i)
	}
	q.ring, q.head = ring, 0
}

// pop takes the next directory for the owner.
func (q *queue) pop() (ref dir.Ref, ok bool) {
	if q.size.Load() == 0 {
		return ref, false // only the owner adds to it
	}
	q.mu.Lock()
	if n := int(q.size.Load()); n > 0 {
		ok = true
		q.size.Store(int64(n - 1))
		if n > fifoMax || q.at(n-1).Depth() > fifoMaxDepth {
			ref = *q.at(n - 1)
		} else {
			ref = *q.at(0)
			q.head++
		}
	}
	q.mu.Unlock()
	return ref, ok
}

// steal moves the older half to refs.
func (q *queue) steal(refs []dir.Ref) []dir.Ref {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := int(q.size.Load())
	half := (n + 1) / 2
	for i := range half {
		refs = append(refs, *q.at(i))
	}
	q.head += half
	q.size.Store(int64(n - half))
	return refs
}

// remove moves the directories for which f is true to refs.
func (q *queue) remove(f func(dir.Ref) bool, refs []dir.Ref) []dir.Ref {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, kept := int(q.size.Load()), 0
	for i := range n {
		ref := *q.at(i)
		if f(ref) {
			refs = append(refs, ref)
			continue
		}
		*q.at(kept) = ref
		kept++
	}
	q.size.Store(int64(kept))
	return refs
}

// drain calls drop for each directory.
func (q *queue) drain(drop func(dir.Ref)) {
	for ref, ok := q.pop(); ok; ref, ok = q.pop() {
		drop(ref)
	}
}

// take returns the next directory to list, or false if the walk is over.
func (w *worker) take() (dir.Ref, bool) {
	for !w.pool.stopped.Load() {
		ref, ok := w.next()
		if ok {
			return ref, true
		}
		if w.steal() {
			continue
		}
		w.release()
		if !w.wait() {
			break
		}
	}
	return dir.Ref{}, false
}

// next returns the next directory of the worker's queue, or of the sequence.
func (w *worker) next() (dir.Ref, bool) {
	if w.held != nil {
		ref, prefix, ok := w.held.sequence.take()
		w.held.prefix = prefix
		return ref, ok
	}
	return w.queue.pop()
}

// requeue queues directories again, or those of a new round.
func (w *worker) requeue(refs []dir.Ref) {
	if w.held != nil && len(refs) > 0 {
		w.held.sequence.requeue(refs)
		return
	}
	w.queue.push(refs)
}

// steal fills the worker's empty queue from that of another worker.
func (w *worker) steal() bool {
	all := w.pool.all()
	for i := 1; i < len(all); i++ {
		victim := all[(w.number+i)%len(all)]
		if victim.queue.size.Load() == 0 {
			continue
		}
		if w.stolen = victim.queue.steal(w.stolen[:0]); len(w.stolen) > 0 {
			w.queue.push(w.stolen)
			w.callHelp()
			return true
		}
	}
	return false
}

// pushFound queues the directories found in the last batch.
func (w *worker) pushFound() {
	if len(w.found) == 0 || w.held != nil {
		return
	}
	w.queue.push(w.found)
	w.found = w.found[:0]
	w.callHelp()
}

// callHelp wakes an idle worker, or starts one, if there is enough work. That worker will
// call for help in turn.
func (w *worker) callHelp() {
	p := w.pool
	switch n := w.queued(); {
	case n < 2: // w will take it itself
	case p.idle.Load() > 0:
		p.mu.Lock()
		p.wake.Signal()
		p.mu.Unlock()
	case n >= growAt && len(p.all()) < p.limit:
		started := len(p.all())
		switch {
		case p.opt.Waits == nil || started < p.processors:
			p.grow(started + 1)
		case w.slowOpens >= slowOpensMax:
			w.slowOpens = 0
			p.grow(2 * started)
		}
	}
}

// queued returns the number of directories in the worker's queue or in the sequence.
func (w *worker) queued() int64 {
	if w.held != nil {
		return w.held.sequence.size.Load()
	}
	return w.queue.size.Load()
}

// wait waits until there is something to take. It returns false if the walk is over.
func (w *worker) wait() bool {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	// A worker reads idle after queueing a directory. This one reads the queues after
	// adding itself to idle. So one of them sees the other.
	p.idle.Add(1)
	defer p.idle.Add(-1)
	for !p.over && !p.stopped.Load() {
		for _, other := range p.all() {
			if other.queued() > 0 {
				return true
			}
		}
		idle := int(p.idle.Load())
		if idle+p.hanging() == len(p.all()) && w.takeAside() {
			return true
		}
		if idle == len(p.all()) {
			if w.nextRound() {
				p.wake.Broadcast()
				return true
			}
			p.over = true
			p.wake.Broadcast()
			break
		}
		p.wake.Wait()
	}
	return false
}
