package printer

import "ldx/internal/dir"

// A Renderer makes the text of results. It is safe for concurrent use.
type Renderer interface {
	// Needs returns what Append asks the Info of each entry for.
	Needs() dir.Fields
	// Append appends the text of a result, with its end, to b and returns the extended
	// slice.
	Append(b []byte, e *dir.Entry) []byte
}

// Paths renders results as commands get them: the path alone.
var Paths Renderer = paths{}

type paths struct{}

func (paths) Needs() dir.Fields { return 0 }

func (paths) Append(b []byte, e *dir.Entry) []byte { return appendPath(b, e, false) }

// NewLines returns a Renderer of paths, a line each, which end in end.
func NewLines(s Style, end byte) Renderer {
	if s.isPlain() {
		p := plainLines{end: end, slash: '/'}
		if s.Separator != "" {
			p.slash = s.Separator[0]
		}
		return p
	}
	return &styledLines{s, end}
}

// plainLines are the paths as they are, with a slash after a directory's.
type plainLines struct{ slash, end byte }

func (plainLines) Needs() dir.Fields { return 0 }

func (p plainLines) Append(b []byte, e *dir.Entry) []byte {
	from := len(b)
	b = appendPath(b, e, true)
	if p.slash != '/' {
		for i := from; i < len(b); i++ {
			if b[i] == '/' {
				b[i] = p.slash
			}
		}
	}
	return append(b, p.end)
}

// styledLines are the paths in any Style.
type styledLines struct {
	style Style
	end   byte
}

func (*styledLines) Needs() dir.Fields { return 0 }

// MayNeed returns the fields that are asked for only of results whose colour depends on them.
func (l *styledLines) MayNeed() dir.Fields { return l.style.mayNeed() }

func (l *styledLines) Append(b []byte, e *dir.Entry) []byte {
	slash := l.style.Slash != SlashNever
	if l.style.Listed && l.style.Slash == SlashAuto {
		slash = e.Tag != 0
	}
	return append(l.style.appendEntry(b, e, slash), l.end)
}
