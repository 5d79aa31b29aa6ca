package match

import "time"

// SetTimeLimits sets how long one text and all slow ones may take, and returns what
// takes that back.
func SetTimeLimits(text, slow time.Duration) (restore func()) {
	beforeText, beforeSlow := textLimit, slowLimit
	textLimit, slowLimit = text, slow
	return func() { textLimit, slowLimit = beforeText, beforeSlow }
}

// DFAStates returns how many states the automaton of m has, and the most it has
// room for; -1 if there is none.
func DFAStates(m *Matcher) (states, limit int) {
	if m.dfa == nil {
		return -1, -1
	}
	return len(m.dfa.states), len(m.dfa.table) / int(m.dfa.stride)
}
