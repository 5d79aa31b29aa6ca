package printer

// hasModes is whether permission bits tell something. Windows' are made up: everybody
// may write to each directory.
const hasModes = false

// listColumns are the properties that a List shows. Windows has no such owners, and would
// have to open each file for its number of links.
var listColumns = []string{"mode", "size", "mtime"}
