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
	s      *search
	accept func(*dir.Entry) walk.Action
	held   []*dir.Entry
	texts  [][]byte // what Keep gets of them
	kept   []bool
}

// add holds an entry until askAll. Whether it is entered does not depend on the answer.
func (k *keeper) add(e *dir.Entry) walk.Action {
	k.held = append(k.held, e)
	k.texts = append(k.texts, k.s.KeepAs.Append(nil, e))
	return walk.Continue
}

// ask asks about one entry.
func (k *keeper) ask(e *dir.Entry) walk.Action {
	switch ok, err := k.s.Keep(k.s.KeepAs.Append(nil, e)); {
	case err != nil:
		return walk.Stop
	case ok:
		return k.accept(e)
	}
	return walk.Continue
}

// askAll asks about the entries that are held, and accepts those that are kept, in their order.
func (k *keeper) askAll() walk.Action {
	if len(k.held) == 0 {
		return walk.Continue
	}
	k.kept = append(k.kept[:0], make([]bool, len(k.held))...)
	var next atomic.Int64
	var failed atomic.Bool
	var asking sync.WaitGroup
	for range min(len(k.held), max(1, k.s.KeepAtOnce)) {
		asking.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(k.held) && !failed.Load(); i = next.Add(1) - 1 {
				ok, err := k.s.Keep(k.texts[i])
				if k.kept[i] = ok; err != nil {
					failed.Store(true)
				}
			}
		})
	}
	asking.Wait()
	action := walk.Continue
	for i, e := range k.held {
		if k.kept[i] && action != walk.Stop && k.accept(e) == walk.Stop {
			action = walk.Stop
		}
	}
	k.held, k.texts = k.held[:0], k.texts[:0]
	if failed.Load() {
		return walk.Stop
	}
	return action
}
