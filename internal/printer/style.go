package printer

import (
	"io/fs"
	"slices"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/term"
)

// Style says what paths look like.
type Style struct {
	Separator string   // for each slash; "": a slash
	Slash     Slash    // after a directory's path
	Palette   *Palette // nil: no colours
	Escape    bool     // escape names: a terminal could take them for commands

	// Report, if set, gets the errors of reading links to show their targets.
	Report func(error)
	// Hyperlinks makes each result a hyperlink to the file. The roots must have their absolute
	// paths.
	Hyperlinks bool
	Host       string
}

// Slash says when a slash comes after the path of a directory.
type Slash uint8

// When it comes.
const (
	SlashAuto   Slash = iota // not in a Template, and not in a List
	SlashAlways              // in these too
	SlashNever
)

// isPlain reports whether paths are shown as they are, or with another character for each
// slash, and with a slash after a directory's.
func (s *Style) isPlain() bool {
	return len(s.Separator) <= 1 && s.Slash != SlashNever && s.Palette == nil && !s.Escape && !s.Hyperlinks
}

// mayNeed returns the fields that are asked for only of results whose colour depends on them.
func (s *Style) mayNeed() dir.Fields {
	if s.Palette == nil {
		return 0
	}
	return s.Palette.files | s.Palette.dirs
}

// appendPath appends the entry's path, and if slash is set and it is a directory a slash. A path
// that begins with a dash gets a ./ before it, or a command would take it for a flag.
func appendPath(b []byte, e *dir.Entry, slash bool) []byte {
	start := len(b)
	b = e.AppendPath(b)
	if b[start] == '-' {
		b = slices.Insert(b, start, '.', '/')
	}
	if slash && e.Type == fs.ModeDir {
		b = append(b, '/')
	}
	return b
}

// appendEntry appends the entry's path in the Style.
func (s *Style) appendEntry(b []byte, e *dir.Entry, slash bool) []byte {
	b = s.appendLink(b, e)
	if s.Palette != nil {
		b = s.appendColoured(b, e, appendPath(nil, e, false), slash && e.Type == fs.ModeDir)
	} else {
		b = s.appendText(b, format.Separate(appendPath(nil, e, slash), s.Separator))
	}
	return s.appendLinkEnd(b)
}

const (
	linkStart = "\x1b]8;;"
	linkEnd   = "\x1b\\"
)

// appendLink begins a hyperlink to the file, if Hyperlinks is set.
func (s *Style) appendLink(b []byte, e *dir.Entry) []byte {
	if !s.Hyperlinks {
		return b
	}
	b = append(b, linkStart...)
	b = appendURL(b, s.Host, e.AppendAbsolute(nil))
	return append(b, linkEnd...)
}

func (s *Style) appendLinkEnd(b []byte) []byte {
	if !s.Hyperlinks {
		return b
	}
	return append(append(b, linkStart...), linkEnd...)
}

// appendColoured colours the path as fd does: the parents, and the slash at the end, in the
// colour of directories, the name in its own.
func (s *Style) appendColoured(b []byte, e *dir.Entry, path []byte, slash bool) []byte {
	name := len(path) - len(e.Name)
	dirs, own := s.Palette.kinds["di"], s.Palette.style(e)
	current := ""
	paint := func(code string, text []byte) {
		if code != current && current != "" {
			b = append(b, "\x1b[0m"...)
		}
		if code != current && code != "" {
			b = append(append(append(b, "\x1b["...), code...), 'm')
		}
		current = code
		b = s.appendText(b, format.Separate(text, s.Separator))
	}
	if name > 0 {
		paint(dirs, path[:name])
	}
	paint(own, path[name:])
	if slash {
		paint(dirs, []byte{'/'})
	}
	if current != "" {
		b = append(b, "\x1b[0m"...)
	}
	return b
}

func (s *Style) appendText(b, text []byte) []byte {
	if s.Escape {
		return term.AppendEscaped(b, text)
	}
	return append(b, text...)
}

// report reports the error of reading a link, unless the link has vanished.
func (s *Style) report(err error) {
	if err != nil && s.Report != nil && !dir.Vanished(err) {
		s.Report(err)
	}
}
