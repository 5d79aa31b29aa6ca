package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/filter"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/spawn"
	"ldx/internal/walk"
)

// findCommand returns the search, which is what ldx does unless told otherwise.
// What the search finds goes into *status.
func findCommand(status *int) *cobra.Command {
	var flags findFlags
	cmd := newCommand(program + " [flags] [pattern] [path ...]")
	flags.addTo(cmd.Flags())
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, err := os.Stdout.Write(findPage().help(cmd.Flags()))
		*status = exitStatus(err)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			_, err := fmt.Println(program, version())
			return err
		}
		if asked, _ := cmd.Flags().GetBool("type-list"); asked {
			return writeGroups(os.Stdout)
		}
		if shell := cmd.Flags().Lookup("gen-completions"); shell.Changed {
			return writeCompletion(os.Stdout, shell.Value.String())
		}
		s, err := newSearch(cmd.Flags(), flags, args)
		if err != nil {
			return err
		}
		if len(flags.reason) > 0 {
			*status, err = s.why(os.Stdout)
			return err
		}
		*status, err = s.run(cmd.Context())
		return err
	}
	return cmd
}

// A search is the flags as they are meant.
type search struct {
	roots   []walk.Root
	ignorer *ignore.Ignorer
	walk    walk.Options
	filter  *filter.Filter
	most    int64  // results; 0: all
	pattern string // the first
	flags   findFlags

	newSink func() sink                    // nil: results are only counted
	finish  func() (bool, error)           // after the last result; whether all has gone well
	sorter  *printer.Sorter                // holds results first; nil: none does
	first   int                            // so many of these go on; 0: all
	shows   dir.Fields                     // what sorting and showing a result takes, to be asked for at once
	sizes   func(*dir.Info) (uint64, bool) // of directories with all in them, by what they are; nil: not wanted

	errors  reporter
	waiting *waiting
	matches atomic.Int64
}

// A sink takes one worker's results. Its functions are nil where there is nothing
// to do; their errors end the search.
type sink struct {
	add          func(*dir.Entry) error
	pause, flush func() error
}

func (s *search) printTo(p *printer.Printer) {
	if s.sorter != nil {
		w := bufio.NewWriterSize(s.waiting.stdout(), 32<<10)
		s.sortTo(p.AppendLine, func(line []byte) error {
			_, err := w.Write(line)
			return err
		}, func() (bool, error) { return true, w.Flush() })
		return
	}
	s.newSink = func() sink {
		b := p.NewBuffer()
		return sink{b.Print, b.Pause, b.Flush}
	}
	s.finish = func() (bool, error) { return true, p.Close() }
}

func (s *search) listTo(l *printer.Listing) {
	s.newSink = func() sink {
		b := l.NewBuffer()
		return sink{add: func(e *dir.Entry) error {
			if err := b.Add(e); err != nil {
				s.walk.Report(err)
			}
			return nil
		}}
	}
	s.finish = func() (bool, error) { return true, l.Close() }
}

// sortTo holds what show appends for each result until all are found, and gives it to do,
// in order.
func (s *search) sortTo(show func([]byte, *dir.Entry) []byte, do func([]byte) error, finish func() (bool, error)) {
	s.newSink = func() sink {
		b := s.sorter.NewBuffer(show)
		return sink{add: func(e *dir.Entry) error {
			b.Add(e)
			return nil
		}}
	}
	s.finish = func() (bool, error) {
		err := s.sorter.Each(s.first, do)
		if errors.Is(err, spawn.ErrStopped) {
			err = nil // finish tells why
		}
		ok, finishErr := finish()
		return ok, cmp.Or(finishErr, err)
	}
}

func (s *search) runOn(r *spawn.Runner) {
	if s.sorter != nil {
		s.sortTo(appendCommandPath, func(path []byte) error { return r.Run(bytes.Clone(path)) }, r.Close)
		return
	}
	s.newSink = func() sink {
		return sink{add: func(e *dir.Entry) error { return r.Run(appendCommandPath(nil, e)) }}
	}
	s.finish = r.Close
}

func (s *search) batchOn(b *spawn.Batch) {
	if s.sorter != nil {
		s.sortTo(appendCommandPath, b.Add, func() (bool, error) { return b.Close(), nil })
		return
	}
	s.newSink = func() sink {
		return sink{add: func(e *dir.Entry) error { return b.Add(appendCommandPath(nil, e)) }}
	}
	s.finish = func() (bool, error) { return b.Close(), nil }
}

// appendCommandPath appends the path as a command gets it, which must not take it for a
// flag.
func appendCommandPath(b []byte, e *dir.Entry) []byte {
	from := len(b)
	b = e.AppendPath(b)
	if b[from] == '-' {
		b = slices.Insert(b, from, '.', '/')
	}
	return b
}

// run searches, prints, and returns the exit status.
func (s *search) run(ctx context.Context) (status int, err error) {
	started := time.Now()
	if s.flags.du && s.walk.Want&dir.Size != 0 {
		s.sumUp(ctx)
	}
	stats := walk.Walk(ctx, s.roots, s.walk, s.newVisitor)
	ok := true
	if s.finish != nil {
		ok, err = s.finish()
	}
	matches := s.matches.Load()
	if most := max(s.most, int64(s.first)); most > 0 {
		matches = min(matches, most)
	}
	if err == nil && s.flags.count && !s.flags.quiet {
		_, err = fmt.Println(matches)
	}
	s.errors.sumUp()
	if matches == 0 && !s.flags.quiet {
		hint(s.pattern, stats)
	}
	if s.flags.stats {
		writeStats(stats, matches, s.errors.n, time.Since(started))
	}
	switch {
	case err != nil:
		return statusError, err
	case s.flags.quiet && matches > 0:
		return statusOK, nil
	case !ok, s.flags.quiet, s.errors.serious > 0, s.flags.strict && s.errors.n > 0:
		return statusError, nil
	}
	return statusOK, nil
}

// newVisitor returns one worker's share of the search. Its matches are counted
// on its own, and added up when it pauses, unless it must know how many the
// others have.
func (s *search) newVisitor() walk.Visitor {
	var to sink
	if s.newSink != nil {
		to = s.newSink()
	}
	into := walk.Continue
	if s.flags.prune {
		into = walk.Prune
	}
	matches, filter := int64(0), s.filter.Clone()
	visit := func(e *dir.Entry) walk.Action {
		if s.sizes != nil && e.Type == fs.ModeDir {
			s.setSize(e)
		}
		ok, err := filter.Match(e)
		if err != nil && !dir.Vanished(err) {
			s.walk.Report(err)
			if slow := (*match.SlowError)(nil); errors.As(err, &slow) && slow.GivenUp {
				return walk.Stop
			}
		}
		if !ok {
			return walk.Continue
		}
		n := int64(0)
		if s.most > 0 {
			if n = s.matches.Add(1); n > s.most {
				return walk.Stop
			}
		} else {
			matches++
		}
		if s.shows != 0 {
			if _, err := e.Info(s.shows); err != nil && !dir.Vanished(err) {
				s.walk.Report(err)
			}
		}
		if to.add != nil && to.add(e) != nil || n == s.most && n > 0 {
			return walk.Stop
		}
		return into
	}
	pause := func(idle bool) walk.Action {
		if matches > 0 {
			s.matches.Add(matches)
			matches = 0
		}
		write := to.pause
		if idle {
			write = to.flush
		}
		if write != nil && write() != nil {
			return walk.Stop
		}
		return walk.Continue
	}
	return walk.Visitor{Visit: visit, Pause: pause}
}

// sumUp learns what is in each directory, for --du: everything, also what the search
// leaves out, and each name of a file, so that it does not matter what else there is.
func (s *search) sumUp(ctx context.Context) {
	w := s.walk
	w.MaxDepth, w.Hidden, w.Ignore = walk.Unlimited, true, nil
	s.errors.once = make(map[string]bool) // or the search would tell them again
	w.Report = func(err error) {
		if root := (*walk.RootError)(nil); !errors.As(err, &root) { // the search will come by
			s.walk.Report(err)
		}
	}
	r := du.Count(ctx, s.roots, w, du.Options{Apparent: true, EachLink: true, FollowRoots: true, Depth: walk.Unlimited, Identities: true})
	s.sizes = func(info *dir.Info) (uint64, bool) { return r.SizeOf(info.Device, info.Inode) }
}

// setSize gives a directory the size of what is in it. All is asked for at once: a later
// question would have the system's answer take its place.
func (s *search) setSize(e *dir.Entry) {
	info, err := e.Info(dir.Everything)
	if err != nil {
		return
	}
	if size, ok := s.sizes(info); ok {
		info.Size = int64(min(size, math.MaxInt64))
	}
}
