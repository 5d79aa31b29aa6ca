package filter

import (
	"fmt"
	"io/fs"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// A Type is a set of types of entries, and of restrictions on them.
type Type uint32

// The types, in the order of property.Types, and then the restrictions.
const (
	File Type = 1 << iota
	Directory
	Link
	BlockDevice
	CharDevice
	Socket
	Pipe
	Executable // by this process; a file, unless another type is named
	Readable   // by this process
	Writable   // by this process
	Empty      // a file or a directory, unless another type is named
	Broken     // a link that leads nowhere

	accesses     = Executable | Readable | Writable
	targets      = Type(1<<len(property.Types)-1) << targetShift // what a link leads to
	restrictions = accesses | Empty | Broken | targets

	targetShift = 16
)

// restrictionNames has the letters and words for restrictions.
var restrictionNames = [...]struct {
	letter, name string
	t            Type
}{
	{"x", "executable", Executable},
	{"r", "readable", Readable},
	{"w", "writable", Writable},
	{"e", "empty", Empty},
	{"", "broken", Broken},
}

// ParseType returns the Type that a letter or word names: with l: before it, that of links to such
// entries. The error lists all of them.
func ParseType(name string) (Type, error) {
	if target, ok := strings.CutPrefix(name, "l:"); ok {
		if t, err := ParseType(target); err == nil && t&restrictions == 0 {
			return t << targetShift, nil
		}
	}
	if name == "dir" {
		return Directory, nil
	}
	for i, t := range property.Types {
		if name == t.Name || name == string(t.Letter) {
			return 1 << i, nil
		}
	}
	for _, r := range restrictionNames {
		if name == r.name || name == r.letter && name != "" {
			return r.t, nil
		}
	}
	return 0, fmt.Errorf("there is no type %q; give one of %s", name, strings.Join(TypeNames(), ", "))
}

// TypeNames returns what ParseType accepts, as "f (file)".
func TypeNames() (names []string) {
	for _, t := range property.Types {
		names = append(names, string(t.Letter)+" ("+t.Name+")")
	}
	for _, r := range restrictionNames {
		if r.letter == "" {
			names = append(names, r.name)
		} else {
			names = append(names, r.letter+" ("+r.name+")")
		}
	}
	return names
}

// types returns the types of entries that may pass; 0: any.
func (t Type) types() Type {
	types := t &^ restrictions
	if t&Executable != 0 {
		types |= File
	}
	if t&(Broken|targets) != 0 {
		types |= Link
	}
	if t&Empty != 0 && types&(File|Directory) == 0 {
		types |= File | Directory
	}
	return types
}

// Restricts reports whether t says more than the type of an entry, so that the system must be
// asked.
func (t Type) Restricts() bool { return t&restrictions != 0 }

// Has reports whether the type in a mode is one of those in t.
func (t Type) Has(mode fs.FileMode) bool { return t&typeOf(mode) != 0 }

// Holds reports whether e is of one of the types in t, and all restrictions in t hold. If Info is
// asked, it is asked for the fields in along too. The error is an *fs.PathError.
func (t Type) Holds(e *dir.Entry, along dir.Fields) (bool, error) {
	if types := t.types(); types != 0 && types&typeOf(e.Type) == 0 {
		return false, nil
	}
	return (t & restrictions).holds(e, along)
}

// holds reports whether all restrictions in t hold. It tests the cheapest first. Info is asked
// for the fields in along too.
func (t Type) holds(e *dir.Entry, along dir.Fields) (bool, error) {
	if t&Broken != 0 && e.Type == fs.ModeSymlink { // a broken link is neither empty nor accessible
		return e.Broken()
	}
	if t&targets != 0 && e.Type == fs.ModeSymlink {
		target, err := e.TargetType()
		if err != nil || t&(typeOf(target)<<targetShift) == 0 {
			return false, err
		}
	}
	if t&accesses != 0 {
		var wanted dir.Access
		for _, a := range []struct {
			t      Type
			access dir.Access
		}{{Executable, dir.Execute}, {Readable, dir.Read}, {Writable, dir.Write}} {
			if t&a.t != 0 {
				wanted |= a.access
			}
		}
		if ok, err := e.May(wanted); !ok {
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

// typeOf returns the type in a mode; 0 if it has none.
func typeOf(mode fs.FileMode) Type {
	if i := property.TypeIndex(mode); i >= 0 {
		return 1 << i
	}
	return 0
}
