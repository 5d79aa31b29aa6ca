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
}

// Help returns the help of a command with these flags.
func (p Page) Help(f *Flags) []byte {
	w := bytes.NewBufferString(strings.ToUpper(p.Name[:1]) + p.Name[1:] + ": " + p.Title + ".\n\nUsage:\n")
	for _, usage := range p.Usage {
		w.WriteString("  " + p.Name + " " + usage + "\n")
	}
	w.WriteString("\n" + p.About + "\nExamples:\n" + p.Examples)
	for _, section := range f.sections {
		fmt.Fprintf(w, "\n%s:\n", section)
		f.listed(section, func(flag *pflag.Flag) { writeFlag(w, flag, f.text(flag)) })
	}
	w.WriteString("\nExit status:\n" + p.Status)
	return w.Bytes()
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

// Manual returns the manual page, in the language of man(7).
func (p Page) Manual(f *Flags) []byte {
	name := strings.ReplaceAll(p.Name, " ", "-")
	w := bytes.NewBufferString(fmt.Sprintf(".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(name), roff(name), p.Title))
	for i, usage := range p.Usage {
		if i > 0 {
			w.WriteString(".br\n")
		}
		fmt.Fprintf(w, ".B %s\n%s\n", p.Name, usage)
	}
	writeSection(w, "description", p.About)
	for _, section := range f.sections {
		fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(section))
		f.listed(section, func(flag *pflag.Flag) {
			names, value := signature(flag)
			fmt.Fprintf(w, ".TP\n\\fB%s\\fI%s\\fR\n%s\n", roff(names), roff(value), roff(f.text(flag)))
		})
	}
	writeSection(w, "examples", p.Examples)
	writeSection(w, "exit status", p.Status)
	return w.Bytes()
}

func writeSection(w *bytes.Buffer, title, text string) {
	fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(title))
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(paragraph, "  ") {
			fmt.Fprintf(w, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
		} else {
			fmt.Fprintf(w, ".PP\n%s\n", roff(paragraph))
		}
	}
}

// roff escapes what troff would take for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// Markdown returns a table of the flags.
func (f *Flags) Markdown() string {
	var w strings.Builder
	w.WriteString("| flag | |\n|---|---|\n")
	for _, section := range f.sections {
		fmt.Fprintf(&w, "| **%s** | |\n", section)
		f.listed(section, func(flag *pflag.Flag) {
			names, value := signature(flag)
			text := strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(f.text(flag))
			fmt.Fprintf(&w, "| `%s` | %s |\n", names+value, text)
		})
	}
	return w.String()
}
