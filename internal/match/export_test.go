package match

import "time"

// SetTimeLimits sets the time limits for one text and for all slow ones.
// restore resets them.
func SetTimeLimits(text, slow time.Duration) (restore func()) {
	beforeText, beforeSlow := textLimit, slowLimit
	textLimit, slowLimit = text, slow
	return func() { textLimit, slowLimit = beforeText, beforeSlow }
}

// DFAStates returns the number of states of m's automaton and the maximum it
// has room for; -1 if there is no automaton.
func DFAStates(m *Matcher) (states, limit int) {
	if m.dfa == nil {
		return -1, -1
	}
	return len(m.dfa.states), len(m.dfa.table) / int(m.dfa.stride)
}
