package measure

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Report presents measurements, in sections.
type Report []Section

// A Section is a table with its title, notes and chart.
type Section struct {
	Title string
	Table Table
	Notes []string // printed below the table
	Chart *Chart   // nil: none
}

// A Table has a row of heads and rows of cells. The first Left columns are
// text, the others numbers.
type Table struct {
	Heads []string
	Rows  [][]string
	Left  int
	Extra []string // heads of the columns that a narrow screen lacks, the first of them first
}

// A Screen is what text is made for.
type Screen struct {
	Width int  // in columns
	ASCII bool // it shows ASCII only
}

// text returns text as the screen can show it.
func (s Screen) text(text string) string {
	if s.ASCII {
		return strings.NewReplacer("±", "+-", "≤", "<=", "σ", "s", "…", "...").Replace(text)
	}
	return text
}

// lines returns text in lines that the screen does not wrap, as far as words allow.
func (s Screen) lines(text string) string {
	var b strings.Builder
	column := 0
	const glued = "\x00" // a percent sign stays with its number
	for word := range strings.FieldsSeq(strings.ReplaceAll(s.text(text), " %", glued+"%")) {
		word = strings.ReplaceAll(word, glued, " ")
		length := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+length > s.Width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String() + "\n"
}

// Text returns the report for a terminal.
func (r Report) Text(screen Screen) string {
	var b strings.Builder
	for i := range r {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r[i].Text(screen))
	}
	return b.String()
}

// Text returns the section for a terminal.
func (s *Section) Text(screen Screen) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", screen.lines(s.Title), s.Table.Text(screen))
	for i, note := range s.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(screen.lines(note))
	}
	if s.Chart != nil {
		fmt.Fprintf(&b, "\n%s", s.Chart.Text(screen))
	}
	return b.String()
}

// Markdown returns the report for a file.
func (r Report) Markdown() string {
	var b strings.Builder
	for i := range r {
		s := &r[i]
		fmt.Fprintf(&b, "## %s\n\n%s\n", s.Title, s.Table.Markdown())
		for _, note := range s.Notes {
			fmt.Fprintf(&b, "%s\n\n", note)
		}
	}
	return b.String()
}

// SVG returns the charts of the report below each other, as an SVG image.
func (r Report) SVG() string {
	var charts []*Chart
	for i := range r {
		if r[i].Chart != nil {
			charts = append(charts, r[i].Chart)
		}
	}
	return SVG(charts)
}

// Text returns the table with its columns aligned, for a terminal.
func (t *Table) Text(screen Screen) string {
	shown := Table{Heads: t.Heads, Left: t.Left}
	for _, row := range t.Rows {
		cells := slices.Clone(row)
		for i := range cells {
			cells[i] = screen.text(cells[i])
		}
		shown.Rows = append(shown.Rows, cells)
	}
	for _, head := range t.Extra {
		if shown.width() <= screen.Width {
			break
		}
		shown = shown.without(slices.Index(shown.Heads, head))
	}
	var b strings.Builder
	widths := shown.widths()
	for _, row := range append([][]string{shown.Heads}, shown.Rows...) {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += gap
			}
			line += shown.pad(cell, i, widths[i])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// gap is between the columns of text.
const gap = "  "

// width returns the width of the table as text.
func (t *Table) width() int {
	sum := -len(gap)
	for _, width := range t.widths() {
		sum += width + len(gap)
	}
	return sum
}

// without returns the table without a column.
func (t *Table) without(column int) Table {
	cut := func(row []string) []string { return slices.Delete(slices.Clone(row), column, column+1) }
	less := Table{Heads: cut(t.Heads), Left: t.Left}
	if column < t.Left {
		less.Left--
	}
	for _, row := range t.Rows {
		less.Rows = append(less.Rows, cut(row))
	}
	return less
}

// Markdown returns the table as Markdown, with its columns aligned in the
// source.
func (t *Table) Markdown() string {
	var b strings.Builder
	escaped := Table{Heads: t.Heads, Left: t.Left}
	for _, row := range t.Rows {
		cells := slices.Clone(row)
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		escaped.Rows = append(escaped.Rows, cells)
	}
	t = &escaped
	widths := t.widths()
	line := func(row []string) {
		for i, cell := range row {
			b.WriteString("| " + t.pad(cell, i, widths[i]) + " ")
		}
		b.WriteString("|\n")
	}
	line(t.Heads)
	for i, width := range widths {
		rule := strings.Repeat("-", width+2)
		if i >= t.Left {
			rule = rule[:width+1] + ":"
		}
		b.WriteString("|" + rule)
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}

func (t *Table) widths() []int {
	widths := make([]int, len(t.Heads))
	for _, row := range append([][]string{t.Heads}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 1)
		}
	}
	return widths
}

func (t *Table) pad(cell string, column, width int) string {
	blank := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	if column < t.Left {
		return cell + blank
	}
	return blank + cell
}
