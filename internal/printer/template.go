package printer

import (
	"slices"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/term"
)

// Fields are the properties that some templates have placeholders for.
type Fields struct {
	fields []property.Field // by their numbers in the templates
	needs  dir.Fields
}

// LookUp is a format.LookUp of properties.
func (f *Fields) LookUp(name, layout string) (int, error) {
	field, err := property.NewField(name, layout)
	if err != nil {
		return 0, err
	}
	f.fields = append(f.fields, field)
	f.needs |= field.Needs
	return len(f.fields) - 1, nil
}

// Len returns the number of fields.
func (f *Fields) Len() int { return len(f.fields) }

// of returns what appends a field of an entry. What the system does not say is a question mark.
func (f *Fields) of(e *dir.Entry, report func(error)) func(b []byte, n int) []byte {
	var info *dir.Info
	var infoErr error
	if f.needs != 0 {
		info, infoErr = e.Info(f.needs)
	}
	return func(b []byte, n int) []byte {
		field := &f.fields[n]
		if field.Needs != 0 && infoErr != nil {
			return append(b, '?')
		}
		b, err := field.Append(b, e, info)
		report(err)
		return b
	}
}

// A Template renders results as a text with placeholders says (--format).
type Template struct {
	style  Style
	end    byte
	text   *format.Template
	fields Fields
}

// NewTemplate returns a Template of a text with the placeholders of package format and
// those of properties. Each result ends in end. The error is that of format.ParseLine.
func NewTemplate(text string, s Style, end byte) (*Template, error) {
	t := &Template{style: s, end: end}
	var err error
	t.text, err = format.ParseLine(text, t.fields.LookUp)
	return t, err
}

// NewPathTemplate is NewTemplate with placeholders for parts of the path alone.
func NewPathTemplate(text string, s Style, end byte) *Template {
	return &Template{style: s, end: end, text: format.Parse(text)}
}

// Needs returns what the Info of each result is asked for.
func (t *Template) Needs() dir.Fields { return t.fields.needs }

// Append appends a result.
func (t *Template) Append(b []byte, e *dir.Entry) []byte {
	values := format.Values{
		Path:      appendPath(nil, e, t.style.Slash == SlashAlways),
		Separator: t.style.Separator,
		Field:     t.fields.of(e, t.style.report),
		Width:     term.Width,
	}
	if t.style.Escape {
		values.Show = term.AppendEscaped
	}
	b = t.text.Fill(t.style.appendLink(b, e), &values)
	return append(t.style.appendLinkEnd(b), t.end)
}

// NewArguments returns a Renderer of what commands get of a result: its path, and after a NUL each
// of the fields that their placeholders stand for. report gets the errors of reading links.
func NewArguments(f *Fields, report func(error)) Renderer {
	if f.Len() == 0 {
		return Paths
	}
	return &arguments{f, Style{Report: report}}
}

type arguments struct {
	fields *Fields
	style  Style
}

func (a *arguments) Needs() dir.Fields { return a.fields.needs }

func (a *arguments) Append(b []byte, e *dir.Entry) []byte {
	b = appendPath(b, e, false)
	field := a.fields.of(e, a.style.report)
	for n := range a.fields.fields {
		b = field(append(b, 0), n)
	}
	return b
}

// Placeholders returns the names that NewTemplate knows, in braces.
func Placeholders() []string {
	names := format.PathNames()
	for _, name := range property.Placeholders() {
		if name = "{" + name + "}"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
