package printer

import "ldx/internal/dir"

// Fields is what a Listing shows. Windows has no such owners, and would have to be
// asked for each file's number of links.
const Fields = dir.Mode | dir.Size | dir.ModTime

var shownColumns = []int{modeColumn, sizeColumn, timeColumn}
