package command

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Manual returns the manual page, in the language of man(7). The version is that of the
// program, the date that of the page.
func (p Page) Manual(version, date string, sets ...*Flags) []byte {
	name := strings.ReplaceAll(p.Name, " ", "-")
	w := bytes.NewBufferString(fmt.Sprintf(".TH %s 1 %q %q\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n",
		strings.ToUpper(name), date, "ldx "+version, roff(name), roff(p.Title)))
	for i, usage := range p.Usage {
		if i > 0 {
			w.WriteString(".br\n")
		}
		fmt.Fprintf(w, ".B %s\n%s\n", roff(p.Name), roff(usage))
	}
	writeRoff(w, "## Description\n\n"+p.About)
	w.WriteString(".SH OPTIONS\n")
	eachSection(sets, func(f *Flags, section string) {
		fmt.Fprintf(w, ".SS %s\n", roff(section))
		f.listed(section, func(flag *pflag.Flag) {
			names, value := signature(flag)
			fmt.Fprintf(w, ".TP\n\\fB%s\\fI%s\\fR\n%s\n", roff(names), roff(value), roffLines(roffEscape(f.description(flag))))
		})
	})
	writeRoff(w, p.Sections)
	writeRoff(w, "## Exit status\n\n"+p.Status)
	writeRoff(w, "## Examples\n\n"+p.Examples)
	for i, page := range p.SeeAlso {
		if i == 0 {
			w.WriteString(".SH SEE ALSO\n")
		}
		title, section, _ := strings.Cut(strings.TrimSuffix(page, ")"), "(")
		end := ","
		if i == len(p.SeeAlso)-1 {
			end = ""
		}
		fmt.Fprintf(w, ".BR %s (%s)%s\n", roff(title), section, end)
	}
	return w.Bytes()
}

// writeRoff writes prose.
func writeRoff(w *bytes.Buffer, prose string) {
	first := false // of a section, which needs no space before it
	for _, b := range blocks(prose) {
		switch b.kind {
		case blockTitle:
			fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(b.text))
		case blockTerm:
			fmt.Fprintf(w, ".TP\n%s\n%s\n", roffInline(b.term), roffInline(b.text))
		case blockItem:
			fmt.Fprintf(w, ".IP \\(bu 2\n%s\n", roffInline(b.text))
		default:
			if !first {
				w.WriteString(".PP\n")
			}
			if b.kind == blockCode {
				fmt.Fprintf(w, ".EX\n%s\n.EE\n", roff(b.text))
			} else {
				fmt.Fprintln(w, roffInline(b.text))
			}
		}
		first = b.kind == blockTitle
	}
}

// roffInline returns text for troff, in lines of its own, with what is in backquotes in bold.
func roffInline(text string) string {
	var w strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			w.WriteString(`\fB` + strings.ReplaceAll(" "+roffEscape(part), " ", ` \%`)[1:] + `\fR`) // \%: without a hyphen
		} else {
			w.WriteString(roffEscape(part))
		}
	}
	return roffLines(w.String())
}

// roffLines folds text that is escaped. A dot that begins a line would make it a request.
func roffLines(text string) string {
	const columns = 80
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > columns {
			lines, line = append(lines, line), ""
		}
		switch {
		case line != "":
			line += " " + word
		case word[0] == '.':
			line = `\&` + word
		default:
			line = word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// roff returns lines for troff, as they are.
func roff(text string) string {
	return strings.ReplaceAll("\n"+roffEscape(text), "\n.", "\n\\&.")[1:]
}

// roffEscape replaces what troff would take for its own within a line.
func roffEscape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

// Markdown returns the manual page as Markdown.
func (p Page) Markdown(sets ...*Flags) []byte {
	w := bytes.NewBufferString("# " + p.Name + "\n\n" + p.Title + "\n\n")
	for _, usage := range p.Usage {
		w.WriteString("    " + p.Name + " " + usage + "\n")
	}
	writePlain(w, p.About)
	w.WriteString("\n## Options\n\n| flag | |\n|---|---|\n")
	eachSection(sets, func(f *Flags, section string) {
		fmt.Fprintf(w, "| **%s** | |\n", escapeMarkdown(section))
		f.listed(section, func(flag *pflag.Flag) {
			names, value := signature(flag)
			fmt.Fprintf(w, "| `%s` | %s |\n", names+value, escapeMarkdown(f.description(flag)))
		})
	})
	if p.Sections != "" {
		w.WriteString("\n" + strings.Trim(p.Sections, "\n") + "\n")
	}
	w.WriteString("\n## Exit status\n")
	writePlain(w, p.Status)
	w.WriteString("\n## Examples\n")
	writePlain(w, p.Examples)
	p.writeLinks(w)
	return w.Bytes()
}

// writePlain writes a text that is no Markdown; what is indented is code.
func writePlain(w *bytes.Buffer, text string) {
	for _, b := range blocks(text) {
		if b.kind == blockCode {
			fmt.Fprintf(w, "\n    %s\n", strings.ReplaceAll(b.text, "\n", "\n    "))
		} else {
			fmt.Fprintf(w, "\n%s\n", escapeMarkdown(b.text))
		}
	}
}

// writeLinks writes what to read besides: pages of this program are beside this one.
func (p Page) writeLinks(w *bytes.Buffer) {
	program, _, _ := strings.Cut(p.Name, " ")
	for i, page := range p.SeeAlso {
		sep := ", "
		if i == 0 {
			sep = "\n## See also\n\n"
		}
		if title, _, _ := strings.Cut(page, "("); title == program || strings.HasPrefix(title, program+"-") {
			page = "[" + page + "](" + title + ".md)"
		}
		w.WriteString(sep + page)
	}
	w.WriteString("\n")
}

func escapeMarkdown(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}
