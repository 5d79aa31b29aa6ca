package printer

import (
	"slices"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
)

// A Template renders results as a text with placeholders says (--format).
type Template struct {
	style  Style
	end    byte
	text   *format.Template
	fields []property.Field // by their numbers in text
	needs  dir.Fields
}

// NewTemplate returns a Template of a text with the placeholders of package format and
// those of properties. Each result ends in end. The error is that of a layout.
func NewTemplate(text string, s Style, end byte) (*Template, error) {
	t := &Template{style: s, end: end}
	var err error
	t.text, err = format.ParseLine(text, func(name, layout string) (int, bool, error) {
		f, ok, err := property.NewField(name, layout)
		if ok {
			t.fields = append(t.fields, f)
			t.needs |= f.Needs
		}
		return len(t.fields) - 1, ok, err
	})
	return t, err
}

// NewPathTemplate is NewTemplate with placeholders for parts of the path alone.
func NewPathTemplate(text string, s Style, end byte) *Template {
	return &Template{style: s, end: end, text: format.Parse(text)}
}

// Needs returns what the Info of each result is asked for.
func (t *Template) Needs() dir.Fields { return t.needs }

// Append appends a result. What the system does not say is a question mark.
func (t *Template) Append(b []byte, e *dir.Entry) []byte {
	var info *dir.Info
	var infoErr error
	if t.needs != 0 {
		info, infoErr = e.Info(t.needs)
	}
	path := appendPath(nil, e, t.style.Slash == SlashAlways)
	b = t.style.appendLink(b, e)
	b = t.style.appendText(b, t.text.AppendLine(nil, path, t.style.Separator, func(b []byte, n int) []byte {
		f := &t.fields[n]
		if f.Needs != 0 && infoErr != nil {
			return append(b, '?')
		}
		b, err := f.Append(b, e, info)
		t.style.report(err)
		return b
	}))
	return append(t.style.appendLinkEnd(b), t.end)
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
