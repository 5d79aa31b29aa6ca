package dupes

import (
	"strconv"
	"time"

	"ldx/internal/term"
)

// A Change is what was done with one name.
type Change struct {
	Deed  Deed
	Name  *Name
	Kept  *Name // of the copy that was kept
	Saved int64 // bytes on disk; 0 if other names of the file are left
}

// Text returns a line that says what was done or, if it is dry, what would be.
func (c *Change) Text(dry bool) string {
	path, kept := c.Name.Path, c.Kept.Path
	switch {
	case c.Deed == Delete && dry:
		return "would delete " + path + ", and keep " + kept
	case c.Deed == Delete:
		return "deleted " + path + ", kept " + kept
	case c.Deed == HardLink && dry:
		return "would link " + path + " to " + kept
	case c.Deed == HardLink:
		return "linked " + path + " to " + kept
	case dry:
		return "would let " + path + " share the blocks of " + kept
	}
	return path + " shares the blocks of " + kept
}

// AppendJSON appends an object and a newline. The time is left out if it is zero.
func (c *Change) AppendJSON(b []byte, when time.Time) []byte {
	b = append(b, '{')
	if !when.IsZero() {
		b = append(when.UTC().AppendFormat(append(b, `"time":"`...), time.RFC3339Nano), `",`...)
	}
	b = term.AppendJSON(b, "deed", []byte(c.Deed.String()))
	b = term.AppendJSON(append(b, ','), "path", []byte(c.Name.Absolute))
	b = term.AppendJSON(append(b, ','), "kept", []byte(c.Kept.Absolute))
	return append(strconv.AppendInt(append(b, `,"saved":`...), c.Saved, 10), "}\n"...)
}

// newChange returns the change of a name of a copy. The last one frees the blocks, if no other name
// was left.
func newChange(deed Deed, kept, c *Copy, name int) Change {
	change := Change{Deed: deed, Name: &c.Names[name], Kept: &kept.Names[0]}
	if deed == Reflink || name == len(c.Names)-1 && c.Links <= uint64(len(c.Names)) {
		change.Saved = c.Allocated
	}
	return change
}
