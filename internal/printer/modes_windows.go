package printer

import "ldx/internal/dir"

// Fields is what a Listing shows. Windows has no such owners, and would have to be
// asked for each file's number of links.
const Fields = dir.Mode | dir.Size | dir.ModTime

// hasModes is whether permission bits tell something. Windows' are made up: everybody
// may write to each directory.
const hasModes = false

var shownColumns = []int{modeColumn, sizeColumn, timeColumn}
