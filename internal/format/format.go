// Package format turns values into text: it fills templates for lines and for the arguments of
// commands, and reads and writes sizes.
package format

import (
	"bytes"
	"path/filepath"
	"runtime"
	"slices"
	"unicode/utf8"
)

// A Template is a text with placeholders for parts of a path:
//
//	{}    the path          {/}   the last element        {//}  the directory
//	{.}   the path, and     {/.}  the last element, without its extension
//
// {{ and }} stand for { and }. Everything else stands for itself. A Template is safe for
// concurrent use.
//
// A Template for lines or arguments also has {path} {name} {parent} {stem} {ext}, which are parts
// of the path too, and fields, which its user appends. They may have a layout and a width:
// {mtime:%F} {size:>10} {mtime:%F:<20} {1}; see parse.go.
type Template struct {
	parts []part
}

// A part is a text, or else a placeholder: for a part of the path, or for a field.
type part struct {
	text  string
	fill  func(b, path []byte) []byte
	field int  // if it is neither
	align byte // < > or ^; 0: as wide as it is
	width int
}

// A filler appends a part of a path.
type filler struct {
	name string
	fill func(b, path []byte) []byte
}

// placeholders are those of all templates. (Arrays take no time at the start, maps do.)
var placeholders = [...]filler{
	{"{}", appendPath},
	{"{/}", appendName},
	{"{//}", appendParent},
	{"{.}", appendStem},
	{"{/.}", appendNameStem},
}

// pathNames are those of templates for lines.
var pathNames = [...]filler{
	{"{path}", appendPath},
	{"{name}", appendName},
	{"{parent}", appendParent},
	{"{stem}", appendNameStem},
	{"{ext}", appendExtension},
}

// find returns the function of a placeholder, or nil.
func find(fillers []filler, name string) func(b, path []byte) []byte {
	for i := range fillers {
		if fillers[i].name == name {
			return fillers[i].fill
		}
	}
	return nil
}

// PathNames returns the placeholders for parts of a path that are names.
func PathNames() (names []string) {
	for _, f := range pathNames {
		names = append(names, f.name)
	}
	return names
}

// PathPart returns what appends the part of a path with a name, such as parent, or nil.
func PathPart(name string) func(b, path []byte) []byte { return find(pathNames[:], "{"+name+"}") }

// Placeholders reports whether there are any.
func (t *Template) Placeholders() bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.text == "" })
}

// BeginsWithPlaceholder reports whether a placeholder comes first.
func (t *Template) BeginsWithPlaceholder() bool { return len(t.parts) > 0 && t.parts[0].text == "" }

// Values are what a Template is filled with.
type Values struct {
	Path      []byte                       // its elements are separated by slashes
	Separator string                       // replaces each slash of the path; "": slashes stay
	Field     func(b []byte, n int) []byte // appends a field; nil: there are none
	Show      func(b, value []byte) []byte // appends a value as it is shown; nil: as it is
	Width     func(shown []byte) int       // columns; nil: characters
}

// Append appends the text for a path to b and returns the extended slice. Unless separator is "",
// it replaces each slash in what is filled in.
func (t *Template) Append(b, path []byte, separator string) []byte {
	return t.Fill(b, &Values{Path: path, Separator: separator})
}

// Fill appends the text with the values filled in to b and returns the extended slice.
func (t *Template) Fill(b []byte, v *Values) []byte {
	for i := range t.parts {
		p := &t.parts[i]
		if p.text != "" {
			b = append(b, p.text...)
			continue
		}
		from := len(b)
		if p.fill == nil {
			b = v.Field(b, p.field)
		} else {
			b = p.fill(b, v.Path)
			b = append(b[:from], Separate(b[from:], v.Separator)...)
		}
		if v.Show != nil {
			b = v.Show(b[:from], slices.Clone(b[from:]))
		}
		if p.align != 0 {
			b = p.pad(b, from, v.Width)
		}
	}
	return b
}

// pad makes b[from:] as wide as the placeholder asks for.
func (p *part) pad(b []byte, from int, width func([]byte) int) []byte {
	if width == nil {
		width = utf8.RuneCount
	}
	space := p.width - width(b[from:])
	if space <= 0 {
		return b
	}
	left := 0
	switch p.align {
	case '>':
		left = space
	case '^':
		left = space / 2
	}
	b = slices.Insert(b, from, bytes.Repeat([]byte{' '}, left)...)
	return append(b, bytes.Repeat([]byte{' '}, space-left)...)
}

// Separate replaces each slash in path with separator. It returns a copy, or path itself if
// separator is "" or a slash.
func Separate(path []byte, separator string) []byte {
	if separator == "" || separator == "/" {
		return path
	}
	return bytes.ReplaceAll(path, []byte{'/'}, []byte(separator))
}

// volume returns the length of the drive or share that the path begins with, on Windows.
func volume(path []byte) int {
	if runtime.GOOS != "windows" {
		return 0
	}
	return len(filepath.VolumeName(string(path)))
}

func lastElement(path []byte) []byte {
	path = path[volume(path):]
	return path[bytes.LastIndexByte(path, '/')+1:]
}

func appendPath(b, path []byte) []byte { return append(b, path...) }

func appendName(b, path []byte) []byte { return append(b, lastElement(path)...) }

func appendNameStem(b, path []byte) []byte { return append(b, stem(lastElement(path))...) }

func appendExtension(b, path []byte) []byte {
	name := lastElement(path)
	return append(b, bytes.TrimPrefix(name[len(stem(name)):], []byte("."))...)
}

// appendParent appends the directory that the path is in: "." if it names none. That of C:x is
// C:, which is not C:/.
func appendParent(b, path []byte) []byte {
	start := volume(path)
	b = append(b, path[:start]...)
	path = path[start:]
	switch i := bytes.LastIndexByte(path, '/'); {
	case i == 0:
		return append(b, '/')
	case i > 0:
		return append(b, path[:i]...)
	case start == 0:
		return append(b, '.')
	}
	return b
}

// appendStem appends the path without its extension and without a leading ./.
func appendStem(b, path []byte) []byte {
	path = bytes.TrimPrefix(path, []byte("./"))
	name := lastElement(path)
	b = append(b, path[:len(path)-len(name)]...)
	return append(b, stem(name)...)
}

// stem returns a name without its extension. The dot at the start of a name begins none.
func stem(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
