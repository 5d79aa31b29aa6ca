package search

import (
	"bytes"

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

// Print returns the Sink that prints results. It closes p.
func Print(p *printer.Printer) Sink { return printSink{p} }

type printSink struct{ *printer.Printer }

func (s printSink) Worker() Worker       { return s.NewBuffer() }
func (s printSink) Close() (bool, error) { return true, s.Printer.Close() }

// An Output uses results one by one, as the Renderer makes them.
type Output interface {
	printer.Renderer
	Use(result []byte) error     // the result is valid until Use returns
	Close() (ok bool, err error) // as of a Sink
}

// Exec returns the Output that runs commands on each result, as render makes it. Its Use is safe
// for concurrent use. It closes r.
func Exec(r *spawn.Runner, render printer.Renderer) Output { return exec{render, r} }

type exec struct {
	printer.Renderer
	*spawn.Runner
}

func (x exec) Use(result []byte) error { return x.Run(bytes.Clone(result)) }

// ExecBatch is Exec for commands on many results at a time. It closes b.
func ExecBatch(b *spawn.Batch, render printer.Renderer) Output { return execBatch{render, b} }

type execBatch struct {
	printer.Renderer
	*spawn.Batch
}

func (x execBatch) Use(result []byte) error { return x.Add(result) }
func (x execBatch) Close() (bool, error)    { return x.Batch.Close(), nil }

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
