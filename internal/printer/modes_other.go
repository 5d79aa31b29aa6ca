//go:build !windows

package printer

import "ldx/internal/dir"

// Fields is what a Listing shows.
const Fields = dir.Mode | dir.Links | dir.Owner | dir.Size | dir.ModTime

// hasModes is whether permission bits tell something.
const hasModes = true

var shownColumns = []int{modeColumn, linksColumn, userColumn, groupColumn, sizeColumn, timeColumn}
