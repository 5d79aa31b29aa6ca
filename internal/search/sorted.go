package search

import (
	"cmp"
	"errors"
	"os"
	"runtime/debug"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/printer"
	"ldx/internal/spawn"
	"ldx/internal/walk"
)

// Sorted returns the Sink that gives results to o in order: by path each as soon as it is next,
// otherwise when all are found. Of these it gives the first MaxResults.
func Sorted(o Output, order printer.Order) Sink {
	return &sorted{Output: o, renderer: o, order: order}
}

// PrintSorted returns the Sink that prints results in order, as Sorted does. With asFound it prints
// the MaxResults that were found first. It closes p.
func PrintSorted(p *printer.Printer, order printer.Order, asFound bool) Sink {
	return &sorted{Output: &lines{Printer: p, buffer: p.NewBuffer()}, renderer: p.Renderer(), order: order, asFound: asFound}
}

// A sorter is a Sink that gives its results in an order.
type sorter interface {
	// sort is called before the search, with MaxResults. It returns the Sequence to walk in, or
	// nil, and after how many results, in any order, to stop.
	sort(maxResults int64) (s *walk.Sequence, limit int64)
}

// A sorted uses results in one of three ways: in a Sequence each when it is next, or all when they
// are held, or only the first when all were seen.
type sorted struct {
	Output
	renderer printer.Renderer
	order    printer.Order
	asFound  bool

	left   int64 // by path, the number of results to use; 0: all
	err    error // of Use, in a Sequence
	first  *printer.First
	holder *printer.Holder
	max    int // results to use of those held; 0: all
}

// gcPercent is GOGC, unless the user has set it, while results are used when they are next. Few are in memory then, and to collect
// garbage as often as usual takes a twelfth of the processor time.
const gcPercent = 400

func (s *sorted) sort(maxResults int64) (*walk.Sequence, int64) {
	const maxFirst = 100_000 // with more, a Holder takes less memory
	if maxResults > 0 && (s.asFound || !s.order.ByPath() && !s.order.HasOwners() && maxResults <= maxFirst) {
		s.first = printer.NewFirst(s.renderer, s.order, int(maxResults))
		if s.asFound {
			return nil, maxResults
		}
		return nil, 0
	}
	sequence := &walk.Sequence{Compare: s.order.CompareNames(), Use: s.useNext}
	if !s.order.ByPath() {
		s.max, s.holder = int(maxResults), printer.NewHolder(s.renderer, s.order)
		return sequence, 0
	}
	s.left, sequence.Reversed = maxResults, s.order.Reversed()
	if printer.Arranges(s.renderer) {
		s.holder = printer.NewHolder(s.renderer, printer.Order{})
	} else if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return sequence, 0
}

// useNext uses or holds a result of a Sequence.
func (s *sorted) useNext(r *walk.Result) walk.Action {
	if s.holder != nil {
		s.holder.Add(r.Text, r.At, r.Prefix)
	} else if s.err = s.Use(r.Whole()); s.err != nil {
		return walk.Stop
	}
	if s.left--; s.left == 0 {
		return walk.Stop
	}
	return walk.Continue
}

func (s *sorted) Needs() dir.Fields { return s.Output.Needs() | s.order.Needs() }

// MayNeed returns what only some results are asked for.
func (s *sorted) MayNeed() dir.Fields { return mayNeed(s.renderer) }

func (s *sorted) Worker() Worker {
	switch {
	case s.first != nil:
		return firstWorker{s.first.NewBuffer()}
	case s.holder != nil:
		return &sequenceWorker{render: s.holder.Keyed().Append}
	}
	w := &sequenceWorker{render: func(b []byte, e *dir.Entry) ([]byte, int) { return s.renderer.Append(b, e), 0 }}
	w.pauser, _ = s.Output.(pauser)
	return w
}

func (s *sorted) Close() (bool, error) {
	err := s.err
	switch {
	case s.first != nil:
		err = s.first.Each(s.Use)
	case s.holder != nil:
		err = s.holder.Each(s.max, s.Use)
	}
	if errors.Is(err, spawn.ErrStopped) {
		err = nil // Close of the Output says why
	}
	ok, closeErr := s.Output.Close()
	return ok, cmp.Or(closeErr, err)
}

// A firstWorker gives all results to a First.
type firstWorker struct{ *printer.FirstBuffer }

func (w firstWorker) Add(e *dir.Entry) error {
	w.FirstBuffer.Add(e)
	return nil
}

func (firstWorker) Pause() error { return nil }
func (firstWorker) Flush() error { return nil }

// A sequenceWorker makes the results of a Sequence.
type sequenceWorker struct {
	render func(b []byte, e *dir.Entry) (result []byte, from int)
	result []byte
	from   int
	made   bool
	pauser pauser // nil: the Output holds nothing back
}

// A pauser is an Output that holds results back.
type pauser interface {
	Pause() error
	Flush() error
}

func (w *sequenceWorker) Add(e *dir.Entry) error {
	w.result, w.from = w.render(w.result[:0], e)
	w.made = true
	return nil
}

// Result is that of a walk.Visitor.
func (w *sequenceWorker) Result() (result []byte, from int) {
	if !w.made {
		return nil, 0
	}
	w.made = false
	return w.result, w.from
}

func (w *sequenceWorker) Pause() error {
	if w.pauser == nil {
		return nil
	}
	return w.pauser.Pause()
}

func (w *sequenceWorker) Flush() error {
	if w.pauser == nil {
		return nil
	}
	return w.pauser.Flush()
}

// lines is the Output that prints results.
type lines struct {
	*printer.Printer
	mu     sync.Mutex
	buffer *printer.Buffer
}

func (l *lines) Append(b []byte, e *dir.Entry) []byte { return l.Renderer().Append(b, e) }

func (l *lines) Use(result []byte) error {
	l.mu.Lock()
	err := l.buffer.AddText(result)
	l.mu.Unlock()
	return err
}

func (l *lines) Pause() error { return l.unlessUsed((*printer.Buffer).Pause) }
func (l *lines) Flush() error { return l.unlessUsed((*printer.Buffer).Flush) }

// unlessUsed calls f, unless another worker uses results. That one will pause in its turn.
func (l *lines) unlessUsed(f func(*printer.Buffer) error) error {
	if !l.mu.TryLock() {
		return nil
	}
	defer l.mu.Unlock()
	return f(l.buffer)
}

func (l *lines) Close() (bool, error) {
	err := l.buffer.Flush()
	return true, cmp.Or(l.Printer.Close(), err)
}
