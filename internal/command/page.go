package command

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// A Page is what help and the manual page say of a command besides its flags.
type Page struct {
	Name, Title     string
	Usage           []string // what comes after the name
	About, Examples string
	Status          string // the exit statuses

	Sections string   // of the manual page, see prose.go
	SeeAlso  []string // manual pages, such as "fd(1)"
}

// Help returns the help of a command with these flags. Sections that several sets have are
// those of the first.
func (p Page) Help(sets ...*Flags) []byte {
	w := bytes.NewBufferString(p.Name + ": " + p.Title + "\n\nUsage:\n")
	for _, usage := range p.Usage {
		w.WriteString("  " + p.Name + " " + usage + "\n")
	}
	w.WriteString("\n" + p.About)
	if p.Examples != "" {
		w.WriteString("\nExamples:\n" + p.Examples)
	}
	eachSection(sets, func(f *Flags, section string) {
		fmt.Fprintf(w, "\n%s:\n", section)
		f.listed(section, func(flag *pflag.Flag) { writeFlag(w, flag, f.description(flag)) })
	})
	w.WriteString("\nExit status:\n" + p.Status)
	return w.Bytes()
}

// eachSection calls do for each section that has flags, with the first set that has it.
func eachSection(sets []*Flags, do func(f *Flags, section string)) {
	seen := map[string]bool{}
	for _, f := range sets {
		for _, section := range f.sections {
			if !seen[section] {
				seen[section] = true
				do(f, section)
			}
		}
	}
}

// writeFlag writes a flag and what it does, folded beside it.
func writeFlag(w *bytes.Buffer, f *pflag.Flag, text string) {
	const column, width = 28, 80
	names, value := signature(f)
	left := "  " + names + value
	if f.Shorthand == "" {
		left = "    " + left
	}
	if len(left) < column-1 {
		fmt.Fprintf(w, "%-*s", column-1, left)
	} else {
		fmt.Fprintf(w, "%s\n%*s", left, column-1, "")
	}
	at := column - 1
	for word := range strings.FieldsSeq(text) {
		if at+1+len(word) > width {
			fmt.Fprintf(w, "\n%*s", column-1, "")
			at = column - 1
		}
		fmt.Fprint(w, " ", word)
		at += 1 + len(word)
	}
	fmt.Fprintln(w)
}
