package checksum

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
	"ldx/internal/search"
)

// Options say what becomes of the files that a search finds.
type Options struct {
	Catalogue *catalogue.Catalogue
	Workers   int         // the number of files read at a time
	Report    func(error) // gets the errors of files; many goroutines may call it
	Out       io.Writer
	Form      Form
	Verify    *Verified // if set, all files are read and compared with the catalogue
}

// Verified says how files are compared with the catalogue, and counts them.
type Verified struct {
	Quiet, Silent bool // print only what is damaged; print nothing

	Files [catalogue.Damaged + 1]atomic.Int64 // by verdict
}

// A Sink is the Sink of a search that prints the hash of each regular file. What the catalogue
// does not know is opened by the worker that has found it, and read by others: many workers may
// read what is in one directory. Results are in no order.
type Sink struct {
	Options
	jobs    chan job
	readers sync.WaitGroup
	failed  atomic.Pointer[error] // the first error of Out
	out     sync.Mutex
}

// A job is an open file to hash.
type job struct {
	file  *os.File
	root  int
	inode uint64
	size  int64
}

// New returns a Sink for one search.
func New(opt Options) *Sink {
	s := &Sink{Options: opt}
	if opt.Workers > 1 {
		s.jobs = make(chan job, queued)
		for range opt.Workers {
			s.readers.Go(s.read)
		}
	}
	return s
}

// queued is the number of open files that wait.
const queued = 64

// Needs returns what the catalogue knows a file by.
func (*Sink) Needs() dir.Fields { return catalogue.Fields }

// Worker returns the part of one worker.
func (s *Sink) Worker() search.Worker {
	return &worker{lines: lines{sink: s}, hasher: s.Catalogue.Hasher()}
}

// Close waits for what is being read. The error is the first of Out; others have been reported.
func (s *Sink) Close() (bool, error) {
	if s.jobs != nil {
		close(s.jobs)
		s.readers.Wait()
	}
	return true, s.err()
}

func (s *Sink) err() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// read hashes what is queued.
func (s *Sink) read() {
	hasher, lines := s.Catalogue.Hasher(), lines{sink: s}
	const large = 4 << 20 // which takes milliseconds
	for j := range s.jobs {
		if j.size > large {
			_ = lines.flush()
		}
		_ = lines.hash(hasher, j) // Close returns it
		if len(s.jobs) == 0 || lines.due() {
			_ = lines.flush()
		}
	}
	_ = lines.flush()
}

// lines are results of one goroutine that have not been printed.
type lines struct {
	sink    *Sink
	text    []byte
	flushed time.Time
}

// hash hashes a file and closes it.
func (l *lines) hash(h *catalogue.Hasher, j job) error {
	defer j.file.Close()
	if err := l.sink.err(); err != nil {
		return err
	}
	if l.sink.Verify != nil {
		l.verify(h, j)
		return nil
	}
	sum, size, err := h.Sum(j.root, j.file)
	if err != nil {
		l.report(err)
	} else {
		l.text = l.sink.Form.Append(l.text, &sum, size, []byte(j.file.Name()))
	}
	return nil
}

// verify compares a file with the catalogue.
func (l *lines) verify(h *catalogue.Hasher, j job) {
	_, verdict, err := h.Verify(j.root, j.file)
	if err != nil {
		l.report(err)
		return
	}
	v := l.sink.Verify
	v.Files[verdict].Add(1)
	switch {
	case v.Silent:
	case verdict == catalogue.Damaged:
		l.text = l.sink.Form.verdict(l.text, []byte(j.file.Name()), "DAMAGED")
	case verdict == catalogue.Changed && !v.Quiet:
		l.text = l.sink.Form.verdict(l.text, []byte(j.file.Name()), "CHANGED")
	}
}

// report reports why a file was not hashed, unless nobody wants to know.
func (l *lines) report(err error) {
	if !errors.Is(err, catalogue.ErrStopped) && !errors.Is(err, dir.ErrNotRegular) {
		l.sink.Report(err)
	}
}

// due reports whether there is enough to print, or what there is has waited for long.
func (l *lines) due() bool {
	const size, wait = 32 << 10, 20 * time.Millisecond
	return len(l.text) >= size || len(l.text) > 0 && time.Since(l.flushed) > wait
}

func (l *lines) flush() error {
	if len(l.text) == 0 {
		return nil
	}
	s := l.sink
	s.out.Lock()
	_, err := s.Out.Write(l.text)
	s.out.Unlock()
	if l.text, l.flushed = l.text[:0], time.Now(); err != nil {
		s.failed.CompareAndSwap(nil, &err)
		s.Catalogue.Stop()
	}
	return err
}

// A worker prints what the catalogue knows, and queues the rest.
type worker struct {
	lines
	hasher *catalogue.Hasher
	path   []byte
	found  []job
}

// maxFound is the number of open files that are put in the order of their inodes, which is about
// that of their places on the disk.
const maxFound = 32

func (w *worker) Add(e *dir.Entry) error {
	if e.Type != 0 && e.Type != os.ModeIrregular {
		return nil
	}
	info, err := e.Info(catalogue.Fields)
	if err != nil {
		return nil // reported by the search
	}
	w.path = e.AppendPath(w.path[:0])
	if sum, ok := w.hasher.Lookup(w.path, info); ok && w.sink.Verify == nil {
		w.text = w.sink.Form.Append(w.text, &sum, info.Size, w.path)
		return nil
	}
	f, err := e.Open()
	switch {
	case errors.Is(err, dir.ErrNotRegular), dir.Vanished(err):
		return nil
	case err != nil:
		w.sink.Report(err)
		return nil
	}
	w.found = append(w.found, job{f, e.Dir.Root(), info.Inode, info.Size})
	if len(w.found) == maxFound {
		return w.queue()
	}
	return nil
}

// queue gives the files that were found to the readers.
func (w *worker) queue() error {
	slices.SortFunc(w.found, func(a, b job) int { return cmp.Compare(a.inode, b.inode) })
	for _, j := range w.found {
		if w.sink.jobs == nil {
			_ = w.hash(w.hasher, j)
		} else {
			w.sink.jobs <- j
		}
	}
	w.found = w.found[:0]
	return w.sink.err()
}

func (w *worker) Pause() error {
	if err := w.queue(); err != nil || !w.due() {
		return err
	}
	return w.flush()
}

func (w *worker) Flush() error {
	if err := w.queue(); err != nil {
		return err
	}
	return w.flush()
}
