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
//	     | ref | ref | ref | ref | ref | ref |   one ring per worker
//	     +-----+-----+-----+-----+-----+-----+
//	       |       |                       ^ |
//	       |       |             its owner | | its owner takes from here
//	       |       |             puts here   v when there is much,
//	       |       v
//	       |     a worker with nothing to do
//	       v     steals the older half
//	   its owner takes from here when there is little
//
// Little: the oldest are the shallowest, so a search begins near its root and a
// small tree is searched level by level. Much: the newest are the deepest, so
// the queue hardly grows beyond it. A directory that is itself too large for
// the queue is suspended between two batches of its listing and queued, older
// than what it has brought so far. So the memory for a walk depends on how deep
// a tree is, not on how large, and nothing ever waits for room. (Only a walk that
// follows links remembers each directory; see loop.go.)
//
// A worker with nothing to do and nothing to steal is idle. When all are, no
// one is left who could queue anything, and the walk is over.

const (
	little = 256  // a queue up to this length is taken oldest first
	deep   = 64   // but not below this depth, where only a child's path is had for little from the last
	bound  = 4096 // a queue of this length has a listing suspended
	// A worker is started for a queue of this length: the others have enough
	// to do without it, and a small tree is done sooner than a thread is up.
	enough = 8
	// More workers than processors are of use if one had to wait for so many directories,
	// one after the other. (Over a network of 2 ms, 16 workers were 3.5 times as fast as 2
	// on two processors; with all in memory they took 1.2 to 1.5 times as long.)
	often = 4
)

// A queue is one worker's directories to list.
type queue struct {
	mu   sync.Mutex
	ring []dir.Ref // a power of two
	head int       // the oldest
	size atomic.Int64
	_    [64]byte // keeps the neighbours of a busy cache line away
}

func (q *queue) at(i int) *dir.Ref { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

func (q *queue) full() bool { return q.size.Load() >= bound }

// push adds refs, the last of which becomes the newest.
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

func (q *queue) resize(n, least int) {
	size := 64
	for size < least {
		size *= 2
	}
	ring := make([]dir.Ref, size)
	for i := range n {
		ring[i] = *q.at(i)
	}
	q.ring, q.head = ring, 0
}

// pop takes what the owner is to do next.
func (q *queue) pop() (ref dir.Ref, ok bool) {
	if q.size.Load() == 0 {
		return ref, false // none but the owner adds to it
	}
	q.mu.Lock()
	if n := int(q.size.Load()); n > 0 {
		ok = true
		q.size.Store(int64(n - 1))
		if n > little || q.at(n-1).Depth() > deep {
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

// remove moves those for which f is true to refs.
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

// drain gives what is left to drop.
func (q *queue) drain(drop func(dir.Ref)) {
	for ref, ok := q.pop(); ok; ref, ok = q.pop() {
		drop(ref)
	}
}

// take returns the next directory to list, or false when the walk has ended.
func (w *worker) take() (dir.Ref, bool) {
	for !w.pool.stopped.Load() {
		if ref, ok := w.queue.pop(); ok {
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

// steal fills the worker's empty queue from another's.
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

// pushFound queues the directories just found.
func (w *worker) pushFound() {
	if len(w.found) == 0 {
		return
	}
	w.queue.push(w.found)
	w.found = w.found[:0]
	w.callHelp()
}

// callHelp gets help if there is much to do: a worker that waits, or one more. That
// one will call for more in turn.
func (w *worker) callHelp() {
	p := w.pool
	switch n := w.queue.size.Load(); {
	case n < 2: // w will take it
	case p.idle.Load() > 0:
		p.mu.Lock()
		p.wake.Signal()
		p.mu.Unlock()
	case n >= enough && len(p.all()) < p.limit:
		started := len(p.all())
		switch {
		case p.opt.Waits == nil || started < p.processors:
			p.grow(started + 1)
		case w.waits >= often:
			w.waits = 0
			p.grow(2 * started)
		}
	}
}

// wait waits until there is something to steal. It returns false when the walk
// has ended.
func (w *worker) wait() bool {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	// A worker that queues something looks at idle afterwards, and this one
	// at the queues after counting itself: one of them sees the other.
	p.idle.Add(1)
	defer p.idle.Add(-1)
	for !p.over && !p.stopped.Load() {
		for _, other := range p.all() {
			if other.queue.size.Load() > 0 {
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
