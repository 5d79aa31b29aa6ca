// Package walk visits every entry below some roots, with many workers.
//
// Each worker takes a directory from its queue, lists it with its own dir.Reader,
// passes each entry to its own visit function, and queues the directories among
// them. Nothing is shared per entry. queue.go describes how the work is spread and
// how the end is detected; loop.go how links are followed.
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

// An Action is the result of a visit.
type Action uint8

// The actions.
const (
	Continue Action = iota // continue; enter the entry if it is a directory
	Prune                  // continue, without entering the entry
	Stop                   // end the whole walk
)

// A Visitor has the functions that one worker calls. Begin, End and Leave may be nil.
type Visitor struct {
	// Begin is called when the worker begins to list a directory, or continues a suspended
	// listing. The next entries are those of d.
	Begin func(d *dir.Dir)
	// Visit is called for each entry, never for a root that is a directory.
	// The entry is valid until Visit returns. If Visit sets the Tag of a directory's entry,
	// the Dir gets it; the Tag of a root is 0.
	Visit func(e *dir.Entry) Action
	// End is called when the listing of the last Begin ends: with nil after the last entry,
	// with ErrSuspended if more entries will come, or with the error that ended it. That
	// error is also reported.
	End func(d *dir.Dir, err error)
	// Leave is called for each directory that Begin was called for, once it and all below it
	// has been listed, by any workers. So directories below come first, and Leave may remove
	// d. It is not called after the walk was stopped.
	Leave func(d *dir.Dir)
	// Result returns what the last call of Visit has made of the entry, and where a path may begin
	// in it. nil is nothing. The result is valid until the next call of Visit. It is called in a
	// walk with a Sequence only.
	Result func() (result []byte, from int)
	// Absent reports whether Visit does nothing for entries of these names, unless they are
	// directories. It is called with the names of a directory that comes from a Recording, and
	// not if rules, Hidden or Follow decide what is visited. It may be nil.
	Absent dir.AbsentFunc
	// Pause is called before the worker asks the system for more entries, to write results
	// that are due. idle is set when the worker is about to wait for work or to end: all
	// results are due. Prune means Continue. While the worker waits for the system, in Visit
	// too, another goroutine may call Pause with idle set.
	Pause func(idle bool) Action
}

// ErrSuspended means that more entries of the directory will follow, perhaps in another
// worker, or that the walk was stopped.
var ErrSuspended = errors.New("the listing is suspended")

// A Root is where a walk starts: the path to open, and the label that the paths of its
// entries begin with instead, as in dir.Root.
type Root struct {
	Path, Label string
	Absolute    string // for Entry.AppendAbsolute; "" if nothing calls it

	// Recording, if set, is asked for the entries of each directory before the system is; the
	// root is its Node. With Unverified the system is not asked at all.
	Recording  dir.Recording
	Node       dir.Node
	Unverified bool
}

// Unlimited is a MaxDepth that is never reached.
const Unlimited = -1

// Options are the options of a walk.
type Options struct {
	Workers       int             // maximum number of workers that do not hang; they start as the work grows
	MaxDepth      int             // entries at this depth are visited, but not entered; see Unlimited
	Hidden        bool            // visit entries whose name begins with a dot
	Ignore        *ignore.Ignorer // rules for entries not to visit; nil: none
	Follow        bool            // links stand for their targets; each directory is entered once
	OneFileSystem bool            // enter no directory on a device other than its root's
	Remote        bool            // enter directories that are in the cloud; else each is an error

	// Waits, if set, returns the number of times that the calling thread has waited for
	// anything but a processor. Then more workers than processors start only while workers
	// wait for directories. If nil, workers start up to the maximum.
	Waits func() int64

	// Waiting, if set, is called repeatedly while a directory has not answered for a second
	// or more, and then once with a nil path.
	Waiting func(path []byte, since time.Duration)

	// Progress, if set, gets the counts of the walk while it goes on.
	Progress *Progress

	// Except, if set, reports whether a directory is visited but not entered.
	Except func(*dir.Entry) bool

	// Recorder, if set, is called for each worker, and the result gets what the worker reads.
	Recorder func() dir.Recorder

	// Sequence, if set, gets the results of all workers in order. Entries then have Tags of the
	// walk itself.
	Sequence *Sequence

	Buffer int         // bytes of a directory to request at a time; 0: dir's default
	Want   dir.Fields  // fields that Visit will ask Info for
	Report func(error) // gets each error; called concurrently
}

// want returns the fields to request with the listing.
func (o *Options) want() dir.Fields {
	if o.Follow || o.OneFileSystem {
		return o.Want | dir.Identity
	}
	return o.Want
}

// Stats has counts of a walk.
type Stats struct {
	Entries  int64 // entries listed, including those left out
	Dirs     int64 // directories listed to their end
	Recalled int64 // those of them that come from a Recording
	Hidden   int64 // entries left out as hidden
	Ignored  int64 // entries left out by ignore rules
	Workers  int   // workers started
	Calls    dir.Calls
}

// A RootError is an error of a root itself.
type RootError struct{ Err error }

func (e *RootError) Error() string { return e.Err.Error() }
func (e *RootError) Unwrap() error { return e.Err }

// maxWorkers is the maximum number of Ps that Go can have.
const maxWorkers = 1024

// Walk visits the entries below the roots. It calls newVisitor for each worker before
// the worker starts; only that worker uses the Visitor. An error goes to Report, and the
// walk continues; the error of a root is a *RootError. Walk returns when all entries are
// visited, when Visit or Pause has returned Stop, or when ctx is done. All its goroutines
// have ended then.
//
// A worker that waits for the disk keeps its P, so Walk raises GOMAXPROCS above the
// number of workers if it is lower.
func Walk(ctx context.Context, roots []Root, opt Options, newVisitor func() Visitor) Stats {
	if opt.Ignore != nil && opt.Ignore.Empty() {
		opt.Ignore = nil
	}
	workers := make([]*worker, max(1, min(maxWorkers, dir.MaxReaders())))
	p := &pool{opt: opt, newVisitor: newVisitor, workers: workers, roots: roots}
	p.limit = max(1, min(opt.Workers, len(workers)))
	p.wake.L = &p.mu
	p.processors = runtime.GOMAXPROCS(0)
	if opt.Sequence != nil {
		p.sequence = newSequence(opt.Sequence, p)
	}
	defer context.AfterFunc(ctx, p.stop)()

	dir.FetchRemote(opt.Remote)
	first := p.addWorker()
	refs := make([]dir.Ref, len(roots))
	for i, r := range roots {
		refs[i] = dir.Root(r.Path, r.Label, i).WithAbsolute(r.Absolute)
		if r.Recording != nil {
			refs[i] = refs[i].WithRecording(r.Recording, r.Node, r.Unverified)
		}
	}
	if opt.Follow {
		p.loops = newLoops()
	}
	if opt.Follow || opt.OneFileSystem {
		refs = first.identifyRoots(refs)
	}
	if p.sequence != nil {
		p.sequence.start(refs)
	} else {
		first.queue.push(refs)
	}
	first.run()
	p.others.Wait()
	p.endWatch()
	if p.sequence != nil {
		p.sequence.useRest()
		p.sequence.drain(first.reader.Drop)
	}

	stats := Stats{Workers: len(p.all())}
	for _, w := range p.all() {
		w.queue.drain(w.reader.Drop)
		w.reader.Close()
		stats.Calls.Add(w.reader.Calls())
		stats.Entries += w.stats.Entries
		stats.Dirs += w.stats.Dirs
		stats.Recalled += w.stats.Recalled
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

// identifyRoots stores the roots' devices. If each directory is entered once, it drops
// roots that are the same directory as an earlier one.
func (w *worker) identifyRoots(refs []dir.Ref) []dir.Ref {
	p := w.pool
	p.devices = make([]uint64, len(refs)) // 0: not known
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

// mayEnterRoot stores a root's device, and reports whether the root has not been entered.
// It returns true for a root that does not exist: opening it will report the error.
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

// A pool has the workers of one walk and what they share.
type pool struct {
	opt        Options
	newVisitor func() Visitor
	roots      []Root
	loops      *loops    // nil unless links are followed
	sequence   *sequence // nil: results come in no order
	devices    []uint64  // of each root, for OneFileSystem
	processors int
	limit      int // maximum number of workers that do not hang
	watch      watch

	stopped atomic.Bool
	others  sync.WaitGroup // all but the first worker

	mu      sync.Mutex   // guards over and the fields after it, and changes of started and idle
	wake    sync.Cond    // signals that there is work, or that the walk is over
	workers []*worker    // the first started elements are set
	started atomic.Int32 // number of workers
	idle    atomic.Int32 // number of workers that wait for work
	over    bool         // no work is left
	later   []postponed
	aside   []dir.Ref // see putAside
	listed  int64     // number of directories listed at the last retry
	vain    int       // number of retries in a row after which nothing was listed
}

// stop ends the walk early.
func (p *pool) stop() {
	p.stopped.Store(true)
	p.mu.Lock()
	p.wake.Broadcast()
	p.mu.Unlock()
	if p.sequence != nil {
		p.sequence.wake()
	}
}

// addWorker adds a worker. The caller holds p.mu, except for the first.
func (p *pool) addWorker() *worker {
	n := p.started.Load()
	w := &worker{pool: p, reader: dir.NewReader(p.opt.want()), decider: ignore.NewDecider(), number: int(n), Visitor: p.newVisitor()}
	if p.sequence != nil {
		w.hold(p.sequence)
	}
	w.running.Lock()
	w.reader.OnWait(w.asks)
	if w.Leave != nil {
		w.reader.OnLeave(w.leave)
	}
	if p.opt.Ignore == nil && p.opt.Hidden && !p.opt.Follow {
		w.reader.OnRecall(w.Absent)
	}
	if p.opt.Recorder != nil {
		w.reader.OnRecord(p.opt.Recorder())
	}
	if p.opt.Buffer > 0 {
		w.reader.SetBuffer(p.opt.Buffer)
	}
	p.workers[n] = w
	p.started.Store(n + 1)
	return w
}

// grow starts workers until there are n, or p.limit.
func (p *pool) grow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.all()) < min(n, p.limit) && !p.over && !p.stopped.Load() {
		// GOMAXPROCS stops the world, so it is not called for each worker. Ps without
		// work cost a tenth of the time of a walk in memory.
		if ps := runtime.GOMAXPROCS(0); len(p.all()) >= ps {
			runtime.GOMAXPROCS(min(p.limit, max(2*ps, 16)))
		}
		p.others.Go(p.addWorker().run)
	}
}

// all returns the workers that were started.
func (p *pool) all() []*worker { return p.workers[:p.started.Load()] }

func (p *pool) report(err error) {
	if p.opt.Report != nil {
		p.opt.Report(err)
	}
}
