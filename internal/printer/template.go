package printer

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/term"
)

// Groups are the groups of the patterns that entries match.
type Groups interface {
	// LookUp returns the index, in what Find returns, of a group by its name or number; -1 if no
	// group has the name. The error says why there is none of that number.
	LookUp(name string) (int, error)
	// Names returns the names that groups have.
	Names() []string
	// Find returns what the groups that were looked up match of an entry. It may be called
	// concurrently.
	Find(e *dir.Entry) ([][]byte, error)
}

// Fields are the properties and groups that some templates have placeholders for.
type Fields struct {
	groups  Groups  // nil: there are none
	fields  []field // by their numbers in the templates
	needs   dir.Fields
	grouped bool // some are groups
}

// A field is a property, or else a group.
type field struct {
	property.Field
	group int
}

// NewFields returns Fields that may be groups too; nil: of properties alone.
func NewFields(groups Groups) *Fields { return &Fields{groups: groups} }

// LookUp is a format.LookUp of groups and, if no group has the name, of properties. Where groups have
// names, a name that neither has is an error in commands too.
func (f *Fields) LookUp(name, layout string) (int, error) {
	group := -1
	if f.groups != nil {
		var err error
		if group, err = f.groups.LookUp(name); err != nil {
			return 0, err
		}
	}
	if group >= 0 {
		if layout != "" {
			return 0, format.ErrLayout
		}
		f.grouped = true
		f.fields = append(f.fields, field{group: group})
		return len(f.fields) - 1, nil
	}
	if format.PathPart(name) != nil {
		return 0, &format.UnknownError{Name: name}
	}
	p, err := property.NewField(name, layout)
	if err != nil {
		return 0, f.unknown(err)
	}
	f.fields = append(f.fields, field{Field: p})
	f.needs |= p.Needs
	return len(f.fields) - 1, nil
}

// unknown returns err, or another error if that means that there is no such name.
func (f *Fields) unknown(err error) error {
	unknown, ok := errors.AsType[*format.UnknownError](err)
	if !ok || f.groups == nil || len(f.groups.Names()) == 0 {
		return err
	}
	return fmt.Errorf("there is no such placeholder, and the groups of the pattern are {%s}; for the text give {{%s}}",
		strings.Join(f.groups.Names(), "} {"), unknown.Name)
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
	var groups [][]byte
	if f.grouped {
		var err error
		if groups, err = f.groups.Find(e); err != nil {
			report(&fs.PathError{Op: "match", Path: e.Path(), Err: err})
		}
	}
	return func(b []byte, n int) []byte {
		field := &f.fields[n]
		if field.Property == nil {
			return append(b, groups[field.group]...)
		}
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
	fields *Fields
}

// NewTemplate returns a Template of a text with the placeholders of package format, those of
// properties and those of groups, if it is not nil. Each result ends in end. The error is that of
// format.ParseLine.
func NewTemplate(text string, s Style, end byte, groups Groups) (*Template, error) {
	t := &Template{style: s, end: end, fields: NewFields(groups)}
	var err error
	t.text, err = format.ParseLine(text, t.fields.LookUp)
	return t, err
}

// NewPathTemplate is NewTemplate with placeholders for parts of the path alone.
func NewPathTemplate(text string, s Style, end byte) *Template {
	return &Template{style: s, end: end, text: format.Parse(text), fields: NewFields(nil)}
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
		Show:      t.style.show(),
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
