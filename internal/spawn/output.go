package spawn

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// An output is what the commands of one result write. It is held until it is
// complete and then written in one piece. An output that exceeds the Runner's
// bound waits for the turn; once it has the turn it is written as it comes.
// While it waits, its commands block on a full pipe.
//
// A temporary file would let them go on, but a command that never stops writing
// would fill the disk instead of memory. The price of waiting is that commands
// with much output run one after another.
type output struct {
	r      *Runner
	turn   bool // the output holds Runner.turn
	number int  // of the result, if outputs are ordered

	mu             sync.Mutex // both outputs of a command are read at the same time
	stdout, stderr bytes.Buffer
}

// outputBound returns the maximum bytes held of a result's output. As many
// outputs are held as there are workers.
func outputBound(workers int) int {
	const total, minBound = 32 << 20, 64 << 10
	return max(minBound, total/workers)
}

// copy reads two pipes to their ends.
func (o *output) copy(stdout, stderr *os.File) {
	var both sync.WaitGroup
	both.Go(func() { o.copyFrom(stderr, &o.stderr, o.r.opt.Stderr) })
	o.copyFrom(stdout, &o.stdout, o.r.opt.Stdout)
	both.Wait()
}

var chunks = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// copyFrom reads a pipe to its end. If the content is not wanted any more it
// closes the pipe, which ends a command that goes on writing.
func (o *output) copyFrom(pipe *os.File, held *bytes.Buffer, to io.Writer) {
	chunk := chunks.Get().(*[32 << 10]byte)
	defer chunks.Put(chunk)
	for {
		n, err := pipe.Read(chunk[:])
		if n > 0 && !o.add(chunk[:n], held, to) {
			_ = pipe.Close()
			return
		}
		if err != nil {
			return
		}
	}
}

// add holds or writes text, and reports whether more is wanted.
func (o *output) add(text []byte, held *bytes.Buffer, to io.Writer) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stdout.Len()+o.stderr.Len()+len(text) > o.r.bound && !o.takeTurn() {
		return false
	}
	if o.turn {
		o.write(to, text)
	} else {
		held.Write(text)
	}
	return !o.r.broken.Load()
}

// takeTurn waits for the turn, writes what is held, and reports whether more
// can be written.
func (o *output) takeTurn() bool {
	if !o.turn {
		if o.r.order != nil {
			o.r.gate.whileIdle(func() { o.r.order.await(o.number) })
		}
		if !o.r.turn.TryLock() {
			o.r.gate.whileIdle(o.r.turn.Lock)
		}
		o.turn = true
		o.write(o.r.opt.Stdout, o.stdout.Bytes())
		o.write(o.r.opt.Stderr, o.stderr.Bytes())
		o.stdout, o.stderr = bytes.Buffer{}, bytes.Buffer{}
	}
	return !o.r.broken.Load()
}

// close writes what is still held; if null is set, with a NUL after the
// standard output.
func (o *output) close(null bool) {
	switch {
	case null && o.turn:
		o.write(o.r.opt.Stdout, []byte{0})
	case null:
		o.stdout.WriteByte(0)
	}
	if o.r.order == nil {
		o.finish()
		return
	}
	if !o.turn && !o.r.order.isNext(o) {
		return // the one before it finishes it
	}
	for ; o != nil; o = o.r.order.advance() {
		o.finish()
	}
}

// finish writes what is still held, and ends the turn.
func (o *output) finish() {
	if o.stdout.Len()+o.stderr.Len() > 0 {
		o.takeTurn()
	}
	if o.turn {
		o.r.turn.Unlock()
	}
}

func (o *output) write(to io.Writer, text []byte) {
	if len(text) == 0 || o.r.broken.Load() {
		return
	}
	if _, err := writer(to).Write(text); err != nil {
		o.fail(err)
	}
}

// fail stops the Runner because an output cannot be written. The caller must
// hold the turn.
func (o *output) fail(err error) {
	if !o.r.broken.Swap(true) {
		o.r.err = err
		o.r.stopped.Store(true)
	}
}
