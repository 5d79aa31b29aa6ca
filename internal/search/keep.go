package search

import (
	"sync"
	"sync/atomic"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// A keeper holds one worker's entries that Options.Keep is to be asked about: those that the
// system gave at a time, so that several are asked about at once.
type keeper struct {
	held  []*dir.Entry
	texts [][]byte // what Keep gets of them
	kept  []bool
}

// add holds an entry and what Keep gets of it until acceptKept.
func (k *keeper) add(e *dir.Entry, text []byte) {
	k.held = append(k.held, e)
	k.texts = append(k.texts, text)
}

// keep asks about one entry.
func (s *search) keep(e *dir.Entry) (bool, error) {
	return s.Keep(s.KeepAs.Append(nil, e))
}

// acceptKept asks about the entries that are held, and accepts those that are kept, in their order.
func (v *visitor) acceptKept() walk.Action {
	k := &v.keeper
	k.kept = append(k.kept[:0], make([]bool, len(k.held))...)
	var next atomic.Int64
	var failed atomic.Bool
	var asking sync.WaitGroup
	for range min(len(k.held), max(1, v.KeepAtOnce)) {
		asking.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(k.held) && !failed.Load(); i = next.Add(1) - 1 {
				ok, err := v.Keep(k.texts[i])
				if k.kept[i] = ok; err != nil {
					failed.Store(true)
				}
			}
		})
	}
	asking.Wait()
	action := walk.Continue
	for i, e := range k.held {
		if k.kept[i] && action != walk.Stop && v.accept(e) == walk.Stop {
			action = walk.Stop
		}
	}
	k.held, k.texts = k.held[:0], k.texts[:0]
	if failed.Load() {
		return walk.Stop
	}
	return action
}
