// Package printer writes results from many workers: as whole lines, as soon as they are
// found, or sorted when all are found.
package printer

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/cpu"

	"ldx/internal/dir"
)

// Options says when results are written.
type Options struct {
	// Eager writes each result at once, for someone who is looking on. Otherwise it is
	// written within patience, unless its worker waits for a system call.
	Eager bool
	// Hold is how long results are held back. If the search ends by then, and they are
	// not too many, they are sorted by path. 0: not at all.
	Hold time.Duration
}

const (
	writeAt  = 32 << 10 // bytes of text that are written at once
	patience = 20 * time.Millisecond
	maxHeld  = 1000 // results, as in fd
)

// A Printer writes results. It is safe for concurrent use; each worker has a Buffer.
type Printer struct {
	opt      Options
	renderer Renderer
	started  time.Time

	streams atomic.Bool // results are no longer held back

	mu   sync.Mutex
	w    io.Writer
	head []byte      // comes before all results; nil: it is written, or there is none
	err  error       // the first error of w; nothing is written after it
	held tree        // what is held back
	due  *time.Timer // ends that; nil until something is held
}

// New returns a Printer that renders results with r and writes them to w. It must be closed
// after all Buffers have been flushed.
func New(w io.Writer, r Renderer, opt Options) *Printer {
	p := &Printer{w: w, renderer: r, opt: opt, started: time.Now()}
	if r, ok := r.(interface{ Head() []byte }); ok {
		p.head = r.Head()
	}
	p.streams.Store(opt.Hold == 0)
	return p
}

// Needs returns what the Info of each result is asked for.
func (p *Printer) Needs() dir.Fields {
	return p.renderer.Needs()
}

// MayNeed returns the fields that the Info of some results is asked for.
func (p *Printer) MayNeed() dir.Fields {
	if r, ok := p.renderer.(interface{ MayNeed() dir.Fields }); ok {
		return r.MayNeed()
	}
	return 0
}

// Renderer returns what renders the results.
func (p *Printer) Renderer() Renderer { return p.renderer }

// Close writes what is still held, sorted. It returns the first error of the writer.
func (p *Printer) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream()
	p.write(nil)
	return p.err
}

// stream writes what is held back, sorted, and ends the holding back.
func (p *Printer) stream() {
	if p.due != nil {
		p.due.Stop()
	}
	if p.streams.Swap(true) {
		return
	}
	var lines []byte
	var whole restored
	for _, it := range inOrder([]*tree{&p.held}) {
		lines = append(lines, whole.of(it)...)
	}
	p.held = tree{}
	p.write(lines)
}

// write writes lines, the first time after the head.
func (p *Printer) write(lines []byte) {
	if p.head != nil {
		lines, p.head = append(p.head, lines...), nil
	}
	if p.err == nil && len(lines) > 0 {
		_, p.err = p.w.Write(lines)
	}
}

// A Buffer holds one worker's results until they are written. It is not safe
// for concurrent use.
type Buffer struct {
	printer *Printer
	buf     []byte
	done    int       // bytes of buf that are written: Flush may be called while Add asks the system
	written time.Time // when it was written last
	held    []result  // instead of buf

	_ cpu.CacheLinePad // buf changes with each result, and another worker's may be next in memory
}

// A result that is held back is its path and its line.
type result struct{ path, line []byte }

// NewBuffer returns an empty Buffer. It must be flushed when its worker is done.
func (p *Printer) NewBuffer() *Buffer { return &Buffer{printer: p} }

// Add adds a result. The error is that of the writer, if the Buffer was full and written.
func (b *Buffer) Add(e *dir.Entry) error {
	p := b.printer
	switch {
	case !p.streams.Load():
		r := result{path: e.AppendPath(nil), line: p.renderer.Append(nil, e)}
		if b.held = append(b.held, r); len(b.held) <= maxHeld {
			return nil
		}
	default:
		if b.done == len(b.buf) {
			b.buf, b.done = b.buf[:0], 0
		}
		if b.buf = p.renderer.Append(b.buf, e); len(b.buf) < writeAt {
			return nil
		}
	}
	return b.Flush()
}

// AddText adds a result that was rendered before. It is not held back.
func (b *Buffer) AddText(text []byte) error {
	if b.done == len(b.buf) {
		b.buf, b.done = b.buf[:0], 0
	}
	if b.buf = append(b.buf, text...); len(b.buf) < writeAt {
		return nil
	}
	return b.Flush()
}

// Pause writes the results that are due. A worker calls it before anything that may take long.
func (b *Buffer) Pause() error {
	if len(b.held) == 0 && (b.done == len(b.buf) || !b.printer.opt.Eager && time.Since(b.written) < patience) {
		return nil
	}
	return b.Flush()
}

// Flush writes what the Buffer holds, or gives it to the Printer to hold back.
func (b *Buffer) Flush() error {
	p := b.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(b.held) > 0 {
		p.holdBack(b.held)
		clear(b.held)
		b.held = b.held[:0]
	}
	p.write(b.buf[b.done:])
	b.done = len(b.buf)
	b.written = time.Now()
	return p.err
}

// holdBack holds results back. It writes them if the time is over or they are too many.
func (p *Printer) holdBack(results []result) {
	late := p.streams.Load()
	for _, r := range results {
		if late {
			p.write(r.line)
		} else {
			p.held.add(r.path, r.line)
		}
	}
	switch {
	case late:
	case p.held.n > maxHeld:
		p.stream()
	case p.due == nil:
		p.due = time.AfterFunc(p.opt.Hold-time.Since(p.started), func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.stream()
		})
	}
}
