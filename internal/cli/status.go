package cli

import "ldx/internal/search"

// status returns the exit status of a search with that result and these errors.
func (f *findFlags) status(r search.Result, errs *reporter, err error) int {
	failed := err != nil || !r.OK || errs.serious > 0 || f.strict && errs.n > 0
	switch {
	case err == nil && f.output.quiet && r.Matches > 0:
		return statusOK
	case f.exitCode && !failed && r.Matches == 0:
		return statusError
	case f.exitCode && failed:
		return statusUsage
	case failed, r.Matches == 0 && (f.output.quiet || f.opening.given()):
		return statusError
	}
	return statusOK
}
