package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

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
	show bool // every error; otherwise the serious ones, and those of rule files

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
	if serious || rules || r.show {
		r.reported++
		report(err)
	}
}

// isExpected reports whether err is of a kind that a search meets every day: permission is
// denied, something vanished meanwhile, content is in the cloud. Whatever else goes wrong
// has lost results.
func isExpected(err error) bool {
	return errors.Is(err, fs.ErrPermission) || dir.Vanished(err) || errors.Is(err, dir.ErrRemote) || errors.Is(err, walk.ErrLoop)
}

// sumUp reports on a terminal how many errors have not been reported.
func (r *reporter) sumUp() {
	n := r.n - r.reported
	if n == 0 || !term.IsTerminal(os.Stderr) {
		return
	}
	report(fmt.Errorf("%s, permission denied for most; --show-errors lists them", counted(int64(n), "error", "errors")))
}

// hint says on a terminal why nothing may have been found.
func hint(pattern string, s walk.Stats) {
	if !term.IsTerminal(os.Stderr) {
		return
	}
	if info, err := os.Stat(pattern); err == nil && info.IsDir() && pattern != "." {
		report(fmt.Errorf("nothing found; to search in the directory '%s', give it after a pattern: %[2]s . %[1]s", pattern, self.name))
	}
	if s.Hidden+s.Ignored == 0 {
		return
	}
	var left []string
	if s.Hidden > 0 {
		left = append(left, grouped(s.Hidden)+" hidden")
	}
	if s.Ignored > 0 {
		left = append(left, grouped(s.Ignored)+" ignored")
	}
	report(fmt.Errorf("nothing found, but %s left out; -u looks there too, --why PATH says why", strings.Join(left, " and ")))
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
	row("seconds", fmt.Sprintf("%.3f", r.Took.Seconds()))
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

// showWaiting shows which directory a search waits for; nil: none.
func showWaiting(status *term.StatusArea, path []byte, since time.Duration) {
	if path == nil {
		status.Clear()
		return
	}
	status.Show(func(int) string { return waitingText(path, since) })
}

func waitingText(path []byte, since time.Duration) string {
	return fmt.Sprintf("waiting for %s, %d s", term.AppendEscaped(nil, path), int(since.Seconds()))
}
