// Package format fills the parts of a path into texts: a line of output, or the
// arguments of a command.
package format

import (
	"bytes"
	"path/filepath"
	"runtime"
	"strings"
)

// A Template is a text with placeholders for parts of a path:
//
//	{}    the path          {/}   the last element        {//}  the directory
//	{.}   the path, and     {/.}  the last element, without its extension
//
// {{ and }} stand for { and }. What is not a placeholder stands for itself. A
// Template is safe for concurrent use.
type Template struct{ parts []part }

// A part is a text, or else a placeholder.
type part struct {
	text string
	fill func(b, path []byte) []byte
}

var placeholders = map[string]func(b, path []byte) []byte{
	"{}":   func(b, path []byte) []byte { return append(b, path...) },
	"{/}":  func(b, path []byte) []byte { return append(b, base(path)...) },
	"{//}": appendParent,
	"{.}":  appendStem,
	"{/.}": func(b, path []byte) []byte { return append(b, stem(base(path))...) },
}

// Parse reads a template.
func Parse(text string) *Template {
	t := &Template{}
	var literal strings.Builder
	for text != "" {
		if strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "}}") {
			literal.WriteByte(text[0])
			text = text[2:]
			continue
		}
		end := strings.IndexByte(text, '}') + 1
		fill := placeholders[text[:end]]
		switch {
		case fill == nil:
			literal.WriteByte(text[0])
			text = text[1:]
		case strings.HasPrefix(text[end:], "}"): // "{}}" is "{}", for its } is escaped
			literal.WriteString(text[:end])
			text = text[end+1:]
		default:
			t.addText(&literal)
			t.parts = append(t.parts, part{fill: fill})
			text = text[end:]
		}
	}
	t.addText(&literal)
	return t
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
		if p.fill != nil {
			return true
		}
	}
	return false
}

// Append appends the text for a path, whose elements are separated by slashes, to
// b and returns the extended slice. In what is filled in, separator, unless it is
// "", stands for each slash.
func (t *Template) Append(b, path []byte, separator string) []byte {
	for _, p := range t.parts {
		if p.fill == nil {
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
