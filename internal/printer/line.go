package printer

import (
	"cmp"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/term"
)

// Style says what a result looks like: its path, and a slash after a
// directory's, unless something else is set.
type Style struct {
	Separator string           // for each slash; "": a slash
	Slash     Slash            // after a directory's path
	Format    *format.Template // instead of the path
	Palette   *Palette         // nil: no colours
	Escape    bool             // for a terminal, which could take names for commands

	// Report, if set, gets the errors of links whose target is to be shown.
	Report func(error)
	// Roots, if set, are the roots' absolute paths. Then each result is a link
	// to the file on Host (OSC 8).
	Roots []string
	Host  string
}

// Slash says when a slash comes after the path of a directory.
type Slash uint8

// When it comes.
const (
	SlashAuto   Slash = iota // not in a Format, and not in a Listing
	SlashAlways              // in these too
	SlashNever
)

// A line makes lines of a Style other than the plain one.
type line struct{ Style }

func newLine(s Style) *line {
	plain := len(s.Separator) <= 1 && s.Slash != SlashNever && s.Format == nil && s.Palette == nil && !s.Escape && s.Roots == nil
	if plain {
		return nil
	}
	return &line{s}
}

// appendPlain appends the entry's path, and a slash if it is of a directory. A path
// that begins with a dash gets a ./ before it, or it would be taken for a flag by
// what reads it.
func appendPlain(b []byte, e *dir.Entry, slash bool) []byte {
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

const (
	linkStart = "\x1b]8;;"
	linkEnd   = "\x1b\\"
)

func (l *line) append(b []byte, e *dir.Entry) []byte {
	if l.Roots != nil {
		b = append(b, linkStart...)
		b = appendURL(b, l.Host, e.AppendAs(nil, l.Roots[e.Dir.Root()]))
		b = append(b, linkEnd...)
	}
	slash := e.Type == fs.ModeDir && (l.Slash == SlashAlways || l.Slash == SlashAuto && l.Format == nil)
	path := appendPlain(nil, e, false)
	switch {
	case l.Format != nil:
		if slash {
			path = append(path, '/')
		}
		b = l.appendText(b, l.Format.AppendLine(nil, path, l.Separator, func(b []byte, f format.Field, layout string) []byte {
			return l.appendField(b, e, f, layout)
		}))
	case l.Palette != nil:
		b = l.appendColoured(b, e, path, slash)
	default:
		if slash {
			path = append(path, '/')
		}
		b = l.appendPath(b, path)
	}
	if l.Roots != nil {
		b = append(append(b, linkStart...), linkEnd...)
	}
	return b
}

// appendColoured colours the path as fd does: up to the name, and the slash after
// it, as directories are, and the name as its type asks for.
func (l *line) appendColoured(b []byte, e *dir.Entry, path []byte, slash bool) []byte {
	name := len(path) - len(e.Name)
	dirs, own := l.Palette.kinds["di"], l.Palette.style(e)
	now := ""
	paint := func(code string, text []byte) {
		if code != now && now != "" {
			b = append(b, "\x1b[0m"...)
		}
		if code != now && code != "" {
			b = append(append(append(b, "\x1b["...), code...), 'm')
		}
		now = code
		b = l.appendPath(b, text)
	}
	if name > 0 {
		paint(dirs, path[:name])
	}
	paint(own, path[name:])
	if slash {
		paint(dirs, []byte{'/'})
	}
	if now != "" {
		b = append(b, "\x1b[0m"...)
	}
	return b
}

// fieldNeeds has what the system must be asked for, for each field of a template.
var fieldNeeds = map[format.Field]dir.Fields{
	format.Size:  dir.Size,
	format.Time:  dir.ModTime,
	format.Mode:  dir.Mode,
	format.User:  dir.Owner,
	format.Group: dir.Owner,
	format.Inode: dir.Identity,
	format.Links: dir.Links,
}

// target returns what a link holds, or nothing if the system does not say.
func (s Style) target(e *dir.Entry) []byte {
	target, err := e.Target()
	if err == nil {
		return target
	}
	if s.Report != nil && !dir.Vanished(err) {
		s.Report(err)
	}
	return nil
}

// Needs returns what the Info of each result will be asked for.
func (s Style) Needs() (fields dir.Fields) {
	if s.Format != nil {
		for _, f := range s.Format.Fields() {
			fields |= fieldNeeds[f]
		}
	}
	return fields
}

// appendField appends a field of an entry, or a question mark if the system would not
// tell.
func (l *line) appendField(b []byte, e *dir.Entry, f format.Field, layout string) []byte {
	switch f {
	case format.Depth:
		return strconv.AppendInt(b, int64(e.Depth()), 10)
	case format.Type:
		return append(b, dir.TypeName(e.Type)...)
	case format.Target:
		if e.Type == fs.ModeSymlink {
			b = append(b, l.target(e)...)
		}
		return b
	}
	info, err := e.Info(fieldNeeds[f])
	if err != nil {
		return append(b, '?')
	}
	switch f {
	case format.Size:
		return format.AppendSize(b, uint64(max(info.Size, 0)), layout)
	case format.Time:
		return format.AppendTime(b, info.ModTime.Local(), cmp.Or(layout, time.RFC3339))
	case format.Mode:
		return append(b, modeText(info.Mode)...)
	case format.User:
		return append(b, users.name(info.User)...)
	case format.Group:
		return append(b, groups.name(info.Group)...)
	case format.Inode:
		return strconv.AppendUint(b, info.Inode, 10)
	case format.Links:
		return strconv.AppendUint(b, info.Links, 10)
	}
	panic("printer: a field that is not known: " + f)
}

// AppendPath appends a path of which only the type is still known, with its separators,
// colours and escapes.
func (s Style) AppendPath(b, path []byte, kind fs.FileMode) []byte {
	l := line{s}
	if s.Palette == nil {
		return l.appendPath(b, path)
	}
	code := s.Palette.plainStyle(path, kind)
	if code == "" {
		return l.appendPath(b, path)
	}
	b = append(append(append(b, "\x1b["...), code...), 'm')
	return append(l.appendPath(b, path), "\x1b[0m"...)
}

func (l *line) appendPath(b, path []byte) []byte {
	return l.appendText(b, format.Separate(path, l.Separator))
}

func (l *line) appendText(b, text []byte) []byte {
	if l.Escape {
		return term.AppendEscaped(b, text)
	}
	return append(b, text...)
}
