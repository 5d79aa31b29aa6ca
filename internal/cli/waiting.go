package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"ldx/internal/format"
)

// A waiting shows on a terminal which directory a search waits for, if one does not answer.
// Whatever else is written to the terminal comes in its place.
type waiting struct {
	mu     sync.Mutex // guards screen, and what is written besides
	screen *live
	errors *reporter
}

func newWaiting(errors *reporter) *waiting {
	return &waiting{screen: newLive(os.Stderr), errors: errors}
}

// show is for walk.Options.Waiting.
func (w *waiting) show(path []byte, since time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if path == nil {
		w.screen.clear()
		return
	}
	w.screen.show(func(int) string { return waitingText(path, since) })
}

func waitingText(path []byte, since time.Duration) string {
	return fmt.Sprintf("waiting for %s, %d s", format.AppendEscaped(nil, path), int(since.Seconds()))
}

// report reports an error where the text was.
func (w *waiting) report(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screen.clear()
	w.errors.report(err)
}

// stdout returns the standard output. If it may be the same terminal, what is written
// to it replaces the text.
func (w *waiting) stdout() io.Writer {
	if w.screen.to == nil || !isTerminal(os.Stdout) {
		return os.Stdout
	}
	return writerFunc(func(p []byte) (int, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.screen.clear()
		return os.Stdout.Write(p)
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
