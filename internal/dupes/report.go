package dupes

import (
	"bufio"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"

	"ldx/internal/format"
	"ldx/internal/term"
)

// A View writes groups for people.
type View struct {
	Unit    format.Unit                 // of sizes
	Path    func(b, path []byte) []byte // appends the path of a file as it is shown
	Dir     func(b, path []byte) []byte // and that of a directory
	Colours bool
	Total   bool // the last line sums up
}

// Write writes the groups: a line with size and saving, and a line for each name. A further hard
// link to the file above has an = before it.
func (v *View) Write(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var b []byte
	for g := range r.Groups() {
		b = v.appendHead(b[:0], &g)
		for i := range g.Copies {
			for j, name := range g.Copies[i].Names {
				indent := "  "
				if j > 0 {
					indent = "  = "
				}
				b = append(v.Path(append(b, indent...), []byte(name.Path)), '\n')
			}
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if v.Total && r.Len() > 0 {
		v.writeTotal(w, r.Len(), r.Files(), r.Save())
	}
	return w.Flush()
}

// writeTotal writes the last line.
func (v *View) writeTotal(w io.Writer, groups, copies int, save int64) {
	fmt.Fprintf(w, "%s, %s: %s to save\n", number(groups, "group", "groups"), number(copies, "copy too many", "copies too many"), v.size(save))
}

func (v *View) appendHead(b []byte, g *Group) []byte {
	return append(v.strong(b, fmt.Sprintf("%d copies of %s, %s to save", len(g.Copies), v.size(g.Size), v.size(g.Save))), '\n')
}

// strong appends a head.
func (v *View) strong(b []byte, text string) []byte {
	if v.Colours {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	return append(b, text...)
}

func (v *View) size(n int64) string { return string(v.Unit.Append(nil, uint64(max(n, 0)))) }

// number returns a number with its noun.
func number(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return string(format.Grouped.Append(nil, uint64(n))) + " " + many
}

// WriteNull writes a path of each copy with a NUL after it, and one more NUL after each group.
func WriteNull(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	for g := range r.Groups() {
		for i := range g.Copies {
			_, _ = w.WriteString(g.Copies[i].Names[0].Path + "\x00") // Flush returns the error
		}
		_ = w.WriteByte(0)
	}
	return w.Flush()
}

// WriteJSON writes an object for each group, on a line of its own.
func WriteJSON(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var b []byte
	for g := range r.Groups() {
		b = fmt.Appendf(b[:0], `{"size":%d,"copies":%d,"save":%d,"sha256":"%x","files":[`, g.Size, len(g.Copies), g.Save, g.Sum)
		for i := range g.Copies {
			c := &g.Copies[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = term.AppendJSON(append(b, '{'), "path", []byte(c.Names[0].Path))
			for j, name := range c.Names[1:] {
				separator := `,{`
				if j == 0 {
					separator = `,"links":[{`
				}
				b = append(term.AppendJSON(append(b, separator...), "path", []byte(name.Path)), '}')
			}
			if len(c.Names) > 1 {
				b = append(b, ']')
			}
			b = append(b, '}')
		}
		_, _ = w.Write(append(b, "]}\n"...)) // Flush returns the error
	}
	return w.Flush()
}

// WriteCSV writes a header and a row for each name (RFC 4180). Names of one file have the same
// number of the copy. escape is for a terminal, which could take names for commands.
func WriteCSV(to io.Writer, r *Result, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "save", "sha256", "copy", "path"}) // Error returns it
	n := 0
	for g := range r.Groups() {
		n++
		for i := range g.Copies {
			for _, name := range g.Copies[i].Names {
				path := name.Path
				if escape {
					path = term.Escape(path)
				}
				_ = w.Write([]string{
					strconv.Itoa(n), strconv.FormatInt(g.Size, 10), strconv.FormatInt(g.Save, 10), hex.EncodeToString(g.Sum[:]),
					strconv.Itoa(i + 1), path,
				})
			}
		}
	}
	w.Flush()
	return w.Error()
}
