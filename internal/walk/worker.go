package walk

import (
	"cmp"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/cpu"

	"ldx/internal/dir"
	"ldx/internal/ignore"
)

// A worker lists directories and visits their entries.
type worker struct {
	Visitor
	pool    *pool
	number  int // in pool.workers
	reader  *dir.Reader
	decider *ignore.Decider
	queue   queue
	running sync.Mutex    // unlocked while the worker waits for the system
	calls   atomic.Uint32 // number of calls begun plus number ended
	call    call          // for the watch
	hangs   atomic.Bool   // set by the watch: the current call hangs
	found   []dir.Ref     // directories found in the current batch; with held, in the current directory
	held    *held         // nil: no Sequence
	stolen  []dir.Ref     // scratch
	stats   Stats

	slowOpens           int // consecutive opens that blocked; see slowOpensMax
	probeIn, probeEvery int // opens until the next probe; current interval

	_ cpu.CacheLinePad // another worker may be next in memory, and both change with each directory
}

func (w *worker) run() {
	defer w.running.Unlock()
	for ref, ok := w.take(); ok; ref, ok = w.take() {
		w.list(ref)
		if w.held != nil {
			w.finish(ref)
		}
		if w.slowOpens >= slowOpensMax && len(w.pool.all()) < w.pool.limit {
			w.callHelp()
		}
	}
	w.release()
}

// release drops the last directory and writes results, before the worker waits or ends.
func (w *worker) release() {
	w.reader.Release()
	w.pause(true)
}

func (w *worker) leave(d *dir.Dir) {
	if !w.pool.stopped.Load() {
		w.Leave(d)
	}
}

func (w *worker) pause(idle bool) {
	if w.Pause(idle) == Stop {
		w.pool.stop()
	}
}

// list visits the entries of a directory, or the root itself if it is not a directory.
// When the queue is full, it suspends the listing and queues it.
func (w *worker) list(ref dir.Ref) {
	if w.pool.opt.MaxDepth == 0 {
		w.visitRoot(ref, nil)
		return
	}
	d, err := w.open(ref)
	switch {
	case err == nil:
	case dir.Temporary(err):
		w.pool.postpone(ref, err)
		return
	case ref.Depth() == 0:
		w.visitRoot(ref, err)
		return
	case !dir.Vanished(err): // a directory may be removed after its parent was listed
		w.pool.report(err)
		return
	default:
		return
	}
	if w.Begin != nil {
		w.Begin(d)
	}
	rules, noticed := w.rules(d), ref.Suspended()
	for !w.pool.stopped.Load() {
		batch, err := w.reader.Next()
		if err == nil && rules != nil && !noticed {
			noticed = true
			batch, rules, err = w.enterRules(d, rules)
		} else if err == nil && w.pool.opt.Whole {
			batch, _ = w.reader.Whole()
		}
		if err != nil {
			w.pool.opt.Progress.listed(w.reader)
			w.stats.Dirs++
			if d.Recalled() {
				w.stats.Recalled++
				w.stats.Entries += int64(w.reader.LeftOut())
			}
			if err == io.EOF {
				err = nil
			} else {
				w.pool.report(err)
			}
			w.end(d, err)
			return
		}
		w.visitAll(d, rules, batch)
		if len(w.found) > 0 && w.queue.full() && w.reader.CanSuspend() {
			w.pause(false)         // while the entries are valid
			w.end(d, ErrSuspended) // before another worker can continue it
			w.found = append(w.found, w.found[0])
			w.found[0] = w.reader.Suspend() // older than its children, so they are listed first
			w.pushFound()
			return
		}
		w.pushFound()
		w.pause(false)
	}
	w.end(d, ErrSuspended)
}

func (w *worker) end(d *dir.Dir, err error) {
	if w.End != nil {
		w.End(d, err)
	}
}

// open opens a directory, and probes from time to time whether that blocks: at each open
// while it does, else at longer and longer intervals.
func (w *worker) open(ref dir.Ref) (*dir.Dir, error) {
	const maxInterval = 64
	p := w.pool
	if w.probeIn--; w.probeIn > 0 || p.opt.Waits == nil || len(p.all()) >= p.limit {
		return w.reader.Open(ref)
	}
	before := p.opt.Waits()
	d, err := w.reader.Open(ref)
	if p.opt.Waits() > before {
		w.slowOpens++
		w.probeEvery = 1
	} else {
		w.slowOpens = 0
		w.probeEvery = min(2*w.probeEvery+1, maxInterval)
	}
	w.probeIn = w.probeEvery
	return d, err
}

// visitRoot visits a root that is not a directory: a file or a broken link. If the root is
// a directory or does not exist, it reports err, the error of opening it; nil if it was not
// opened because of MaxDepth.
func (w *worker) visitRoot(ref dir.Ref, err error) {
	e, rootErr := w.reader.Root(ref)
	if rootErr != nil {
		w.pool.report(&RootError{cmp.Or(err, rootErr)})
		return
	}
	target := *e
	if err := target.Follow(); err != nil {
		w.pool.report(err)
	}
	if w.pool.opt.Follow {
		e = &target
	}
	if target.Type == fs.ModeDir {
		if err != nil {
			w.pool.report(&RootError{err})
		}
		return
	}
	w.stats.Entries++
	if w.Visit(e) == Stop {
		w.pool.stop()
	}
	w.pause(false)
}

// rules returns the rules known before d is listed: those of its parent or, if d was
// suspended, its own.
func (w *worker) rules(d *dir.Dir) *ignore.Rules {
	switch {
	case w.pool.opt.Ignore == nil:
		return nil
	case d.Context == nil:
		d.Context = w.pool.opt.Ignore.Root(w.pool.roots[d.Root()].Path)
	}
	return d.Context.(*ignore.Rules)
}

// enterRules reads the rules in d after the first batch of Next, and returns the batch to
// continue with. Any entry may be a rule file, so all names are looked at before the first
// entry is decided. If there are too many to keep, the directory is listed twice.
func (w *worker) enterRules(d *dir.Dir, above *ignore.Rules) ([]dir.Entry, *ignore.Rules, error) {
	batch, whole := w.reader.Whole()
	names := w.notice(batch)
	if !whole {
		w.reader.Preview(func(batch []dir.Entry) { names |= w.notice(batch) })
	}
	rules := above.Enter(d, names)
	d.Context = rules
	var err error
	if !whole {
		batch, err = w.reader.Next()
	}
	return batch, rules, err
}

func (w *worker) notice(batch []dir.Entry) (names ignore.Names) {
	for i := range batch {
		if name := batch[i].Name; name[0] == '.' {
			names |= w.pool.opt.Ignore.Notice(name)
		}
	}
	return names
}

// visitAll visits a batch of d's entries, and adds the directories to enter to w.found.
func (w *worker) visitAll(d *dir.Dir, rules *ignore.Rules, batch []dir.Entry) {
	opt := &w.pool.opt
	if rules != nil && rules.Empty() {
		rules = nil
	}
	enter := opt.MaxDepth < 0 || d.Depth+1 < opt.MaxDepth
	w.stats.Entries += int64(len(batch))
	opt.Progress.seen(len(batch))
	for i := range batch {
		e := &batch[i]
		hidden := !opt.Hidden && e.Hidden()
		if hidden && (rules == nil || !rules.MayKeep()) {
			w.stats.Hidden++
			continue
		}
		if opt.Follow {
			if err := e.Follow(); err != nil {
				w.pool.report(err)
			}
		}
		if rules != nil && !w.admits(rules, e, hidden) {
			continue
		}
		if e.Type == fs.ModeDir && w.loops(e) {
			continue
		}
		switch w.Visit(e) {
		case Stop:
			w.pool.stop()
			return
		case Continue:
			if enter && e.Type == fs.ModeDir {
				w.enter(e)
			}
		}
	}
}

// admits reports whether e is visited according to the rules, and counts it if not.
func (w *worker) admits(rules *ignore.Rules, e *dir.Entry, hidden bool) bool {
	decision := w.decider.Decide(rules, e)
	if e.Type == fs.ModeDir && decision != ignore.Ignore {
		// If e cannot be read, entering it will report the error.
		switch contains, err := w.pool.opt.Ignore.Contains(e); {
		case contains:
			decision = ignore.Ignore
		case err != nil && dir.Temporary(err):
			w.pool.report(err)
		}
	}
	switch Admit(e.Name, decision, hidden) {
	case Ignored:
		w.stats.Ignored++
		return false
	case Hidden:
		w.stats.Hidden++
		return false
	}
	return true
}

// enter adds a directory to w.found, if it may be entered.
func (w *worker) enter(e *dir.Entry) {
	p := w.pool
	switch {
	case e.Automount(), p.opt.Except != nil && p.opt.Except(e):
		return
	case e.Remote() && !p.opt.Remote:
		p.report(&fs.PathError{Op: "open", Path: e.Path(), Err: dir.ErrRemote})
		return
	}
	var id dir.ID
	if p.opt.Follow || p.opt.OneFileSystem {
		var err error
		if id, err = identify(e); err != nil {
			if !dir.Vanished(err) {
				p.report(err)
			}
			return
		}
		root := p.devices[e.Dir.Root()]
		if p.opt.OneFileSystem && root != 0 && id.Device != root {
			return
		}
		if p.loops != nil && !w.mayFollow(e, id) {
			return
		}
	}
	ref := w.ref(e)
	if p.loops != nil && p.opt.FollowAll {
		p.loops.record(id, e.Dir, &ref.Tag, w.held != nil)
	}
	w.found = append(w.found, ref)
}

// mayFollow reports whether a directory may be entered now, where links are followed.
func (w *worker) mayFollow(e *dir.Entry, id dir.ID) bool {
	p := w.pool
	switch {
	case e.Followed() && id.Inode == 0 && e.Dir.BelowLink():
		p.report(&fs.PathError{Op: "open", Path: e.Path(), Err: errNoIdentity})
		return false
	case p.opt.FollowAll:
		return true
	case e.Followed() && !p.loops.known(id):
		p.loops.putOff(w.ref(e), id)
		return false
	case !e.Followed() && p.loops.claim(id, e.Dir.Root()):
		return true
	}
	w.stats.Passed++
	return false
}
