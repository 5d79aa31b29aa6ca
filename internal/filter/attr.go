package filter

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Types is a set of types of entries, and of restrictions on them.
type Types uint16

// What an entry may be, and what it may have to be besides.
const (
	File Types = 1 << iota
	Directory
	Link
	BlockDevice
	CharDevice
	Socket
	Pipe
	Executable // by this process; a file, if no other type is named
	Empty      // a file or a directory, if no other type is named

	restrictions = Executable | Empty
)

var typeNames = []struct {
	short, long string
	types       Types
}{
	{"f", "file", File},
	{"d", "directory", Directory},
	{"l", "symlink", Link},
	{"b", "block-device", BlockDevice},
	{"c", "char-device", CharDevice},
	{"s", "socket", Socket},
	{"p", "pipe", Pipe},
	{"x", "executable", Executable},
	{"e", "empty", Empty},
}

// ParseType returns the Types that one letter or word names. The error lists
// those there are.
func ParseType(name string) (Types, error) {
	for _, t := range typeNames {
		if name == t.short || name == t.long || name == "dir" && t.types == Directory {
			return t.types, nil
		}
	}
	return 0, fmt.Errorf("there is no type %q; give one of %s", name, strings.Join(TypeNames(), ", "))
}

// TypeNames returns what ParseType takes, as "f (file)".
func TypeNames() []string {
	var names []string
	for t := range slices.Values(typeNames) {
		names = append(names, t.short+" ("+t.long+")")
	}
	return names
}

// kinds returns the types that may pass; 0 is any.
func (t Types) kinds() Types {
	kinds := t &^ restrictions
	if t&Executable != 0 {
		kinds |= File
	}
	if t&Empty != 0 && kinds&(File|Directory) == 0 {
		kinds |= File | Directory
	}
	return kinds
}

func typeOf(mode fs.FileMode) Types {
	switch mode {
	case 0:
		return File
	case fs.ModeDir:
		return Directory
	case fs.ModeSymlink:
		return Link
	case fs.ModeDevice:
		return BlockDevice
	case fs.ModeDevice | fs.ModeCharDevice:
		return CharDevice
	case fs.ModeSocket:
		return Socket
	case fs.ModeNamedPipe:
		return Pipe
	}
	return 0
}
