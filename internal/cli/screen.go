package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"ldx/internal/command"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/term"
)

// progressFlag says whether a search shows how far it has come.
type progressFlag struct{ progress command.OneOf[when] }

func (f *progressFlag) addTo(set *command.Flags) {
	set.Section(sectionOutput)
	f.progress.Words = []command.Word[when]{{Name: "auto", Value: auto}, {Name: "never", Value: never}}
	set.Add(&f.progress, "progress", "",
		"show how far a search has come while it prints nothing; `WHEN`: auto (on a terminal, after a second), never")
}

// A screen is the terminal of a search. It shows how far the search has come, and leaves no
// colours behind if a signal ends the search.
type screen struct {
	status   *term.StatusArea
	progress *search.Progress // nil: it is not shown
	waits    bool             // a directory that does not answer is shown
	started  time.Time
	waiting  atomic.Pointer[string] // what is shown of it; nil: nothing
	endLines func()                 // ends the showing
	release  func()                 // gives signals back
}

// screen returns the terminal that the flags ask for. It must be closed.
func (f *findFlags) screen() *screen {
	s := &screen{status: &term.StatusArea{}, started: time.Now(), endLines: func() {}, release: func() {}}
	if f.run.given() || f.deletion.given() || f.opening.open || f.pathList.given() { // commands, questions and a list have the terminal
		return s
	}
	terminal := term.IsTerminal(os.Stdout)
	if f.progress.progress.Value != never {
		s.status = term.NewStatusArea(os.Stderr)
		s.waits = s.status.Draws()
	}
	if !terminal {
		return s
	}
	reset := f.output.reset()
	s.release = process.BeforeSignals(func() func() { return s.status.Suspend(os.Stdout, reset) })
	if s.waits {
		s.progress = &search.Progress{}
		s.endLines = s.status.WhileQuiet(s.line)
	}
	return s
}

// close ends all that.
func (s *screen) close() {
	s.endLines()
	s.release()
}

// wait shows which directory the search waits for; nil: none.
func (s *screen) wait(path []byte, since time.Duration) {
	if path == nil {
		s.waiting.Store(nil)
		s.status.Clear()
		return
	}
	text := waitingText(path, since)
	s.waiting.Store(&text)
	s.status.Show(func(int) string { return text })
}

// line returns how far the search has come.
func (s *screen) line(width int) string {
	if text := s.waiting.Load(); text != nil {
		return *text
	}
	p := s.progress
	entries := p.Entries.Load()
	rate := int64(float64(entries) / time.Since(s.started).Seconds())
	text := fmt.Sprintf("%s, %s, %s found, %s/s", counted(p.Dirs.Load(), "directory", "directories"),
		counted(entries, "entry", "entries"), grouped(p.Matches.Load()), grouped(rate))
	const least = 12 // columns that say where it is
	if place := string(p.Place()); place != "" && width-len(text) > least {
		text += ": " + term.Escape(term.Tail(place, width-len(text)-len(": ...")-1))
	}
	return text
}

// cleanly calls write with the standard output. If that is a terminal and has colours, a signal that
// ends the process leaves none behind.
func cleanly(colours bool, write func(io.Writer) error) error {
	if !colours || !term.IsTerminal(os.Stdout) {
		return write(os.Stdout)
	}
	area := &term.StatusArea{}
	defer process.BeforeSignals(func() func() { return area.Suspend(os.Stdout, term.ResetLooks) })()
	return write(area.Writer(os.Stdout))
}

func waitingText(path []byte, since time.Duration) string {
	return fmt.Sprintf("waiting for %s, %d s", term.AppendEscaped(nil, path), int(since.Seconds()))
}
