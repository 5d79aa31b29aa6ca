package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/measure"
	"ldx/internal/search"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// A reporter counts the errors of a search and reports them. It is safe for concurrent use.
type reporter struct {
	show    bool   // every error; otherwise the serious ones, and those of rule files
	silent  bool   // none
	pattern string // of the search; a path that does not exist may be another one

	mu       sync.Mutex
	n        int
	reported int
	serious  int  // those that make the exit status 1
	givenUp  bool // a pattern, which is reported once
}

func (r *reporter) report(err error) {
	if errors.Is(err, walk.ErrLoop) && !r.show { // a loop loses nothing
		return
	}
	_, root := errors.AsType[*walk.RootError](err)
	_, line := errors.AsType[*ignore.LineError](err)
	_, file := errors.AsType[*ignore.FileError](err)
	slow, isSlow := errors.AsType[*match.SlowError](err)
	rules := line || file
	serious := root || isSlow || !rules && !isExpected(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if isSlow && slow.GivenUp {
		if r.givenUp {
			return
		}
		r.givenUp = true
	}
	r.n++
	if serious {
		r.serious++
	}
	if (serious || rules || r.show) && !r.silent {
		r.reported++
		report(secondPattern(err, r.pattern))
	}
}

// report writes an error to stderr in one line, and of a pattern two more that show the place.
func report(err error) {
	columns := 0 // any number
	if term.IsTerminal(os.Stderr) {
		_, columns = term.Size(os.Stderr)
	}
	fmt.Fprint(os.Stderr, message(err, columns))
}

// A placedError is an error at a place in a text, such as a pattern. Its method shown returns the
// text and a line that marks the place.
type placedError interface {
	error
	shown() (text, mark string)
}

// message returns the text that reports an error. Its lines have at most the given number of
// columns; 0 means that there is no limit. A command line is not broken, so that it can be copied.
func message(err error, columns int) string {
	advised, isAdvice := errors.AsType[*advice](err)
	if !isAdvice {
		text := term.Fold(self.name+": "+term.Escape(plain(err)), columns) + "\n"
		if place, ok := errors.AsType[placedError](err); ok {
			wrong, mark := place.shown()
			text += "  " + wrong + "\n  " + mark + "\n"
		}
		return text
	}
	text, line := self.name+": "+term.Escape(advised.text), term.Escape(advised.command)
	if columns == 0 || term.WidthString(text)+1+term.WidthString(line) <= columns {
		text += " " + line
	} else {
		text = term.Fold(text, columns) + "\n  " + line
	}
	if len(advised.notes) > 0 {
		text += "\n" + term.Fold("  ("+term.Escape(strings.Join(advised.notes, "; "))+")", columns)
	}
	return text + "\n"
}

// plain returns the text of an error without the name of a system call that says nothing to a
// user, such as lstat.
func plain(err error) string {
	text := err.Error()
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return text
	}
	switch failed.Op {
	case "read", "write", "remove", "trash", "follow", "match", "lock":
		return text
	}
	return strings.Replace(text, failed.Op+" "+failed.Path+": ", failed.Path+": ", 1)
}

// isExpected reports whether err is of a kind that a search meets every day: permission is
// denied, something vanished meanwhile, content is in the cloud. Whatever else goes wrong
// has lost results.
func isExpected(err error) bool {
	return errors.Is(err, fs.ErrPermission) || dir.Vanished(err) || errors.Is(err, dir.ErrRemote) || errors.Is(err, walk.ErrLoop)
}

// sumUp reports how many errors have not been reported, if results go to a terminal too: a pager
// or a finder that reads them has the screen.
func (r *reporter) sumUp() {
	n := r.n - r.reported
	if n == 0 || !term.IsTerminal(os.Stderr) || !term.IsTerminal(os.Stdout) {
		return
	}
	report(fmt.Errorf("%s, permission denied for most; --show-errors lists them", counted(int64(n), "error", "errors")))
}

// writeStats writes what a search has seen, and how fast, to stderr.
func writeStats(r search.Result, errs int) {
	row := func(name, value string) { fmt.Fprintf(os.Stderr, "%-12s %s\n", name, value) }
	row("entries", grouped(r.Entries))
	row("directories", grouped(r.Dirs))
	if r.Recalled > 0 {
		row("recalled", grouped(r.Recalled))
		row("read", grouped(r.Dirs-r.Recalled))
	}
	row("matches", grouped(r.Matches))
	row("hidden", grouped(r.Hidden))
	row("ignored", grouped(r.Ignored))
	if r.Passed > 0 {
		row("passed over", grouped(r.Passed))
	}
	row("errors", grouped(int64(errs)))
	row("time", fmt.Sprintf("%.1f ms", r.Took.Seconds()*1000))
	row("entries/s", grouped(int64(float64(r.Entries)/max(r.Took.Seconds(), 1e-6))))
	if peak := measure.OwnPeak(); peak > 0 {
		row("peak memory", fmt.Sprintf("%.1f MiB", float64(peak)/(1<<20)))
	}
	row("threads", grouped(int64(r.Workers)))
	row("system calls", grouped(r.Calls.Sum()))
	if r.Calls.List > 0 {
		row("entries/call", fmt.Sprintf("%.1f", float64(r.Entries)/float64(r.Calls.List)))
	}
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string { return string(format.Grouped.Append(nil, uint64(n))) }

// counted returns a number with its noun.
func counted(n int64, one, many string) string {
	if n == 1 {
		many = one
	}
	return grouped(n) + " " + many
}
