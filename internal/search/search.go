// Package search finds entries and hands them to a Sink: it walks, filters, counts, and stops
// after enough results. It knows neither flags nor the terminal.
//
//	search.go    Options, Run, and what becomes of each entry
//	sink.go      the Sinks: print, list, sort, run commands
//	shapes.go    the Sinks that show results together: counts, trees
//	roots.go     where a search starts, and how the paths of each root begin
//	paths.go     paths of a list, which are tested instead
//	keep.go      results that a command decides about
//	delete.go    a Sink that deletes
//	sizes.go     the sizes of directories with everything in them
//	why.go       which rule leaves an entry out
package search

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/walk"
)

// Options says what to search for, and what to do with it.
type Options struct {
	Roots []walk.Root
	Paths *Paths // if set, these are tested, and nothing is searched; a Sink must not delete them
	// Walk says where to look. Run completes Want.
	// Report, which must be set, gets all errors but those of Sink; many workers may call it
	// at a time.
	Walk   walk.Options
	Filter *filter.Filter // which entries are results

	// Keep, if set, has the last word on what has passed Filter, by what KeepAs makes of it. At
	// most KeepAtOnce are asked at a time by each worker. An error ends the search.
	Keep       func(result []byte) (bool, error)
	KeepAs     printer.Renderer
	KeepAtOnce int

	MaxResults int64 // stop after these; 0: no limit
	Prune      bool  // do not enter directories that are results
	// DirSizes gives each directory the size of everything in it, for Filter and Sink. It takes
	// a second walk, if one of them asks for sizes.
	DirSizes bool

	Sink Sink // nil: results are only counted

	Progress *Progress // if set, gets the counts of the search while it goes on
}

// A Progress says how far a search has come. It is safe for concurrent use.
type Progress struct {
	walk.Progress
	Matches atomic.Int64
}

// A Result is what a search has seen.
type Result struct {
	walk.Stats
	Matches int64 // at most MaxResults
	OK      bool  // false: a command that was run on results has failed
	Took    time.Duration
}

// Run searches until all is found, the limit is reached, ctx is done or the Sink fails. The
// error is that of Sink.Close.
func Run(ctx context.Context, o Options) (Result, error) {
	started := time.Now()
	s := &search{Options: o, limit: o.MaxResults}
	if s.Progress != nil {
		s.Walk.Progress = &s.Progress.Progress
	} else {
		s.Progress = &Progress{}
	}
	s.Walk.Want = o.Filter.Needs()
	if o.Keep != nil {
		s.Walk.Want |= o.KeepAs.Needs()
	}
	if o.Sink != nil {
		s.shows = o.Sink.Needs()
		s.Walk.Want |= s.shows
	}
	if d, ok := o.Sink.(*Deleter); ok {
		d.prepare(&s.Options)
	}
	if o.DirSizes && s.Walk.Want&dir.Size != 0 {
		s.sizes = s.dirSizes(ctx)
	}
	if to, ok := o.Sink.(sorter); ok {
		s.Walk.Sequence, s.limit = to.sort(o.MaxResults)
	}
	r := Result{OK: true}
	if o.Paths != nil {
		r.Stats = s.testPaths(ctx)
	} else {
		r.Stats = walk.Walk(ctx, s.Roots, s.Walk, s.visitor)
	}
	r.Matches = s.Progress.Matches.Load()
	if o.MaxResults > 0 {
		r.Matches = min(r.Matches, o.MaxResults)
	}
	var err error
	if o.Sink != nil {
		r.OK, err = o.Sink.Close()
	}
	r.Took = time.Since(started)
	return r, err
}

// A search is one Run.
type search struct {
	Options
	limit int64      // of results to go to the Sink; 0: none
	shows dir.Fields // what the Sink needs
	sizes sizes      // nil: not wanted
}

// visitor returns one worker's share of the search. It counts its matches on its own, and
// adds them up when it pauses, unless there is a limit.
func (s *search) visitor() walk.Visitor {
	var to Worker
	if s.Sink != nil {
		to = s.Sink.Worker()
	}
	enter := walk.Continue
	if s.Prune {
		enter = walk.Prune
	}
	matches, entries := int64(0), s.Filter.Clone()
	entries.Along(s.shows | mayNeed(s.Sink))
	accept := func(e *dir.Entry) walk.Action {
		n := int64(0)
		if s.limit > 0 {
			if n = s.Progress.Matches.Add(1); n > s.limit {
				return walk.Stop
			}
		} else {
			matches++
		}
		if s.shows != 0 {
			if _, err := e.Info(s.shows); err != nil && !dir.Vanished(err) {
				s.Walk.Report(err)
			}
		}
		if to != nil && to.Add(e) != nil || n == s.limit && n > 0 {
			return walk.Stop
		}
		return enter
	}
	decide, held := accept, (*keeper)(nil)
	if s.Keep != nil {
		held = &keeper{s: s, accept: accept}
		decide = held.add
		_, deletes := to.(*deleting)
		if _, ordered := to.(*sequenceWorker); ordered || deletes || s.Prune {
			decide = held.ask // results are in order, or whether a directory is entered depends on it
		}
	}
	visit := func(e *dir.Entry) walk.Action {
		if s.sizes != nil && e.Type == fs.ModeDir {
			s.sizes.set(e)
		}
		ok, err := entries.Match(e)
		if err != nil && !s.reportMatch(err) {
			return walk.Stop
		}
		if !ok {
			return walk.Continue
		}
		return decide(e)
	}
	pause := func(idle bool) walk.Action {
		if matches > 0 {
			s.Progress.Matches.Add(matches)
			matches = 0
		}
		if held != nil && !idle && held.askAll() == walk.Stop {
			return walk.Stop
		}
		switch {
		case to == nil:
		case idle && to.Flush() != nil, !idle && to.Pause() != nil:
			return walk.Stop
		}
		return walk.Continue
	}
	v := walk.Visitor{Visit: visit, Absent: entries.Absent, Pause: pause}
	switch w := to.(type) {
	case *deleting:
		return w.visitor(v)
	case *sequenceWorker:
		v.Result = w.Result
	}
	return v
}

// reportMatch reports why an entry could not be tested, and whether to go on: not with a
// pattern that takes too long for too many names.
func (s *search) reportMatch(err error) bool {
	if dir.Vanished(err) {
		return true
	}
	s.Walk.Report(err)
	slow, ok := errors.AsType[*match.SlowError](err)
	return !ok || !slow.GivenUp
}

// Workers returns how many workers a walk may have unless the user asks for a number. Where
// it can be measured whether they wait, there may be more than processors: a cold disk was
// walked best by 8, a network by 16 (go run ./bench -slow).
func Workers() int {
	const waiting = 16
	if process.Waits() == nil {
		return process.Processors()
	}
	return max(process.Processors(), waiting)
}

// mayNeed returns what the Sink asks only some results for.
func mayNeed(to any) dir.Fields {
	if asker, ok := to.(interface{ MayNeed() dir.Fields }); ok {
		return asker.MayNeed()
	}
	return 0
}
