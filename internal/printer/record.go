package printer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/term"
)

// RecordFields returns the fields of a JSON or CSV record unless others are asked for.
func RecordFields() []string {
	return []string{"path", "type", "size", "mtime", "mode", "user", "group", "inode", "links", "depth", "target"}
}

// A recorder has the fields of records, which are what templates have placeholders for.
type recorder struct {
	style  Style
	fields []recordField
	needs  dir.Fields
}

// A recordField is a property, or else a part of the path.
type recordField struct {
	name string
	property.Field
	part   func(b, path []byte) []byte
	number bool
	raw    bool // it is a time to the nanosecond
}

// newRecorder returns a recorder of fields, each as NAME or NAME:LAYOUT. The error is that of
// property.NewField, or says that a field is given twice.
func newRecorder(s Style, names []string) (r recorder, err error) {
	r.style = s
	for _, text := range names {
		name, layout, _ := strings.Cut(text, ":")
		if slices.ContainsFunc(r.fields, func(f recordField) bool { return f.name == name }) {
			return r, fmt.Errorf("%s is given twice", name)
		}
		f := recordField{name: name}
		if f.part = format.PathPart(name); f.part == nil {
			if f.Field, err = property.NewField(name, layout); err != nil {
				return r, fmt.Errorf("%s: %w", text, err)
			}
			f.number, f.raw = layout == "" && f.IsNumber(), layout == "" && f.IsTime()
			r.needs |= f.Needs
		} else if layout != "" {
			return r, fmt.Errorf("%s: %w", text, format.ErrLayout)
		}
		r.fields = append(r.fields, f)
	}
	return r, nil
}

// Needs returns what the Info of each result is asked for.
func (r *recorder) Needs() dir.Fields { return r.needs }

// appendField appends the value of a field. ok is false if the entry has none, or the system does
// not say: info is nil then.
func (r *recorder) appendField(b []byte, f *recordField, e *dir.Entry, info *dir.Info) (_ []byte, ok bool) {
	switch {
	case f.part != nil:
		from := len(b)
		b = appendPath(b, e, r.style.Slash == SlashAlways)
		if f.name != "path" {
			b = cutFront(f.part(b, b[from:]), from, len(b))
		}
		return append(b[:from], format.Separate(b[from:], r.style.Separator)...), true
	case f.Needs != 0 && info == nil || !f.Has(e, info):
		return b, false
	case f.raw:
		return f.AppendRaw(b, e, info), true
	}
	b, err := f.Append(b, e, info)
	r.style.report(err)
	return b, err == nil
}

// cutFront returns b without b[from:to].
func cutFront(b []byte, from, to int) []byte {
	return b[:from+copy(b[from:], b[to:])]
}

// infoOf returns what is known of an entry, or nil.
func (r *recorder) infoOf(e *dir.Entry) *dir.Info {
	if r.needs == 0 {
		return nil
	}
	info, err := e.Info(r.needs)
	if err != nil {
		return nil
	}
	return info
}

// A JSON renders results as JSON objects, one a line (--json). What an entry does not have is left
// out. A text that is not UTF-8 is in base64, and its name ends in _b64.
type JSON struct {
	recorder
	end byte
}

// NewJSON returns a JSON of fields, as NAME or NAME:LAYOUT. Each object ends in end.
func NewJSON(s Style, fields []string, end byte) (*JSON, error) {
	r, err := newRecorder(s, fields)
	return &JSON{r, end}, err
}

// Append appends the object of a result.
func (j *JSON) Append(b []byte, e *dir.Entry) []byte {
	info := j.infoOf(e)
	b = append(b, '{')
	start := len(b)
	for i := range j.fields {
		from := len(b)
		if from > start {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = j.appendMember(b, &j.fields[i], e, info); !ok {
			b = b[:from]
		}
	}
	return append(b, '}', j.end)
}

// appendMember appends "name":value.
func (j *JSON) appendMember(b []byte, f *recordField, e *dir.Entry, info *dir.Info) (_ []byte, ok bool) {
	if f.number {
		b = append(append(append(b, '"'), f.name...), `":`...)
		return j.appendField(b, f, e, info)
	}
	from := len(b)
	b, ok = j.appendField(b, f, e, info)
	to := len(b)
	return cutFront(term.AppendJSON(b, f.name, b[from:]), from, to), ok
}

// A CSV renders results as rows of comma-separated values (RFC 4180), after a row of names.
// What an entry does not have is empty.
type CSV struct{ recorder }

// NewCSV returns a CSV of fields, as NAME or NAME:LAYOUT.
func NewCSV(s Style, fields []string) (*CSV, error) {
	r, err := newRecorder(s, fields)
	return &CSV{r}, err
}

// Head returns the row of names.
func (c *CSV) Head() []byte {
	var b []byte
	for i := range c.fields {
		b = append(append(b, c.fields[i].name...), ',')
	}
	return append(b[:len(b)-1], '\n')
}

// Append appends the row of a result.
func (c *CSV) Append(b []byte, e *dir.Entry) []byte {
	info := c.infoOf(e)
	start := len(b)
	for i := range c.fields {
		if i > 0 {
			b = append(b, ',')
		}
		from := len(b)
		b, _ = c.appendField(b, &c.fields[i], e, info)
		if c.style.Escape {
			b = term.AppendEscaped(b[:from], bytes.Clone(b[from:]))
		}
		b = quoteCSV(b, from)
	}
	if len(b) == start { // or readers would skip the row
		b = append(b, `""`...)
	}
	return append(b, '\n')
}

// quoteCSV puts the field b[from:] into quotes if it needs them.
func quoteCSV(b []byte, from int) []byte {
	if !bytes.ContainsAny(b[from:], ",\"\r\n") {
		return b
	}
	text := bytes.ReplaceAll(b[from:], []byte{'"'}, []byte(`""`))
	return append(append(append(b[:from], '"'), text...), '"')
}
