package walk

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
)

// Workers that wait for the system.
//
// A server that is dead, or a disk that fails, may leave a call without an answer for
// minutes or for good. Then others go on: every tick the watch looks at the workers that are in
// a call which may take long. For one that has been in the same call since the last tick it
// writes out what that worker holds back, and once it has waited far longer than any
// other call took, one more worker takes its place. The directories beside the one that hangs
// often hang as well: they are put aside until there is nothing else to do. Where all workers
// wait, but not for long, more of them are of use.
//
// The watch sleeps while no worker is in such a call: a timer that interrupts two workers
// every 10 ms costs a search of local disks 3 to 5 % of its time.

const (
	tick = 5 * time.Millisecond
	// A call that takes this many times as long as the longest that was answered is taken
	// for one that hangs, and so is any that takes hangTicks.
	hangFactor = 4
	hangTicks  = 400
	// The user is told of a call after this many.
	showTicks = 200
)

// A watch looks after the workers of a pool.
type watch struct {
	mu      sync.Mutex // held while it looks
	ended   bool
	awake   atomic.Bool // the timer runs
	timer   *time.Timer
	longest int  // ticks that a call took which was answered
	shown   bool // Waiting has been called with a path
}

// A call is what a worker waits for.
type call struct {
	number uint32 // of the worker's calls
	ticks  int    // how often the watch has found the worker in it
}

// startWatch wakes the watch if any worker is in a call that may take long.
func (p *pool) startWatch() {
	if p.calling() && p.watch.awake.CompareAndSwap(false, true) {
		p.watch.mu.Lock()
		defer p.watch.mu.Unlock()
		p.nextLook()
	}
}

// nextLook has look called after a tick. The caller holds watch.mu.
func (p *pool) nextLook() {
	switch {
	case p.watch.ended:
	case p.watch.timer == nil:
		p.watch.timer = time.AfterFunc(tick, p.look)
	default:
		p.watch.timer.Reset(tick)
	}
}

// calling reports whether any worker is in a call that may take long.
func (p *pool) calling() bool {
	return slices.ContainsFunc(p.all(), func(w *worker) bool { return inCall(w.calls.Load()) })
}

// inCall reports whether a worker's number of calls, begun and ended, means that it is in one.
func inCall(number uint32) bool { return number%2 != 0 }

func (p *pool) endWatch() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	if p.watch.ended = true; p.watch.timer != nil {
		p.watch.timer.Stop()
	}
	p.show(nil, 0)
}

// asks is called before and after each call that may take long.
func (w *worker) asks(waiting bool) {
	if waiting {
		w.calls.Add(1)
		if w.running.Unlock(); !w.pool.watch.awake.Load() {
			w.pool.startWatch()
		}
	} else {
		w.running.Lock()
		if w.calls.Add(1); w.hangs.Load() {
			w.answered()
		}
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
			p.putAside(w)
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
	// A worker begins its call before it looks whether the watch is awake, and the watch
	// goes to sleep before it looks for calls: one of them sees the other.
	p.watch.awake.Store(false)
	if p.calling() && p.watch.awake.CompareAndSwap(false, true) {
		p.nextLook()
	}
}

// inSameCall reports whether w waits for what it did a tick ago.
func (p *pool) inSameCall(w *worker) bool {
	number := w.calls.Load()
	if !inCall(number) || number != w.call.number {
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
	idle := p.idle.Load() > 0
	if len(all)-hung >= min(p.processors, p.limit) || p.over || p.stopped.Load() || idle || len(p.aside) == 0 && !p.queued() {
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

// putAside notes that w hangs, and keeps others from what is beside the directory that it
// hangs at.
func (p *pool) putAside(w *worker) {
	if w.hangs.Load() {
		return
	}
	w.whileWaiting(func() {
		w.hangs.Store(true)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.aside = w.queue.remove(w.reader.Beside, p.aside)
		p.wake.Broadcast() // w may have been all that others waited for
	})
}

// answered notes that w did not hang after all, nor is likely to at what was put aside.
func (w *worker) answered() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.hangs.Store(false)
	w.takeAside()
	w.pool.wake.Broadcast()
}

// takeAside queues what was put aside, and reports whether there was any. The caller holds
// p.mu.
func (w *worker) takeAside() bool {
	refs := w.pool.aside
	w.pool.aside = nil
	w.queue.push(refs)
	return len(refs) > 0
}

// hanging returns how many workers hang.
func (p *pool) hanging() (n int) {
	for _, w := range p.all() {
		if w.hangs.Load() {
			n++
		}
	}
	return n
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
