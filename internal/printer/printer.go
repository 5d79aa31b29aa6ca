// Package printer writes results to the standard output: whole lines, from many
// workers, soon.
package printer

import (
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"ldx/internal/dir"
)

// Options says how a result looks.
type Options struct {
	Null bool // a NUL ends a result, not a newline
	// Eager shows each result at once: someone is looking on. Otherwise a
	// result is shown within patience, if its worker does not wait for a
	// system call.
	Eager bool
}

const (
	chunk    = 32 << 10 // a Buffer is written when it is this full
	patience = 20 * time.Millisecond
)

// A Printer is where results go. It is safe for concurrent use; each worker has
// a Buffer.
type Printer struct {
	opt Options
	end byte

	mu  sync.Mutex
	w   io.Writer
	err error // the first of w; nothing is written after it
}

// New returns a Printer that writes to w.
func New(w io.Writer, opt Options) *Printer {
	p := &Printer{w: w, opt: opt, end: '\n'}
	if opt.Null {
		p.end = 0
	}
	return p
}

// Err returns the error that the writer gave, if it has given one.
func (p *Printer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// A Buffer holds one worker's results until they are written. It is not safe
// for concurrent use.
type Buffer struct {
	printer *Printer
	buf     []byte
	written time.Time // when it was written last
}

// NewBuffer returns an empty Buffer. It must be flushed at the end.
func (p *Printer) NewBuffer() *Buffer { return &Buffer{printer: p} }

// Print adds a result. The error is that of the writer, if the Buffer was full.
func (b *Buffer) Print(e *dir.Entry) error {
	start := len(b.buf)
	line := e.AppendPath(b.buf)
	if line[start] == '-' {
		// It would be taken for a flag by what reads it.
		line = slices.Insert(line, start, '.', '/')
	}
	if e.Type == fs.ModeDir {
		line = append(line, '/', b.printer.end)
	} else {
		line = append(line, b.printer.end)
	}
	b.buf = line
	if len(line) < chunk {
		return nil
	}
	return b.Flush()
}

// Pause writes the results that are due. It is called before anything that may
// take long.
func (b *Buffer) Pause() error {
	if len(b.buf) == 0 || !b.printer.opt.Eager && time.Since(b.written) < patience {
		return nil
	}
	return b.Flush()
}

// Flush writes what the Buffer holds.
func (b *Buffer) Flush() error {
	p := b.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && len(b.buf) > 0 {
		_, p.err = p.w.Write(b.buf)
	}
	b.buf = b.buf[:0]
	b.written = time.Now()
	return p.err
}
