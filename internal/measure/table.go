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
}

// Text returns the report for a terminal that is width columns wide.
func (r Report) Text(width int) string {
	var b strings.Builder
	for i := range r {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r[i].Text(width))
	}
	return b.String()
}

// Text returns the section for a terminal.
func (s *Section) Text(width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s", s.Title, s.Table.Text())
	for _, note := range s.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	if s.Chart != nil {
		fmt.Fprintf(&b, "\n%s", s.Chart.Text(width))
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

// Text returns the table with its columns aligned.
func (t *Table) Text() string {
	var b strings.Builder
	widths := t.widths()
	for _, row := range append([][]string{t.Heads}, t.Rows...) {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += "  "
			}
			line += t.pad(cell, i, widths[i])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
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
