package walk

import (
	"slices"
	"sync"
	"time"

	"ldx/internal/dir"
)

// Workers that wait for the system.
//
// A server that is dead, or a disk that fails, may leave a call without an answer for
// minutes or for good. Then others go on: every tick the watch looks at the workers that are in
// a call which may take long. For one that has been in the same call since the last tick it
// writes out what that worker holds back, and once it has waited far longer than any
// other call took, one more worker takes its place. Where all workers wait, but not for
// long, more of them are of use.

const (
	tick = 10 * time.Millisecond
	// A call that takes this many times as long as the longest that was answered is taken
	// for one that hangs, and so is any that takes hangTicks.
	hangFactor = 4
	hangTicks  = 200
	// The user is told of a call after this many.
	showTicks = 100
)

// A watch looks after the workers of a pool.
type watch struct {
	mu      sync.Mutex // held while it looks
	ended   bool
	timer   *time.Timer
	longest int  // ticks that a call took which was answered
	shown   bool // Waiting has been called with a path
}

// A call is what a worker waits for.
type call struct {
	number uint32 // of the worker's calls
	ticks  int    // how often the watch has found the worker in it
}

func (p *pool) startWatch() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	p.watch.timer = time.AfterFunc(tick, p.look)
}

func (p *pool) endWatch() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	p.watch.ended = true
	p.watch.timer.Stop()
	p.show(nil, 0)
}

// asks is called before and after each call that may take long.
func (w *worker) asks(waiting bool) {
	if waiting {
		w.calls.Add(1)
		w.running.Unlock()
	} else {
		w.running.Lock()
		w.calls.Add(1)
	}
}

// look looks at all workers.
func (p *pool) look() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	if p.watch.ended {
		return
	}
	waiting, hung, slowest := 0, 0, (*worker)(nil)
	for _, w := range p.all() {
		if !p.inSameCall(w) {
			continue
		}
		waiting++
		if w.call.ticks == 1 {
			w.whileWaiting(func() { w.pause(true) })
		}
		if w.call.ticks > min(hangFactor*p.watch.longest, hangTicks) {
			hung++
		}
		if slowest == nil || w.call.ticks > slowest.call.ticks {
			slowest = w
		}
	}
	switch {
	case hung > 0:
		p.replace(hung)
	case waiting == len(p.all()) && p.opt.Waits != nil && p.queued():
		p.grow(2 * waiting)
	}
	if slowest != nil && slowest.call.ticks >= showTicks {
		slowest.whileWaiting(func() {
			p.show(slowest.reader.AppendPlace(nil), time.Duration(slowest.call.ticks)*tick)
		})
	} else {
		p.show(nil, 0)
	}
	p.watch.timer.Reset(tick)
}

// inSameCall reports whether w waits for what it did a tick ago.
func (p *pool) inSameCall(w *worker) bool {
	const waiting = 1 // numbers of calls that have begun are odd
	number := w.calls.Load()
	if number&waiting == 0 || number != w.call.number {
		p.watch.longest = max(p.watch.longest, w.call.ticks)
		w.call = call{number: number}
		return false
	}
	w.call.ticks++
	return true
}

// whileWaiting calls f unless w's call has just ended.
func (w *worker) whileWaiting(f func()) {
	if !w.running.TryLock() {
		return
	}
	defer w.running.Unlock()
	if w.calls.Load() == w.call.number {
		f()
	}
}

// replace starts workers in place of those that hang, if there is anything to do for
// them. The next directories may hang as well, so there are as many again.
func (p *pool) replace(hung int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.all()
	if len(all)-hung >= min(p.processors, p.limit) || p.over || p.stopped.Load() || !p.queued() {
		return
	}
	for range min(hung, len(p.workers)-len(all)) {
		p.others.Go(p.addWorker().run)
	}
}

// queued reports whether there is a directory that no worker has begun with, and none to
// do so.
func (p *pool) queued() bool {
	return p.idle.Load() == 0 && slices.ContainsFunc(p.all(), func(w *worker) bool { return w.queue.size.Load() > 0 })
}

// show reports which directory is waited for.
func (p *pool) show(path []byte, since time.Duration) {
	if p.opt.Waiting != nil && (path != nil || p.watch.shown) {
		p.watch.shown = path != nil
		p.opt.Waiting(path, since)
	}
}

// Directories that could not be opened for now.
//
// Where too many descriptors are open, or memory is short, a directory is tried again when
// nothing else is left to do, and so as little as can be is open. It is an error when that has
// not helped a single one, several times over.

const maxVain = 3

type postponed struct {
	ref dir.Ref
	err error
}

func (p *pool) postpone(ref dir.Ref, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = append(p.later, postponed{ref, err})
}

// retry queues the directories that were postponed, and reports whether there are any. All
// other workers are idle, or hang.
func (w *worker) retry() bool {
	p := w.pool
	later, listed := p.later, int64(0)
	p.later = nil
	for _, w := range p.all() {
		listed += w.stats.Dirs
	}
	if p.vain++; listed != p.listed {
		p.vain = 0
	}
	if p.vain == maxVain {
		for _, l := range later {
			p.giveUp(w, l)
		}
		return false
	}
	p.listed = listed
	refs := make([]dir.Ref, len(later))
	for i, l := range later {
		refs[i] = l.ref
	}
	w.queue.push(refs)
	return len(refs) > 0
}

func (p *pool) giveUp(w *worker, l postponed) {
	err := l.err
	if l.ref.Depth() == 0 {
		err = &RootError{err}
	}
	p.report(err)
	w.reader.Drop(l.ref)
}
