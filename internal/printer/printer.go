// Package printer writes results to the standard output: whole lines, from many
// workers, soon; a few results, that are all found at once, in order.
package printer

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
)

// Options says how results are written.
type Options struct {
	Null bool // a NUL ends a result, not a newline
	// Eager shows each result at once: someone is looking on. Otherwise a
	// result is shown within patience, if its worker does not wait for a
	// system call.
	Eager bool
	// Hold is how long results are held back, so that those of a search that
	// has ended by then, and are not too many, are sorted. 0: not at all.
	Hold  time.Duration
	Style Style
}

const (
	chunk    = 32 << 10 // a Buffer is written when it is this full
	patience = 20 * time.Millisecond
	mostHeld = 1000 // results, as in fd
)

// A Printer is where results go. It is safe for concurrent use; each worker has
// a Buffer.
type Printer struct {
	opt     Options
	started time.Time
	end     byte
	line    *line // nil: the path as it is, with a slash after a directory's

	streams atomic.Bool // results are no longer held

	mu   sync.Mutex
	w    io.Writer
	err  error // the first of w; nothing is written after it
	held []result
	due  *time.Timer // until when; nil until something is held
}

// A result that is held is its line, and what it is sorted by.
type result struct{ path, line []byte }

// New returns a Printer that writes to w. It must be closed, after all Buffers
// have been flushed.
func New(w io.Writer, opt Options) *Printer {
	p := &Printer{w: w, opt: opt, end: '\n', line: newLine(opt.Style)}
	if opt.Null {
		p.end = 0
	}
	p.streams.Store(opt.Hold == 0)
	p.started = time.Now()
	return p
}

// Needs returns what the Info of each result will be asked for.
func (p *Printer) Needs() dir.Fields { return p.opt.Style.Needs() }

// Close writes what is still held, sorted. It returns the error that the writer
// has given, if there was one.
func (p *Printer) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.SortStableFunc(p.held, func(a, b result) int { return comparePaths(a.path, b.path) })
	p.stream()
	return p.err
}

// stream writes what is held, and from then on nothing is.
func (p *Printer) stream() {
	if p.streams.Swap(true) {
		return
	}
	if p.due != nil {
		p.due.Stop()
	}
	var lines []byte
	for _, r := range p.held {
		lines = append(lines, r.line...)
	}
	p.held = nil
	p.write(lines)
}

func (p *Printer) write(lines []byte) {
	if p.err == nil && len(lines) > 0 {
		_, p.err = p.w.Write(lines)
	}
}

// A Buffer holds one worker's results until they are written. It is not safe
// for concurrent use.
type Buffer struct {
	printer *Printer
	buf     []byte
	held    []result  // instead of buf
	written time.Time // when it was written last
}

// NewBuffer returns an empty Buffer. It must be flushed at the end.
func (p *Printer) NewBuffer() *Buffer { return &Buffer{printer: p} }

// Print adds a result. The error is that of the writer, if the Buffer was full.
func (b *Buffer) Print(e *dir.Entry) error {
	p := b.printer
	if !p.streams.Load() {
		line := p.AppendLine(nil, e)
		b.held = append(b.held, result{path: e.AppendPath(nil), line: line})
		if len(b.held) <= mostHeld {
			return nil
		}
		return b.Flush()
	}
	if b.buf = p.AppendLine(b.buf, e); len(b.buf) < chunk {
		return nil
	}
	return b.Flush()
}

// AppendLine appends what is written for a result to b and returns the extended slice.
func (p *Printer) AppendLine(b []byte, e *dir.Entry) []byte {
	if p.line == nil {
		from := len(b)
		b = appendPlain(b, e, true)
		if separator := p.opt.Style.Separator; separator != "" && separator != "/" {
			for i := from; i < len(b); i++ {
				if b[i] == '/' {
					b[i] = separator[0]
				}
			}
		}
	} else {
		b = p.line.append(b, e)
	}
	return append(b, p.end)
}

// Pause writes the results that are due. It is called before anything that may
// take long.
func (b *Buffer) Pause() error {
	if len(b.held) == 0 && (len(b.buf) == 0 || !b.printer.opt.Eager && time.Since(b.written) < patience) {
		return nil
	}
	return b.Flush()
}

// Flush writes what the Buffer holds, or gives it to the Printer to hold.
func (b *Buffer) Flush() error {
	p := b.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(b.held) > 0 {
		p.take(b.held)
		clear(b.held)
		b.held = b.held[:0]
	}
	p.write(b.buf)
	b.buf = b.buf[:0]
	b.written = time.Now()
	return p.err
}

// take holds results, or writes them if it is too late or they are too many.
func (p *Printer) take(results []result) {
	p.held = append(p.held, results...)
	switch {
	case p.streams.Load():
		for _, r := range p.held {
			p.write(r.line)
		}
		p.held = nil
	case len(p.held) > mostHeld:
		p.stream()
	case p.due == nil:
		p.due = time.AfterFunc(p.opt.Hold-time.Since(p.started), func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.stream()
		})
	}
}

// comparePaths orders paths by their elements: a/b comes before a-b.
func comparePaths(a, b []byte) int {
	i := commonPrefix(a, b)
	switch {
	case i == len(a) || i == len(b):
		return len(a) - len(b)
	case a[i] == '/':
		return -1
	case b[i] == '/':
		return 1
	}
	return int(a[i]) - int(b[i])
}
