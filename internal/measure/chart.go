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
}

// A Bar is one value of a Chart.
type Bar struct {
	Label string
	Value float64
	Shown string // the value as text
	Mark  bool   // the best one
}

func (c *Chart) maxValue() float64 {
	highest := 1e-9
	for _, b := range c.Bars {
		highest = max(highest, b.Value)
	}
	return highest
}

// Text returns the chart for a terminal. Bars with Mark get a *.
func (c *Chart) Text(screen Screen) string {
	labels, values := 0, 0
	for _, b := range c.Bars {
		labels, values = max(labels, utf8.RuneCountInString(b.Label)), max(values, utf8.RuneCountInString(b.Shown))
	}
	room := max(10, min(screen.Width, 100)-labels-values-6)
	var b strings.Builder
	b.WriteString(screen.lines(c.Title))
	for _, bar := range c.Bars {
		drawn := format.Bar(bar.Value/c.maxValue(), room, screen.ASCII)
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
		width, value   = 720, 100 // of the image, and of values
		letter         = 7
		bar, row, head = 14, 20, 36
	)
	label := 24 // the width of labels
	for _, c := range charts {
		for _, one := range c.Bars {
			label = max(label, 24+letter*utf8.RuneCountInString(one.Label))
		}
	}
	longest := float64(width - label - value)
	var b strings.Builder
	y := 0
	for _, c := range charts {
		fmt.Fprintf(&b, `<text x="8" y="%d" font-weight="bold">%s</text>`+"\n", y+22, html.EscapeString(c.Title))
		y += head
		for _, one := range c.Bars {
			colour := "#7a9cc6"
			if one.Mark {
				colour = "#2f6fb5"
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`+
				`<text x="%.1f" y="%d">%s</text>`+"\n",
				label-8, y+11, html.EscapeString(one.Label), label, y, max(1, one.Value/c.maxValue()*longest), bar, colour,
				float64(label)+one.Value/c.maxValue()*longest+6, y+11, html.EscapeString(one.Shown))
			y += row
		}
	}
	y += 8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`+
		` font-family="sans-serif" font-size="12">`+
		"\n"+`<rect width="%[1]d" height="%[2]d" fill="#fff"/>`+"\n%[3]s</svg>\n", width, y, b.String())
}
