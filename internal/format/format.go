// Package format fills the parts of a path into texts: a line of output, or the
// arguments of a command.
package format

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Template is a text with placeholders for parts of a path:
//
//	{}    the path          {/}   the last element        {//}  the directory
//	{.}   the path, and     {/.}  the last element, without its extension
//
// {{ and }} stand for { and }. What is not a placeholder stands for itself. A
// Template is safe for concurrent use.
//
// One for lines has names for these as well, {path} {name} {parent} {stem} {ext}, and
// the Fields.
type Template struct {
	parts []part
	lines bool
}

// A part is a text, or else a placeholder: for a part of the path, or a field.
type part struct {
	text   string
	fill   func(b, path []byte) []byte
	field  Field
	layout string
}

// A Field is what a placeholder stands for that is not in the path.
type Field string

// The fields. {size:h} is short, {size:UNIT} as ParseUnit has it, and {mtime:LAYOUT} as
// package time does.
const (
	Depth  Field = "depth" // below the root
	Type   Field = "type"
	Size   Field = "size"
	Time   Field = "mtime"
	Mode   Field = "mode"
	User   Field = "user"
	Group  Field = "group"
	Inode  Field = "inode"
	Links  Field = "links"
	Target Field = "target" // of a link
)

var fields = []Field{Depth, Type, Size, Time, Mode, User, Group, Inode, Links, Target}

var named = map[string]func(b, path []byte) []byte{
	"{path}":   placeholders["{}"],
	"{name}":   placeholders["{/}"],
	"{parent}": appendParent,
	"{stem}":   placeholders["{/.}"],
	"{ext}": func(b, path []byte) []byte {
		name := base(path)
		return append(b, bytes.TrimPrefix(name[len(stem(name)):], []byte("."))...)
	},
}

var placeholders = map[string]func(b, path []byte) []byte{
	"{}":   func(b, path []byte) []byte { return append(b, path...) },
	"{/}":  func(b, path []byte) []byte { return append(b, base(path)...) },
	"{//}": appendParent,
	"{.}":  appendStem,
	"{/.}": func(b, path []byte) []byte { return append(b, stem(base(path))...) },
}

// Parse reads a template for commands.
func Parse(text string) *Template {
	t := &Template{}
	t.parse(text) // no placeholder has a layout
	return t
}

// ParseLine reads a template for lines. The error is that of a layout.
func ParseLine(text string) (*Template, error) {
	t := &Template{lines: true}
	t.parse(text)
	for _, p := range t.parts {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (p *part) check() error {
	var err error
	switch {
	case p.layout == "":
	case p.field == Size:
		_, err = sizeUnit(p.layout)
	case p.field == Time && sameForAll(p.layout):
		err = errors.New("give a time as it is to look, such as 2006-01-02 15:04:05")
	}
	if err != nil {
		return fmt.Errorf("{%s:%s}: %w", p.field, p.layout, err)
	}
	return nil
}

// sameForAll reports whether a layout has nothing of a time.
func sameForAll(layout string) bool {
	a, b := time.Date(1999, 12, 31, 23, 58, 57, 1, time.UTC), time.Date(2001, 1, 2, 3, 4, 5, 6, time.UTC)
	return a.Format(layout) == b.Format(layout) || strings.Contains(layout, "%")
}

func sizeUnit(layout string) (Unit, error) {
	if layout == "h" {
		return Human, nil
	}
	return ParseUnit(layout)
}

// placeholder returns what text, in braces, stands for, if that is anything.
func (t *Template) placeholder(text string) (p part, ok bool) {
	if p.fill = placeholders[text]; p.fill != nil || !t.lines || text == "" {
		return p, p.fill != nil
	}
	if p.fill = named[text]; p.fill != nil {
		return p, true
	}
	name, layout, _ := strings.Cut(text[1:len(text)-1], ":")
	if !slices.Contains(fields, Field(name)) || layout != "" && Field(name) != Size && Field(name) != Time {
		return p, false
	}
	return part{field: Field(name), layout: layout}, true
}

func (t *Template) parse(text string) {
	var literal strings.Builder
	for text != "" {
		if strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "}}") {
			literal.WriteByte(text[0])
			text = text[2:]
			continue
		}
		end := strings.IndexByte(text, '}') + 1
		p, ok := part{}, false
		if text[0] == '{' {
			p, ok = t.placeholder(text[:end])
		}
		switch {
		case !ok:
			literal.WriteByte(text[0])
			text = text[1:]
		case strings.HasPrefix(text[end:], "}"): // "{}}" is "{}", for its } is escaped
			literal.WriteString(text[:end])
			text = text[end+1:]
		default:
			t.addText(&literal)
			t.parts = append(t.parts, p)
			text = text[end:]
		}
	}
	t.addText(&literal)
}

func (t *Template) addText(literal *strings.Builder) {
	if literal.Len() > 0 {
		t.parts = append(t.parts, part{text: literal.String()})
		literal.Reset()
	}
}

// Placeholders reports whether there are any.
func (t *Template) Placeholders() bool {
	for _, p := range t.parts {
		if p.fill != nil || p.field != "" {
			return true
		}
	}
	return false
}

// Fields returns the fields that the template has.
func (t *Template) Fields() (all []Field) {
	for _, p := range t.parts {
		if p.field != "" {
			all = append(all, p.field)
		}
	}
	return all
}

// Append appends the text for a path, whose elements are separated by slashes, to
// b and returns the extended slice. In what is filled in, separator, unless it is
// "", stands for each slash.
func (t *Template) Append(b, path []byte, separator string) []byte {
	return t.AppendLine(b, path, separator, nil)
}

// AppendLine is Append for a template for lines. Its fields come from field, which
// appends one as its layout says.
func (t *Template) AppendLine(b, path []byte, separator string, field func(b []byte, f Field, layout string) []byte) []byte {
	for _, p := range t.parts {
		switch {
		case p.field != "":
			b = field(b, p.field, p.layout)
			continue
		case p.fill == nil:
			b = append(b, p.text...)
			continue
		}
		from := len(b)
		b = p.fill(b, path)
		b = append(b[:from], Separate(b[from:], separator)...)
	}
	return b
}

// Separate returns the path with separator for each slash: a copy, or path itself if
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

func base(path []byte) []byte {
	path = path[volume(path):]
	return path[bytes.LastIndexByte(path, '/')+1:]
}

// appendParent appends the directory that the path is in, "." if it has none; that of
// C:x is C:, which is another than C:/.
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

// appendStem appends the path without its extension, and without a ./ before it.
func appendStem(b, path []byte) []byte {
	path = bytes.TrimPrefix(path, []byte("./"))
	name := base(path)
	b = append(b, path[:len(path)-len(name)]...)
	return append(b, stem(name)...)
}

// stem returns a name without its extension, which no name begins with.
func stem(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
