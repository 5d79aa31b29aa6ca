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
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/measure"
	"ldx/internal/walk"
)

// A reporter counts the errors of a search and tells them. It is safe for
// concurrent use.
type reporter struct {
	show bool // each one; otherwise those that are serious, and those of rule files

	mu      sync.Mutex
	n       int
	told    int
	serious int             // those that make the exit status 1
	givenUp bool            // a pattern, which is told once
	once    map[string]bool // what has been reported, if that is not to be again; nil: it may be
}

func (r *reporter) report(err error) {
	var (
		root *walk.RootError
		line *ignore.LineError
		file *ignore.FileError
		slow *match.SlowError
	)
	serious := errors.As(err, &root) || errors.As(err, &slow) ||
		!errors.As(err, &line) && !errors.As(err, &file) && !isExpected(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if slow != nil && slow.GivenUp {
		if r.givenUp {
			return
		}
		r.givenUp = true
	}
	if r.once != nil {
		if r.once[err.Error()] {
			return
		}
		r.once[err.Error()] = true
	}
	r.n++
	if serious {
		r.serious++
	}
	if serious || errors.As(err, &line) || errors.As(err, &file) || r.show {
		r.told++
		tell(err)
	}
}

// isExpected reports whether err is of a kind that a search meets every day: permission is
// denied, something vanished meanwhile, content is in the cloud. Whatever else goes wrong
// has lost results.
func isExpected(err error) bool {
	return errors.Is(err, fs.ErrPermission) || dir.Vanished(err) || errors.Is(err, dir.ErrRemote)
}

// sumUp tells how many errors were not told.
func (r *reporter) sumUp() {
	untold := r.n - r.told
	if untold == 0 || !isTerminal(os.Stderr) {
		return
	}
	noun := "errors"
	if untold == 1 {
		noun = "error"
	}
	tell(fmt.Errorf("%d %s, permission denied for most; --show-errors lists them", untold, noun))
}

// hint tells whoever looks on why nothing may have been found by the pattern.
func hint(pattern string, s walk.Stats) {
	if !isTerminal(os.Stderr) {
		return
	}
	if info, err := os.Stat(pattern); err == nil && info.IsDir() && pattern != "." {
		tell(fmt.Errorf("nothing found; to search in the directory '%s', give it after a pattern: %[2]s . %[1]s", pattern, program))
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
	tell(fmt.Errorf("nothing found, but %s left out; -u looks there too, --why PATH tells why", strings.Join(left, " and ")))
}

// writeStats tells what a search has seen.
func writeStats(s walk.Stats, matches int64, errs int, took time.Duration) {
	row := func(name, value string) { fmt.Fprintf(os.Stderr, "%-12s %s\n", name, value) }
	row("entries", grouped(s.Entries))
	row("directories", grouped(s.Dirs))
	row("matches", grouped(matches))
	row("hidden", grouped(s.Hidden))
	row("ignored", grouped(s.Ignored))
	row("errors", grouped(int64(errs)))
	row("seconds", fmt.Sprintf("%.3f", took.Seconds()))
	row("entries/s", grouped(int64(float64(s.Entries)/max(took.Seconds(), 1e-6))))
	if peak := measure.OwnPeak(); peak > 0 {
		row("peak memory", fmt.Sprintf("%.1f MiB", float64(peak)/(1<<20)))
	}
	row("threads", grouped(int64(s.Workers)))
	row("system calls", grouped(s.Calls.Sum()))
	row("entries/call", fmt.Sprintf("%.1f", float64(s.Entries)/max(float64(s.Calls.List), 1)))
}

// grouped writes a number with a comma between each three digits.
func grouped(n int64) string { return measure.Count(float64(n)) }
