package search

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/cpu"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
	"ldx/internal/walk"
)

// A visitor is one worker's share of a search.
type visitor struct {
	*search
	filter *filter.Filter
	all    bool        // every entry passes the filter
	asks   bool        // Keep is asked as well
	atOnce bool        // about many entries at a time
	enter  walk.Action // for results
	to     Worker      // nil: results are only counted
	keeper keeper
	// matches counts results when there is no limit. They are added up when the worker is idle,
	// and at each pause if somebody watches: workers that change the same memory slow each other.
	matches int64

	_ cpu.CacheLinePad // matches changes with each result
}

// visitor returns what a worker of the walk calls.
func (s *search) visitor() walk.Visitor {
	v := &visitor{search: s, filter: s.Filter.Clone(), all: s.Filter.All(), asks: s.Keep != nil}
	if s.Sink != nil {
		v.to = s.Sink.Worker()
	}
	if s.Prune {
		v.enter = walk.Prune
	}
	v.filter.Along(s.shows | mayNeed(s.Sink))
	// Where results are in order, or whether a directory is entered depends on the answer, each
	// entry is asked about at once.
	_, deletes := v.to.(*deleting)
	_, ordered := v.to.(*sequenceWorker)
	v.atOnce = !ordered && !deletes && !s.Prune

	visits := walk.Visitor{Visit: v.visit, Absent: v.filter.Absent, Pause: v.pause}
	switch w := v.to.(type) {
	case *deleting:
		return w.visitor(visits)
	case *sequenceWorker:
		visits.Result = w.Result
	}
	return visits
}

func (v *visitor) visit(e *dir.Entry) walk.Action {
	if v.sizes != nil && e.Type == fs.ModeDir {
		v.sizes.set(e)
	}
	if !v.all {
		ok, err := v.filter.Match(e)
		if err != nil && !v.reportMatch(err) {
			return walk.Stop
		}
		if !ok {
			return walk.Continue
		}
	}
	switch {
	case !v.asks:
		return v.accept(e)
	case v.atOnce:
		v.keeper.add(e, v.KeepAs.Append(nil, e))
		return walk.Continue
	}
	switch ok, err := v.keep(e); {
	case err != nil:
		return walk.Stop
	case ok:
		return v.accept(e)
	}
	return walk.Continue
}

// accept gives a result to the Sink, unless the limit is reached.
func (v *visitor) accept(e *dir.Entry) walk.Action {
	n := int64(0)
	if v.limit > 0 {
		if n = v.Progress.Matches.Add(1); n > v.limit {
			return walk.Stop
		}
	} else {
		v.matches++
	}
	if v.shows != 0 {
		if _, err := e.Info(v.shows); err != nil && !dir.Vanished(err) {
			v.Walk.Report(err)
		}
	}
	if v.to != nil && v.to.Add(e) != nil || n == v.limit && n > 0 {
		return walk.Stop
	}
	return v.enter
}

func (v *visitor) pause(idle bool) walk.Action {
	if v.matches > 0 && (idle || v.watched) {
		v.Progress.Matches.Add(v.matches)
		v.matches = 0
	}
	if !idle && len(v.keeper.held) > 0 && v.acceptKept() == walk.Stop {
		return walk.Stop
	}
	switch {
	case v.to == nil:
	case idle && v.to.Flush() != nil, !idle && v.to.Pause() != nil:
		return walk.Stop
	}
	return walk.Continue
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

// mayNeed returns what the Sink asks only some results for.
func mayNeed(to any) dir.Fields {
	if asker, ok := to.(interface{ MayNeed() dir.Fields }); ok {
		return asker.MayNeed()
	}
	return 0
}
