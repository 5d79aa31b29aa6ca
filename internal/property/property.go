// Package property has a table of what is known about an entry: name, size, times, owner and
// so on. Sorting, templates, listings, filters and du share it, so that a property has one
// name, one format and one order everywhere.
package property

import (
	"io/fs"
	"slices"
	"strconv"
	"time"

	"ldx/internal/dir"
	"ldx/internal/format"
)

// A Property is something that is known about an entry. One of text, number, bytes, isTime,
// owner and target is set, which says how it is compared and shown.
type Property struct {
	Name    string     // in --sort, templates, CSV and JSON
	Aliases []string   // other names, but not in templates
	Needs   dir.Fields // what the entry's Info is asked for

	text   func(b []byte, e *dir.Entry, info *dir.Info) []byte // appends the text
	number func(e *dir.Entry, info *dir.Info) uint64
	octal  bool                        // how the number is shown
	bytes  func(info *dir.Info) uint64 // a number of bytes
	isTime bool                        // the time in the field Needs
	owner  func(info *dir.Info) uint32 // the number of a name in owners
	owners *owners
	target bool // the target of a link, which the system is asked for each time
}

var table = [...]Property{
	{Name: "path", text: func(b []byte, e *dir.Entry, _ *dir.Info) []byte { return e.AppendPath(b) }},
	{Name: "name", text: func(b []byte, e *dir.Entry, _ *dir.Info) []byte { return append(b, e.Name...) }},
	{
		Name: "ext", Aliases: []string{"extension"},
		text: func(b []byte, e *dir.Entry, _ *dir.Info) []byte { return append(b, dir.Extension(e.Name)...) },
	},
	{Name: "depth", number: func(e *dir.Entry, _ *dir.Info) uint64 { return uint64(e.Depth()) }},
	{Name: "type", text: func(b []byte, e *dir.Entry, _ *dir.Info) []byte { return append(b, TypeName(e.Type)...) }},
	{Name: "size", Needs: dir.Size, bytes: func(info *dir.Info) uint64 { return uint64(max(info.Size, 0)) }},
	{Name: "blocks", Needs: dir.Allocated, number: func(_ *dir.Entry, info *dir.Info) uint64 { return blocks(info.Allocated) }},
	{Name: "mtime", Aliases: []string{"modified"}, Needs: dir.ModTime, isTime: true},
	{Name: "atime", Aliases: []string{"accessed", "access", "use"}, Needs: dir.AccessTime, isTime: true},
	{Name: "ctime", Aliases: []string{"status"}, Needs: dir.ChangeTime, isTime: true},
	{Name: "btime", Aliases: []string{"created", "birth"}, Needs: dir.BirthTime, isTime: true},
	{Name: "mode", Needs: dir.Mode, text: func(b []byte, _ *dir.Entry, info *dir.Info) []byte { return AppendMode(b, info.Mode) }},
	{Name: "perm", Needs: dir.Mode, octal: true, number: func(_ *dir.Entry, info *dir.Info) uint64 { return permissions(info.Mode) }},
	{Name: "links", Needs: dir.Links, number: func(_ *dir.Entry, info *dir.Info) uint64 { return info.Links }},
	{Name: "user", Needs: dir.Owner, owner: func(info *dir.Info) uint32 { return info.User }, owners: &users},
	{Name: "group", Needs: dir.Owner, owner: func(info *dir.Info) uint32 { return info.Group }, owners: &groups},
	{Name: "uid", Needs: dir.Owner, number: func(_ *dir.Entry, info *dir.Info) uint64 { return uint64(info.User) }},
	{Name: "gid", Needs: dir.Owner, number: func(_ *dir.Entry, info *dir.Info) uint64 { return uint64(info.Group) }},
	{Name: "inode", Needs: dir.Identity, number: func(_ *dir.Entry, info *dir.Info) uint64 { return info.Inode }},
	{Name: "target", target: true},
}

// blocks returns a number of bytes in blocks of 512 bytes, rounded up, as st_blocks.
func blocks(allocated int64) uint64 { return (uint64(max(allocated, 0)) + 511) / 512 }

// Get returns the Property with a name or alias, or nil if there is none.
func Get(name string) *Property {
	for i := range table {
		if p := &table[i]; p.Name == name || slices.Contains(p.Aliases, name) {
			return p
		}
	}
	return nil
}

// Sorts reports whether entries can be sorted by the property.
func (p *Property) Sorts() bool { return !p.target }

// IsText reports whether the property is words, which begin at the left of a column.
func (p *Property) IsText() bool { return p.text != nil || p.owners != nil || p.target }

// IsNumber reports whether the property is a decimal number unless it has a layout.
func (p *Property) IsNumber() bool { return p.bytes != nil || p.number != nil && !p.octal }

// IsTime reports whether the property is a time.
func (p *Property) IsTime() bool { return p.isTime }

// Has reports whether an entry, whose Info is info, has the property: not every file system has
// every time, and only links have targets.
func (p *Property) Has(e *dir.Entry, info *dir.Info) bool {
	switch {
	case p.isTime:
		return Known(Time(info, p.Needs))
	case p.target:
		return e.Type == fs.ModeSymlink
	}
	return true
}

// SortKeys returns the names of the properties that entries can be sorted by.
func SortKeys() (names []string) {
	for i := range table {
		if p := &table[i]; p.Sorts() {
			names = append(names, p.Name)
		}
	}
	return names
}

// Placeholders returns the names of all properties.
func Placeholders() (names []string) {
	for i := range table {
		names = append(names, table[i].Name)
	}
	return names
}

// A Field is a Property and how it is shown.
type Field struct {
	*Property
	unit format.Unit // of bytes
	time TimeLayout
}

// NewField returns the Field with a name and a layout, which may be "". The layout of a size is
// one that format.ParseLayout reads, that of a time is one of NewTimeLayout, that of a mode is o,
// and other properties have none. The error is a *format.UnknownError if there is no such
// Property.
func NewField(name, layout string) (f Field, err error) {
	if name == "mode" && layout == "o" {
		name, layout = "perm", ""
	}
	i := slices.IndexFunc(table[:], func(p Property) bool { return p.Name == name })
	if i < 0 {
		return f, &format.UnknownError{Name: name}
	}
	f = Field{Property: &table[i]}
	switch {
	case layout == "":
	case f.bytes != nil:
		f.unit, err = format.ParseLayout(layout)
	case f.isTime:
		f.time, err = NewTimeLayout(layout)
	default:
		err = format.ErrLayout
	}
	return f, err
}

// Append appends the property of e, whose Info is info, and returns the extended slice. An
// owner is appended by name. The error is that of reading a link; then nothing is appended.
func (f *Field) Append(b []byte, e *dir.Entry, info *dir.Info) ([]byte, error) {
	switch {
	case f.bytes != nil:
		return f.unit.Append(b, f.bytes(info)), nil
	case f.isTime:
		return f.time.append(b, Time(info, f.Needs)), nil
	case f.owner != nil:
		return append(b, f.owners.name(f.owner(info))...), nil
	case f.target && e.Type == fs.ModeSymlink:
		target, err := e.Target()
		return append(b, target...), err
	}
	return f.AppendRaw(b, e, info), nil
}

// AppendRaw appends the property without a layout: a time as in JSON, an owner by number, so
// that no name is looked up.
func (p *Property) AppendRaw(b []byte, e *dir.Entry, info *dir.Info) []byte {
	switch {
	case p.text != nil:
		return p.text(b, e, info)
	case p.octal:
		return strconv.AppendUint(b, p.number(e, info), 8)
	case p.number != nil:
		return strconv.AppendUint(b, p.number(e, info), 10)
	case p.bytes != nil:
		return strconv.AppendUint(b, p.bytes(info), 10)
	case p.isTime:
		return AppendTime(b, Time(info, p.Needs), time.UTC, time.RFC3339Nano)
	case p.owner != nil:
		return strconv.AppendUint(b, uint64(p.owner(info)), 10)
	}
	return b
}

// AppendShown appends what AppendRaw has appended, with the name of an owner.
func (p *Property) AppendShown(b, raw []byte) []byte {
	if p.owners != nil {
		if id, err := strconv.ParseUint(string(raw), 10, 32); err == nil {
			return append(b, p.owners.name(uint32(id))...)
		}
	}
	return append(b, raw...)
}
