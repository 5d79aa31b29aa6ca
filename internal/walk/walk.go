// Package walk visits every entry below some roots, with many workers.
//
// Each worker takes a directory from its queue, lists it with a dir.Reader of
// its own, gives each entry to a visit function of its own, and queues the
// directories among them. Nothing is shared per entry. queue.go tells how the
// work is spread and how the end is found; loop.go how links are followed.
package walk

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/ignore"
)

// An Action is what a visit decides.
type Action uint8

// What a visit may decide.
const (
	Continue Action = iota // go on, and into the entry if it is a directory
	Prune                  // go on, but not into the entry
	Stop                   // end the whole walk
)

// A Visitor is one worker's share of what is done with the entries. Begin, End and Leave may be
// nil.
type Visitor struct {
	// Begin is called when the worker begins to list a directory, or goes on with a listing
	// that was suspended. The next entries are those of d.
	Begin func(d *dir.Dir)
	// Visit is called for each entry, never for a root that is a directory.
	// The entry is valid until Visit returns. The Tag that it gives the entry of a directory is
	// that of the Dir; a root's is 0.
	Visit func(e *dir.Entry) Action
	// End is called when the listing that Begin was called for ends: with nil after the last
	// entry, with ErrSuspended if it is not at its end, or with the error that ended it, which
	// is reported as well.
	End func(d *dir.Dir, err error)
	// Leave is called for a directory that Begin was called for, once it and all below it has
	// been listed, whichever workers did that: a directory's comes after those of the
	// directories in it. There d may be removed. It is not called once the walk is stopped.
	Leave func(d *dir.Dir)
	// Pause is called before the worker asks the system for more, and with
	// idle set when it is about to wait for work or to end: what has been
	// held back may be due, or is. Prune is as Continue. While the worker waits for the
	// system, also for what Visit asks, another goroutine may call it, with idle set.
	Pause func(idle bool) Action
}

// ErrSuspended means that a directory's listing is not at its end: it goes on later, perhaps by
// another worker, or the walk was stopped.
var ErrSuspended = errors.New("the listing is suspended")

// A Root is where a walk starts: the path to open, and the label that the paths
// of its entries begin with instead (as in dir.Root).
type Root struct{ Path, Label string }

// Unlimited is a MaxDepth that is never reached.
const Unlimited = -1

// Options says what is walked and how.
type Options struct {
	Workers       int             // the most that work at a time; they start as the work grows
	MaxDepth      int             // entries at this depth are visited, but not entered; see Unlimited
	Hidden        bool            // visit entries whose name begins with a dot
	Ignore        *ignore.Ignorer // which entries not to visit; nil: none
	Follow        bool            // links stand for their targets; each directory is entered once
	OneFileSystem bool            // enter no directory on a device other than its root's
	Remote        bool            // enter directories that are fetched from the cloud; else each is an error

	// Waits, if set, returns how often the thread that calls it has had to wait for anything
	// but a processor. Then more workers than there are processors start only while
	// directories have to be waited for.
	Waits func() int64

	// Waiting, if set, is called again and again while a directory has not answered
	// for a second or more, and at the end with a nil path.
	Waiting func(path []byte, since time.Duration)

	// Except, if set, tells of directories that are not entered.
	Except func(*dir.Entry) bool

	Buffer int         // bytes of a directory to ask for at a time; 0: what the system does best with
	Want   dir.Fields  // what Visit will ask the Info of entries for
	Report func(error) // gets each error; many workers may call it at a time
}

// want returns the fields that a listing had better have.
func (o *Options) want() dir.Fields {
	if o.Follow || o.OneFileSystem {
		return o.Want | dir.Identity
	}
	return o.Want
}

// Stats says what a walk has seen.
type Stats struct {
	Entries int64 // listed, those that are left out with them
	Dirs    int64 // listed to their end
	Hidden  int64 // left out for their names
	Ignored int64 // left out for rules
	Workers int   // started
	Calls   dir.Calls
}

// A RootError is an error with a root itself.
type RootError struct{ Err error }

func (e *RootError) Error() string { return e.Err.Error() }
func (e *RootError) Unwrap() error { return e.Err }

// maxWorkers is the most Ps that Go can have.
const maxWorkers = 1024

// Walk visits the entries below the roots. newVisitor is called for each worker
// before it starts; its Visitor is used by that worker alone. An error (of a
// root, then a *RootError; a directory that cannot be read) goes to Report and the
// walk goes on. Walk returns when all is visited, when a Visit or Pause has said
// Stop, or when ctx is done, and leaves no goroutine behind.
//
// A worker that waits for the disk keeps its P, so Walk raises GOMAXPROCS to more than
// the number of workers that it starts where it is lower.
func Walk(ctx context.Context, roots []Root, opt Options, newVisitor func() Visitor) Stats {
	workers := make([]*worker, max(1, min(maxWorkers, dir.MaxReaders())))
	p := &pool{opt: opt, newVisitor: newVisitor, workers: workers, roots: roots}
	p.limit = max(1, min(opt.Workers, len(workers)))
	p.wake.L = &p.mu
	p.processors = runtime.GOMAXPROCS(0)
	defer context.AfterFunc(ctx, p.stop)()

	dir.FetchRemote(opt.Remote)
	first := p.addWorker()
	refs := make([]dir.Ref, len(roots))
	for i, r := range roots {
		refs[i] = dir.Root(r.Path, r.Label, i)
	}
	if opt.Follow {
		p.loops = newLoops()
	}
	if opt.Follow || opt.OneFileSystem {
		refs = first.identifyRoots(refs)
	}
	first.queue.push(refs)
	first.run()
	p.others.Wait()
	p.endWatch()

	stats := Stats{Workers: len(p.all())}
	for _, w := range p.all() {
		w.queue.drain(w.reader.Drop)
		w.reader.Close()
		stats.Calls.Add(w.reader.Calls())
		stats.Entries += w.stats.Entries
		stats.Dirs += w.stats.Dirs
		stats.Hidden += w.stats.Hidden
		stats.Ignored += w.stats.Ignored
	}
	if p.loops != nil {
		p.loops.drain(first.reader.Drop)
	}
	for _, l := range p.later {
		first.reader.Drop(l.ref)
	}
	for _, ref := range p.aside {
		first.reader.Drop(ref)
	}
	return stats
}

// identifyRoots notes the roots' devices, and drops those that are one
// directory with an earlier one when each is to be entered once.
func (w *worker) identifyRoots(refs []dir.Ref) []dir.Ref {
	p := w.pool
	p.devices = make([]uint64, len(refs)) // 0 is none
	kept := refs[:0]
	for i, ref := range refs {
		if w.mayEnterRoot(ref, i) {
			kept = append(kept, ref)
		} else {
			w.reader.Drop(ref)
		}
	}
	return kept
}

// mayEnterRoot notes a root's device, and reports whether it has not been
// entered. Of one that does not exist, opening it will tell.
func (w *worker) mayEnterRoot(ref dir.Ref, number int) bool {
	e, err := w.reader.Root(ref)
	if err != nil {
		return true
	}
	if e.Follow() != nil {
		return true
	}
	id, err := identify(e)
	if err != nil {
		return true
	}
	w.pool.devices[number] = id.Device
	return w.pool.loops == nil || e.Type != fs.ModeDir || w.pool.loops.claimRoot(id, number)
}

// A pool is one walk's workers and what they share.
type pool struct {
	opt        Options
	newVisitor func() Visitor
	roots      []Root
	loops      *loops   // nil unless links are followed
	devices    []uint64 // of each root, for OneFileSystem
	processors int
	limit      int // workers that do not hang
	watch      watch

	stopped atomic.Bool
	others  sync.WaitGroup // all but the first worker

	mu      sync.Mutex   // guards over and what follows it, and changes of started and idle
	wake    sync.Cond    // work has come, or the end
	workers []*worker    // the first started are there
	started atomic.Int32 // so many
	idle    atomic.Int32 // of these, so many wait for work
	over    bool         // nothing is left
	later   []postponed
	aside   []dir.Ref // see putAside
	listed  int64     // directories, when some were tried again last
	vain    int       // how often that has not helped
}

// stop ends the walk early.
func (p *pool) stop() {
	p.stopped.Store(true)
	p.mu.Lock()
	p.wake.Broadcast()
	p.mu.Unlock()
}

// addWorker makes one more worker. Only the first is made without p.mu.
func (p *pool) addWorker() *worker {
	n := p.started.Load()
	w := &worker{pool: p, reader: dir.NewReader(p.opt.want()), decider: ignore.NewDecider(), number: int(n), Visitor: p.newVisitor()}
	w.running.Lock()
	w.reader.OnWait(w.asks)
	if w.Leave != nil {
		w.reader.OnLeave(w.leave)
	}
	if p.opt.Buffer > 0 {
		w.reader.SetBuffer(p.opt.Buffer)
	}
	p.workers[n] = w
	p.started.Store(n + 1)
	return w
}

// grow starts workers until there are so many, unless that is more than there may be.
func (p *pool) grow(until int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.all()) < min(until, p.limit) && !p.over && !p.stopped.Load() {
		// Each time the world stops for a moment, so not for each worker; and Ps that
		// nobody needs cost a tenth of the time of a walk in memory.
		if ps := runtime.GOMAXPROCS(0); len(p.all()) >= ps {
			runtime.GOMAXPROCS(min(p.limit, max(2*ps, 16)))
		}
		p.others.Go(p.addWorker().run)
	}
}

// all returns the workers that have been started.
func (p *pool) all() []*worker { return p.workers[:p.started.Load()] }

func (p *pool) report(err error) {
	if p.opt.Report != nil {
		p.opt.Report(err)
	}
}
