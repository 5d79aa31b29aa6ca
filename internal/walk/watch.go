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
// If a server is dead or a disk fails, a call may not return for minutes, or ever. The rest
// of the walk must continue. So the watch examines the workers every tick, but only those in
// a call that may take long.
//
//   - A worker in the same call as at the last tick: the watch writes its results.
//   - A worker that has waited far longer than any other call took: it hangs, and another
//     worker replaces it. Siblings of the directory often hang too, so they are put aside
//     until there is nothing else to do.
//   - All workers wait, but none hangs: the watch starts more.
//
// The watch sleeps while no worker is in such a call: a timer that interrupts two workers
// every 10 ms costs a search of local disks 3 to 5 % of its time.

const (
	tick = 5 * time.Millisecond
	// A call hangs if it takes hangFactor times as long as the longest that returned, or
	// hangTicks.
	hangFactor = 4
	hangTicks  = 400
	showTicks  = 200 // after this many ticks the user sees which directory is slow
)

// A watch watches the workers of a pool.
type watch struct {
	mu      sync.Mutex // held during look
	ended   bool
	awake   atomic.Bool // the timer is running
	timer   *time.Timer
	longest int  // ticks of the longest call that returned
	shown   bool // Waiting has been called with a path
}

// A call is a system call that a worker waits for.
type call struct {
	number uint32 // value of worker.calls
	ticks  int    // number of ticks at which the worker was in it
}

// startWatch wakes the watch if any worker is in a call that may take long.
func (p *pool) startWatch() {
	if p.calling() && p.watch.awake.CompareAndSwap(false, true) {
		p.watch.mu.Lock()
		defer p.watch.mu.Unlock()
		p.nextLook()
	}
}

// nextLook schedules look after a tick. The caller holds watch.mu.
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

// inCall reports whether a value of worker.calls means that the worker is in a call.
func inCall(number uint32) bool { return number%2 != 0 }

func (p *pool) endWatch() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	if p.watch.ended = true; p.watch.timer != nil {
		p.watch.timer.Stop()
	}
	p.show(nil, 0)
}

// asks is the function of OnWait: it is called before and after each call that may take long.
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

// look examines all workers.
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
	// A worker begins its call before it reads awake. The watch clears awake before it
	// reads the calls. So one of them sees the other.
	p.watch.awake.Store(false)
	if p.calling() && p.watch.awake.CompareAndSwap(false, true) {
		p.nextLook()
	}
}

// inSameCall reports whether w is in the same call as a tick ago.
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

// whileWaiting calls f, unless w's call has ended.
func (w *worker) whileWaiting(f func()) {
	if !w.running.TryLock() {
		return
	}
	defer w.running.Unlock()
	if w.calls.Load() == w.call.number {
		f()
	}
}

// replace starts as many workers as hang, if there is work for them: the next directories
// may hang as well.
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

// queued reports whether a directory is queued while no worker is idle.
func (p *pool) queued() bool {
	return p.idle.Load() == 0 && slices.ContainsFunc(p.all(), func(w *worker) bool { return w.queued() > 0 })
}

// putAside marks w as hanging. It takes the siblings of the directory that w hangs at from
// its queue, so that no other worker tries them.
func (p *pool) putAside(w *worker) {
	if w.hangs.Load() {
		return
	}
	w.whileWaiting(func() {
		w.hangs.Store(true)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.sequence != nil {
			p.aside = p.sequence.remove(w.reader.Beside, p.aside)
		} else {
			p.aside = w.queue.remove(w.reader.Beside, p.aside)
		}
		p.wake.Broadcast() // the others may have waited for w only
	})
}

// answered marks w as not hanging. What was put aside is not likely to hang either.
func (w *worker) answered() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.hangs.Store(false)
	w.takeAside()
	w.pool.wake.Broadcast()
}

// takeAside queues the directories that were put aside, and reports whether there are any.
// The caller holds p.mu.
func (w *worker) takeAside() bool {
	refs := w.pool.aside
	w.pool.aside = nil
	w.requeue(refs)
	return len(refs) > 0
}

// hanging returns the number of workers that hang.
func (p *pool) hanging() (n int) {
	for _, w := range p.all() {
		if w.hangs.Load() {
			n++
		}
	}
	return n
}

// show passes the directory that workers wait for to Waiting.
func (p *pool) show(path []byte, since time.Duration) {
	if p.opt.Waiting != nil && (path != nil || p.watch.shown) {
		p.watch.shown = path != nil
		p.opt.Waiting(path, since)
	}
}

// Directories that cannot be opened for the moment.
//
// If too many descriptors are open or memory is short, a directory is postponed until no
// other work is left, when as few descriptors as possible are open. After maxVain retries
// in a row that listed no directory, the errors are reported.

const maxVain = 3

type postponed struct {
	ref dir.Ref
	err error
}

func (p *pool) postpone(ref dir.Ref, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = append(p.later, postponed{ref, err})
	if p.sequence != nil {
		p.sequence.postpone(ref)
	}
}

// retry queues the postponed directories, and reports whether there are any. All other
// workers are idle or hang.
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
		p.vain = 0 // for those of the next round
		return false
	}
	p.listed = listed
	refs := make([]dir.Ref, len(later))
	for i, l := range later {
		refs[i] = l.ref
	}
	w.requeue(refs)
	return len(refs) > 0
}

func (p *pool) giveUp(w *worker, l postponed) {
	err := l.err
	if l.ref.Depth() == 0 {
		err = &RootError{err}
	}
	p.report(err)
	w.drop(l.ref)
}
