package dupes

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"ldx/internal/term"
)

// WriteDirs writes groups of directories: a line with size and saving, and a line for each.
func (v *View) WriteDirs(to io.Writer, groups []DirGroup) error {
	w := bufio.NewWriterSize(to, 32<<10)
	save, dirs := int64(0), 0
	for i := range groups {
		g := &groups[i]
		save += g.Save
		dirs += len(g.Paths) - 1
		files := number(g.Files, "file", "files")
		text := fmt.Sprintf("%d directories of %s, %s, %s to save", len(g.Paths), v.size(g.Size), files, v.size(g.Save))
		b := append(v.strong(nil, text), '\n')
		for _, path := range g.Paths {
			b = append(v.Dir(append(b, "  "...), []byte(path)), '\n')
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if v.Total && len(groups) > 0 {
		v.writeTotal(w, len(groups), dirs, save)
	}
	return w.Flush()
}

// WriteDirsNull writes the paths with a NUL after each, and one more after each group.
func WriteDirsNull(to io.Writer, groups []DirGroup) error {
	w := bufio.NewWriterSize(to, 32<<10)
	for _, g := range groups {
		for _, path := range g.Paths {
			_, _ = w.WriteString(path + "\x00") // Flush returns the error
		}
		_ = w.WriteByte(0)
	}
	return w.Flush()
}

// WriteDirsJSON writes an object for each group, on a line of its own.
func WriteDirsJSON(to io.Writer, groups []DirGroup) error {
	w := bufio.NewWriterSize(to, 32<<10)
	for _, g := range groups {
		b := fmt.Appendf(nil, `{"size":%d,"files":%d,"copies":%d,"save":%d,"dirs":[`, g.Size, g.Files, len(g.Paths), g.Save)
		for i, path := range g.Paths {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(term.AppendJSON(append(b, '{'), "path", []byte(path)), '}')
		}
		_, _ = w.Write(append(b, "]}\n"...)) // Flush returns the error
	}
	return w.Flush()
}

// WriteDirsCSV writes a header and a row for each directory (RFC 4180). escape is for a terminal,
// which could take names for commands.
func WriteDirsCSV(to io.Writer, groups []DirGroup, escape bool) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"group", "size", "files", "save", "path"}) // Error returns it
	for i, g := range groups {
		for _, path := range g.Paths {
			if escape {
				path = term.Escape(path)
			}
			_ = w.Write([]string{
				strconv.Itoa(i + 1), strconv.FormatInt(g.Size, 10), strconv.Itoa(g.Files), strconv.FormatInt(g.Save, 10), path,
			})
		}
	}
	w.Flush()
	return w.Error()
}
