package walk

import "ldx/internal/ignore"

// An Outcome says whether an entry is visited, and if not, why.
type Outcome uint8

// The Outcomes.
const (
	Shown Outcome = iota
	Hidden
	Ignored
)

// Admit returns what becomes of an entry of that name, given what the rules decide. hidden is
// set for a hidden entry if Options.Hidden is not set. A rule can reveal a hidden entry, but
// never .git, as in git.
func Admit(name []byte, decision ignore.Decision, hidden bool) Outcome {
	switch {
	case decision == ignore.Ignore:
		return Ignored
	case hidden && (decision != ignore.Keep || string(name) == ".git"):
		return Hidden
	}
	return Shown
}
