// Package search finds entries and hands them to a Sink: it walks, filters, counts, and stops
// after enough results. It knows neither flags nor the terminal.
//
//	search.go    Options and Run
//	visit.go     what becomes of each entry
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
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/filter"
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
	if s.watched = s.Progress != nil; s.watched {
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

	watched bool // somebody reads Progress
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
