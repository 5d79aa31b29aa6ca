package property

import "io/fs"

// A Type is a type of entries.
type Type struct {
	Mode   fs.FileMode
	Letter byte   // in find's -type
	Name   string // in --type, --sort and JSON
	Colour string // in LS_COLORS (dir_colors(5)); a file has none
}

// Types are the types of entries.
var Types = [...]Type{
	{0, 'f', "file", ""},
	{fs.ModeDir, 'd', "directory", "di"},
	{fs.ModeSymlink, 'l', "symlink", "ln"},
	{fs.ModeDevice, 'b', "block-device", "bd"},
	{fs.ModeDevice | fs.ModeCharDevice, 'c', "char-device", "cd"},
	{fs.ModeSocket, 's', "socket", "so"},
	{fs.ModeNamedPipe, 'p', "pipe", "pi"},
}

// TypeIndex returns the index in Types of the type in a mode, or -1.
func TypeIndex(mode fs.FileMode) int {
	mode = mode.Type()
	for i := range Types {
		if Types[i].Mode == mode {
			return i
		}
	}
	return -1
}

// TypeName returns the name of the type in a mode; "unknown" if it has none.
func TypeName(mode fs.FileMode) string {
	if i := TypeIndex(mode); i >= 0 {
		return Types[i].Name
	}
	return "unknown"
}

// typeLetter returns the letter of a type in modes.
func typeLetter(mode fs.FileMode) byte {
	switch i := TypeIndex(mode); {
	case i < 0:
		return '?'
	case Types[i].Letter == 'f':
		return '-'
	default:
		return Types[i].Letter
	}
}
