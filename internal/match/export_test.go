package match

import "time"

// SetTimeLimit sets how long one text may take, and returns what takes that back.
func SetTimeLimit(limit time.Duration) (restore func()) {
	before := timeLimit
	timeLimit = limit
	return func() { timeLimit = before }
}

// DFAStates returns how many states the automaton of m has, and the most it has
// room for; -1 if there is none.
func DFAStates(m *Matcher) (states, limit int) {
	if m.dfa == nil {
		return -1, -1
	}
	return len(m.dfa.states), len(m.dfa.table) / int(m.dfa.stride)
}
