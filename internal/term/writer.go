package term

import (
	"bytes"
	"io"
	"os"
	"time"
)

// Writer returns a writer to f: f itself unless it is a terminal. What is written to a terminal
// is written in a few lines at a time, so that Suspend can come between them.
func (a *StatusArea) Writer(f *os.File) io.Writer {
	if !IsTerminal(f) {
		return f
	}
	return writerFunc(func(p []byte) (n int, err error) {
		for err == nil && n < len(p) {
			lines, m := someLines(p[n:]), 0
			a.Do(func() { m, err = f.Write(lines) })
			n += m
		}
		return n, err
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// someLines returns as many of the first lines of text as fit a terminal's buffer; all of it if
// the first line does not end in it.
func someLines(text []byte) []byte {
	const buffer = 4 << 10
	end := bytes.LastIndexByte(text[:min(buffer, len(text))], '\n')
	if end < 0 {
		end = bytes.IndexByte(text, '\n')
	}
	if end < 0 {
		return text
	}
	return text[:end+1]
}

// ResetLooks ends what text on a terminal may have begun: a control string, a hyperlink and
// colours. It works wherever the text was cut off.
const ResetLooks = "\x1b\\" + "\x1b]8;;\x1b\\" + "\x1b[0m"

// Suspend removes the lines and writes reset to f. Nothing more is written until resume is
// called. A terminal that takes no text for a second is not waited for.
func (a *StatusArea) Suspend(f io.Writer, reset string) (resume func()) {
	const patience = time.Second
	done := make(chan struct{})
	go func() {
		a.mu.Lock()
		a.clear()
		_, _ = io.WriteString(f, reset)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
	return func() {
		<-done
		a.mu.Unlock()
	}
}
