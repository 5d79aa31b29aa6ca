package filter

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ldx/internal/dir"
)

// A Type is what an entry may be, or a restriction on it.
type Type uint16

// The types, and the restrictions.
const (
	File Type = 1 << iota
	Directory
	Link
	BlockDevice
	CharDevice
	Socket
	Pipe
	Executable // by this process; a file, if no other type is named
	Readable   // by this process
	Writable   // by this process
	Empty      // a file or a directory, if no other type is named
	Broken     // a link that leads nowhere

	accesses     = Executable | Readable | Writable
	restrictions = accesses | Empty | Broken
)

var typeNames = []struct {
	short, long string
	t           Type
}{
	{"f", "file", File},
	{"d", "directory", Directory},
	{"l", "symlink", Link},
	{"b", "block-device", BlockDevice},
	{"c", "char-device", CharDevice},
	{"s", "socket", Socket},
	{"p", "pipe", Pipe},
	{"x", "executable", Executable},
	{"r", "readable", Readable},
	{"w", "writable", Writable},
	{"e", "empty", Empty},
	{"", "broken", Broken},
}

// ParseType returns the Type that one letter or word names. The error lists
// those there are.
func ParseType(name string) (Type, error) {
	for _, t := range typeNames {
		if name == t.long || name == t.short && name != "" || name == "dir" && t.t == Directory {
			return t.t, nil
		}
	}
	return 0, fmt.Errorf("there is no type %q; give one of %s", name, strings.Join(TypeNames(), ", "))
}

// TypeNames returns what ParseType takes, as "f (file)".
func TypeNames() []string {
	var names []string
	for t := range slices.Values(typeNames) {
		if t.short == "" {
			names = append(names, t.long)
		} else {
			names = append(names, t.short+" ("+t.long+")")
		}
	}
	return names
}

// kinds returns the types of entries that may pass; 0 is any.
func (t Type) kinds() Type {
	kinds := t &^ restrictions
	if t&Executable != 0 {
		kinds |= File
	}
	if t&Broken != 0 {
		kinds |= Link
	}
	if t&Empty != 0 && kinds&(File|Directory) == 0 {
		kinds |= File | Directory
	}
	return kinds
}

// holds reports whether all restrictions in t hold, the cheapest first. A question about the
// entry is also about the fields in along.
func (t Type) holds(e *dir.Entry, along dir.Fields) (bool, error) {
	if t&Broken != 0 && e.Type == fs.ModeSymlink { // which is neither empty nor accessible
		return e.Broken()
	}
	if t&accesses != 0 {
		var may dir.Access
		for _, a := range []struct {
			t   Type
			may dir.Access
		}{{Executable, dir.Execute}, {Readable, dir.Read}, {Writable, dir.Write}} {
			if t&a.t != 0 {
				may |= a.may
			}
		}
		if ok, err := e.May(may); !ok {
			return false, err
		}
	}
	if t&Empty == 0 {
		return true, nil
	}
	switch e.Type {
	case fs.ModeDir:
		return e.Empty()
	case 0:
		info, err := e.Info(dir.Size | along)
		return err == nil && info.Size == 0, err
	}
	return false, nil
}

func typeOf(mode fs.FileMode) Type {
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
