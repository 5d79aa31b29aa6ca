package search

import (
	"context"
	"errors"
	"math"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/walk"
)

// sizes returns the size of a directory with everything in it, and whether it is known.
type sizes func(*dir.Info) (uint64, bool)

// dirSizes counts what is in each directory: everything, what the search leaves out included,
// and each name of a file, so that a size does not depend on what else there is.
func (s *search) dirSizes(ctx context.Context) sizes {
	reported := make(map[string]bool)
	var mu sync.Mutex
	report := s.Walk.Report
	s.Walk.Report = func(err error) { // the second walk meets the errors of the first
		text := err.Error()
		mu.Lock()
		again := reported[text]
		reported[text] = true
		mu.Unlock()
		if !again {
			report(err)
		}
	}
	w := s.Walk
	w.MaxDepth, w.Hidden, w.Ignore, w.FollowAll = walk.Unlimited, true, nil, false
	w.Report = func(err error) {
		if _, ok := errors.AsType[*walk.RootError](err); !ok { // the search reports it
			s.Walk.Report(err)
		}
	}
	r := du.Count(ctx, s.Roots, w, du.Options{Apparent: true, EachLink: true, FollowRoots: true, Depth: walk.Unlimited, Identities: true})
	return func(info *dir.Info) (uint64, bool) { return r.SizeOf(info.Device, info.Inode) }
}

// set gives a directory the size of what is in it. Everything is asked for at once: the answer
// to a later question would replace the size.
func (s sizes) set(e *dir.Entry) {
	info, err := e.Info(dir.Everything)
	if err != nil {
		return
	}
	if size, ok := s(info); ok {
		info.Size = int64(min(size, math.MaxInt64))
	}
}
