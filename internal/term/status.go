package term

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A StatusArea redraws lines at the bottom of a terminal. Whatever else is written to that
// terminal must go through Do or Writer, and takes the place of the lines. It is safe for
// concurrent use. The zero StatusArea draws nothing.
type StatusArea struct {
	mu    sync.Mutex
	to    *os.File // nil: not a terminal
	lines int      // that are drawn
	drawn time.Time

	written time.Time // when Do was called last
}

// NewStatusArea returns the area of f, which draws nothing if f is not a terminal.
func NewStatusArea(f *os.File) *StatusArea {
	if !IsTerminal(f) || !EnableEscapes(f) {
		return &StatusArea{}
	}
	return &StatusArea{to: f}
}

// Draws reports whether there is a terminal to draw on.
func (a *StatusArea) Draws() bool { return a.to != nil }

const redrawEvery = 100 * time.Millisecond

// Show replaces the lines, unless they are younger than 100 ms. Long lines are cut, and of
// more lines than the terminal has the last are shown. text gets the terminal's columns; it
// is not called if nothing is going to be drawn.
func (a *StatusArea) Show(text func(width int) string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.to == nil || time.Since(a.drawn) < redrawEvery {
		return
	}
	height, width := Size(a.to)
	lines := strings.Split(strings.TrimSuffix(text(width), "\n"), "\n")
	if len(lines) > height-1 {
		lines = lines[len(lines)-max(1, height-1):]
	}
	for i, line := range lines {
		lines[i] = cut(line, width-1)
	}
	a.clear()
	_, _ = fmt.Fprintln(a.to, strings.Join(lines, "\n"))
	a.lines, a.drawn = len(lines), time.Now()
}

// cut returns as much of a line's beginning as fits into columns.
func cut(line string, columns int) string {
	for i, r := range line {
		if columns -= runeWidth(r); columns < 0 {
			return line[:i]
		}
	}
	return line
}

// Clear removes the lines.
func (a *StatusArea) Clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clear()
}

func (a *StatusArea) clear() {
	if a.lines > 0 {
		_, _ = fmt.Fprintf(a.to, "\r\x1b[%dA\x1b[J", a.lines) // \r: the terminal may have echoed a ^C
		a.lines = 0
	}
}

// Do removes the lines and calls write, which may write to the terminal.
func (a *StatusArea) Do(write func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clear()
	write()
	a.written = time.Now()
}

// Refresh shows text again and again, beginning after half a second, until stop is called.
// An interrupt removes the lines and is given to interrupted.
func (a *StatusArea) Refresh(text func(width int) string, interrupted func(os.Signal)) (stop func()) {
	const patience = 500 * time.Millisecond
	if a.to == nil {
		return func() {}
	}
	stopping, interrupts := make(chan struct{}), make(chan os.Signal, 1)
	var running sync.WaitGroup
	running.Go(func() {
		signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(interrupts)
		next := time.NewTicker(redrawEvery)
		defer next.Stop()
		for started := time.Now(); ; {
			select {
			case <-stopping:
				return
			case s := <-interrupts:
				a.Clear()
				interrupted(s)
			case <-next.C:
				if time.Since(started) > patience {
					a.Show(text)
				}
			}
		}
	})
	return func() {
		close(stopping)
		running.Wait()
		a.Clear()
	}
}
