//go:build !windows

package printer

// hasModes reports whether permission bits mean something.
const hasModes = true

// listColumns are the properties that a List shows.
var listColumns = []string{"mode", "links", "user", "group", "size:h", "mtime", "path"}
