package measure

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"ldx/internal/format"
)

// A Chart is a bar chart. Chart libraries cost more at the start of each search
// (0.1 to 0.9 ms) than searching a directory takes.
type Chart struct {
	Title string
	Bars  []Bar
	Line  float64 // a value to compare with, drawn in SVG only; 0: none
}

// A Bar is one value of a Chart.
type Bar struct {
	Label string
	Value float64
	Shown string // the value as text
	Mark  bool   // highlight the bar
}

func (c *Chart) maxValue() float64 {
	highest := max(c.Line, 1e-9)
	for _, b := range c.Bars {
		highest = max(highest, b.Value)
	}
	return highest
}

// Text returns the chart for a terminal that is width columns wide.
func (c *Chart) Text(width int) string {
	labels, values := 0, 0
	for _, b := range c.Bars {
		labels, values = max(labels, utf8.RuneCountInString(b.Label)), max(values, utf8.RuneCountInString(b.Shown))
	}
	room := max(10, min(width, 100)-labels-values-6)
	var b strings.Builder
	b.WriteString(c.Title + "\n")
	for _, bar := range c.Bars {
		drawn := format.Bar(bar.Value/c.maxValue(), room, false)
		mark := ""
		if bar.Mark {
			mark = " *"
		}
		fmt.Fprintf(&b, "%*s  %s %s%s\n", labels, bar.Label, drawn, bar.Shown, mark)
	}
	return b.String()
}

// SVG returns the charts below each other as an SVG image, 720 wide. It uses
// the reader's fonts, and is legible on dark and light backgrounds.
func SVG(charts []*Chart) string {
	const (
		width, label, value = 720, 190, 170 // widths of the image, of labels and of values
		bar, row, head      = 14, 20, 36
		longest             = width - label - value
	)
	var b strings.Builder
	y := 0
	for _, c := range charts {
		fmt.Fprintf(&b, `<text x="8" y="%d" font-weight="bold">%s</text>`+"\n", y+22, html.EscapeString(c.Title))
		y += head
		top := y
		for _, one := range c.Bars {
			colour := "#7a9cc6"
			if one.Mark {
				colour = "#2f6fb5"
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`+
				`<text x="%.1f" y="%d">%s</text>`+"\n",
				label-8, y+11, html.EscapeString(one.Label), label, y, max(1, one.Value/c.maxValue()*longest), bar, colour,
				label+one.Value/c.maxValue()*longest+6, y+11, html.EscapeString(one.Shown))
			y += row
		}
		if c.Line > 0 {
			x := label + c.Line/c.maxValue()*longest
			fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#c0392b" stroke-dasharray="4 3"/>`+"\n", x, top-4, y-2)
		}
	}
	y += 8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`+
		` font-family="sans-serif" font-size="12">`+
		"\n"+`<rect width="%[1]d" height="%[2]d" fill="#fff"/>`+"\n%[3]s</svg>\n", width, y, b.String())
}
