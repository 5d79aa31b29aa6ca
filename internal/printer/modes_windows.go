package printer

// hasModes reports whether permission bits mean something. Those of Windows are made up:
// everybody may write to each directory.
const hasModes = false

// listColumns are the properties that a List shows. Windows has no such owners, and would
// have to open each file for its number of links.
var listColumns = []string{"mode", "size:h", "mtime", "path"}
