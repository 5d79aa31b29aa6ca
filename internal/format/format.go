// Package format turns values into text: it fills templates for lines and for the arguments of
// commands, and reads and writes sizes.
package format

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Template is a text with placeholders for parts of a path:
//
//	{}    the path          {/}   the last element        {//}  the directory
//	{.}   the path, and     {/.}  the last element, without its extension
//
// {{ and }} stand for { and }. Everything else stands for itself. A Template is safe for
// concurrent use.
//
// A Template for lines also has {path} {name} {parent} {stem} {ext}, which are parts of the
// path too, and fields, which its user appends.
type Template struct {
	parts  []part
	lookUp func(name, layout string) (n int, ok bool, err error) // nil: there are no names
}

// A part is a text, or else a placeholder: for a part of the path, or for a field.
type part struct {
	text  string
	fill  func(b, path []byte) []byte
	field int // if it is neither
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

// Parse reads a template of paths alone, as for commands.
func Parse(text string) *Template {
	t := &Template{}
	_ = t.parse(text) // only fields have errors
	return t
}

// ParseLine reads a template for lines. For {name:layout}, or {name} with the layout "",
// lookUp returns the number of the field; ok is false if there is none, and the error says
// what is wrong with the layout.
func ParseLine(text string, lookUp func(name, layout string) (n int, ok bool, err error)) (*Template, error) {
	t := &Template{lookUp: lookUp}
	return t, t.parse(text)
}

// placeholder returns the part for a placeholder. ok is false if text, which is in braces, is
// none.
func (t *Template) placeholder(text string) (p part, ok bool, err error) {
	if p.fill = find(placeholders[:], text); p.fill != nil || t.lookUp == nil || text == "" {
		return p, p.fill != nil, nil
	}
	if p.fill = find(pathNames[:], text); p.fill != nil {
		return p, true, nil
	}
	name, layout, _ := strings.Cut(text[1:len(text)-1], ":")
	p.field, ok, err = t.lookUp(name, layout)
	if err != nil {
		err = fmt.Errorf("%s: %w", text, err)
	}
	return p, ok, err
}

func (t *Template) parse(text string) error {
	var literal strings.Builder
	for text != "" {
		if strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "}}") {
			literal.WriteByte(text[0])
			text = text[2:]
			continue
		}
		end := strings.IndexByte(text, '}') + 1
		p, ok, err := part{}, false, error(nil)
		if text[0] == '{' {
			p, ok, err = t.placeholder(text[:end])
		}
		switch {
		case !ok:
			literal.WriteByte(text[0])
			text = text[1:]
		case strings.HasPrefix(text[end:], "}"): // "{}}" is "{}", for its } is escaped
			literal.WriteString(text[:end])
			text = text[end+1:]
		case err != nil:
			return err
		default:
			t.addText(&literal)
			t.parts = append(t.parts, p)
			text = text[end:]
		}
	}
	t.addText(&literal)
	return nil
}

func (t *Template) addText(literal *strings.Builder) {
	if literal.Len() > 0 {
		t.parts = append(t.parts, part{text: literal.String()})
		literal.Reset()
	}
}

// Placeholders reports whether there are any.
func (t *Template) Placeholders() bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.text == "" })
}

// Append appends the text for a path, whose elements are separated by slashes, to b and returns
// the extended slice. Unless separator is "", it replaces each slash in what is filled in.
func (t *Template) Append(b, path []byte, separator string) []byte {
	return t.AppendLine(b, path, separator, nil)
}

// AppendLine is Append for a template for lines, whose fields are appended by field.
func (t *Template) AppendLine(b, path []byte, separator string, field func(b []byte, n int) []byte) []byte {
	for i := range t.parts {
		switch p := &t.parts[i]; {
		case p.text != "":
			b = append(b, p.text...)
		case p.fill == nil:
			b = field(b, p.field)
		default:
			from := len(b)
			b = p.fill(b, path)
			b = append(b[:from], Separate(b[from:], separator)...)
		}
	}
	return b
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
