// Package config reads a user's configuration file.
//
//	config.go  its lines: flags, aliases and groups of extensions
//	words.go   a text split as a shell splits a command line
//
// Each line is one of
//
//	--flag value         a flag for each search
//	alias NAME = WORDS   a name for flags and other words
//	group NAME = EXTS    a name for extensions
//
// A # at the beginning of a word begins a comment.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A File is what a configuration file says. Its zero value says nothing.
type File struct {
	Flags   []Setting // without names
	Aliases []Setting
	Groups  []Setting // the Words are extensions, without a dot
}

// A Setting is a line.
type Setting struct {
	Name  string
	Words []string
	Place Place
}

// A Place is where words are from: a file and the number of a line, or a variable and 0.
type Place struct {
	Source string
	Line   int
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.Source
	}
	return fmt.Sprintf("%s:%d", p.Source, p.Line)
}

// Errorf returns an error that begins with the place.
func (p Place) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p, fmt.Errorf(format, args...))
}

// maxSize is the size of the largest file that is read, in bytes.
const maxSize = 1 << 20

// Read reads a file, which may be a pipe. The error says what is wrong and, if it is in a line,
// where.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("it is larger than 1 MiB, which no configuration is")}
	}
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the content of a file with the given path.
func Parse(path string, data []byte) (*File, error) {
	f := &File{}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		if err := f.add(Place{path, n}, strings.TrimRight(text, "\r\n")); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// add adds a line.
func (f *File) add(at Place, text string) error {
	words, err := split(text, true)
	if err != nil {
		return at.Errorf("%w", err)
	}
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "alias":
		return f.define(&f.Aliases, at, words, "-e go -e c")
	case "group":
		for i, word := range words {
			if i > 2 {
				words[i] = strings.TrimPrefix(word, ".")
			}
		}
		return f.define(&f.Groups, at, words, "html css js")
	}
	if len(words[0]) < 2 || words[0][0] != '-' {
		return at.Errorf("%q is not a flag; a line begins with one, or with alias, group or #", words[0])
	}
	f.Flags = append(f.Flags, Setting{Words: words, Place: at})
	return nil
}

// define adds a line that gives words a name.
func (f *File) define(to *[]Setting, at Place, words []string, example string) error {
	if len(words) < 4 || words[2] != "=" {
		return at.Errorf("give a name, a = between spaces, and what it stands for, such as: %s NAME = %s", words[0], example)
	}
	name := words[1]
	if !isName(name) {
		return at.Errorf("%q is no name; use letters, digits and -, with a letter first", name)
	}
	if i := Find(*to, name); i != nil {
		return at.Errorf("line %d has %s %s already; give this one another name", i.Place.Line, words[0], name)
	}
	if slices.Contains(words[3:], "") {
		return at.Errorf("%s %s has an empty word; leave it out", words[0], name)
	}
	*to = append(*to, Setting{name, words[3:], at})
	return nil
}

// isName reports whether a text may be the name of an alias or a group.
func isName(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '-' && c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// Find returns the setting of a name, or nil.
func Find(settings []Setting, name string) *Setting {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &settings[i]
}
