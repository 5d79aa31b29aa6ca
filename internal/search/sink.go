package search

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"ldx/internal/dir"
	"ldx/internal/printer"
	"ldx/internal/spawn"
)

// A Sink is where results go.
type Sink interface {
	Needs() dir.Fields // what results are asked for, all at once
	// Worker returns the part of one worker. It is called for each worker before it starts.
	Worker() Worker
	// Close is called when all Workers are done. ok is false if a command that was run on a
	// result has failed, which has been reported; err is the first error of writing.
	Close() (ok bool, err error)
}

// A Worker is the part of a Sink that one worker of the walk uses. An error of any of its
// methods ends the search; Close of the Sink returns it.
type Worker interface {
	Add(e *dir.Entry) error // the entry is valid until Add returns
	Pause() error           // what is held back may be due; see walk.Visitor
	Flush() error           // what is held back is due
}

// A holder is a Sink that must see all results before it uses the first of them.
type holder interface{ keep(maxResults int) }

// Print returns the Sink that prints results as they are found. It closes p.
func Print(p *printer.Printer) Sink { return printSink{p} }

type printSink struct{ *printer.Printer }

func (s printSink) Worker() Worker       { return printWorker{s.NewBuffer()} }
func (s printSink) Close() (bool, error) { return true, s.Printer.Close() }

type printWorker struct{ *printer.Buffer }

func (w printWorker) Add(e *dir.Entry) error { return w.Print(e) }

// List returns the Sink that prints results with their metadata, in columns. It closes l.
// report gets the errors of results whose metadata cannot be read.
func List(l *printer.Listing, report func(error)) Sink { return listSink{l, report} }

type listSink struct {
	*printer.Listing
	report func(error)
}

func (s listSink) Worker() Worker       { return listWorker{s.NewBuffer(), s.report} }
func (s listSink) Close() (bool, error) { return true, s.Listing.Close() }

type listWorker struct {
	*printer.ListingBuffer
	report func(error)
}

func (w listWorker) Add(e *dir.Entry) error {
	if err := w.ListingBuffer.Add(e); err != nil {
		w.report(err)
	}
	return nil
}

func (listWorker) Pause() error { return nil }
func (listWorker) Flush() error { return nil }

// An Output uses results one by one, in the form that Append gives them. Append is safe for
// concurrent use.
type Output interface {
	Needs() dir.Fields
	Append(b []byte, e *dir.Entry) []byte // appends what Use gets
	Use(result []byte) error              // the result is valid until Use returns
	Close() (ok bool, err error)          // as of a Sink
}

// Lines returns the Output that writes p's lines to w. It closes p.
func Lines(p *printer.Printer, w io.Writer) Output {
	return &lines{p, bufio.NewWriterSize(w, 32<<10)}
}

type lines struct {
	printer *printer.Printer
	w       *bufio.Writer
}

func (l *lines) Needs() dir.Fields                    { return l.printer.Needs() }
func (l *lines) Append(b []byte, e *dir.Entry) []byte { return l.printer.AppendLine(b, e) }
func (l *lines) Close() (bool, error)                 { return true, cmp.Or(l.printer.Close(), l.w.Flush()) }

func (l *lines) Use(line []byte) error {
	_, err := l.w.Write(line)
	return err
}

// Exec returns the Output that runs commands on each result. Its Use is safe for concurrent
// use. It closes r.
func Exec(r *spawn.Runner) Output { return exec{r} }

type exec struct{ *spawn.Runner }

func (exec) Needs() dir.Fields                    { return 0 }
func (exec) Append(b []byte, e *dir.Entry) []byte { return appendArgument(b, e) }
func (x exec) Use(path []byte) error              { return x.Run(bytes.Clone(path)) }

// ExecBatch returns the Output that runs commands on many results at a time. Its Use is safe
// for concurrent use. It closes b.
func ExecBatch(b *spawn.Batch) Output { return execBatch{b} }

type execBatch struct{ *spawn.Batch }

func (execBatch) Needs() dir.Fields                    { return 0 }
func (execBatch) Append(b []byte, e *dir.Entry) []byte { return appendArgument(b, e) }
func (x execBatch) Use(path []byte) error              { return x.Add(path) }
func (x execBatch) Close() (bool, error)               { return x.Batch.Close(), nil }

// appendArgument appends the path as a command gets it, which must not take it for a flag.
func appendArgument(b []byte, e *dir.Entry) []byte {
	from := len(b)
	b = e.AppendPath(b)
	if b[from] == '-' {
		b = slices.Insert(b, from, '.', '/')
	}
	return b
}

// AsFound returns the Sink that gives results to o as they are found. o's Use must be safe for
// concurrent use.
func AsFound(o Output) Sink { return asFound{o} }

type asFound struct{ Output }

func (s asFound) Worker() Worker { return &asFoundWorker{Output: s.Output} }

type asFoundWorker struct {
	Output
	result []byte
}

func (w *asFoundWorker) Add(e *dir.Entry) error {
	w.result = w.Append(w.result[:0], e)
	return w.Use(w.result)
}

func (*asFoundWorker) Pause() error { return nil }
func (*asFoundWorker) Flush() error { return nil }

// Sorted returns the Sink that gives results to o when all are found, in order. Of these it
// gives the first MaxResults.
func Sorted(o Output, order printer.Order) Sink {
	return &sorted{Output: o, order: order, sorter: printer.NewSorter(order)}
}

type sorted struct {
	Output
	order  printer.Order
	sorter *printer.Sorter
	first  int // how many o gets; 0: all
}

func (s *sorted) keep(maxResults int) { s.first = maxResults }
func (s *sorted) Needs() dir.Fields   { return s.Output.Needs() | s.order.Needs() }
func (s *sorted) Worker() Worker      { return sortWorker{s.sorter.NewBuffer(s.Append)} }

func (s *sorted) Close() (bool, error) {
	err := s.sorter.Each(s.first, s.Use)
	if errors.Is(err, spawn.ErrStopped) {
		err = nil // Close of the Output says why
	}
	ok, closeErr := s.Output.Close()
	return ok, cmp.Or(closeErr, err)
}

type sortWorker struct{ *printer.SortBuffer }

func (w sortWorker) Add(e *dir.Entry) error {
	w.SortBuffer.Add(e)
	return nil
}

func (sortWorker) Pause() error { return nil }
func (sortWorker) Flush() error { return nil }
