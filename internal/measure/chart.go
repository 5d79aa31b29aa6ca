package measure

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// A Chart is bars, of which longer ones are more. The libraries for this cost more at
// the start of each search (0.1 to 0.9 ms) than a search of a directory takes.
type Chart struct {
	Title string
	Bars  []Bar
	Line  float64 // a value to compare with, drawn in SVG; 0: none
}

// A Bar is one value of a Chart.
type Bar struct {
	Label string
	Value float64
	Shown string // the value, in words
	Mark  bool   // it is the one to look at
}

func (c *Chart) most() float64 {
	most := max(c.Line, 1e-9)
	for _, b := range c.Bars {
		most = max(most, b.Value)
	}
	return most
}

// Text returns the chart for a terminal that is so many columns wide.
func (c *Chart) Text(width int) string {
	labels, values := 0, 0
	for _, b := range c.Bars {
		labels, values = max(labels, utf8.RuneCountInString(b.Label)), max(values, utf8.RuneCountInString(b.Shown))
	}
	room := max(10, min(width, 100)-labels-values-6)
	var b strings.Builder
	b.WriteString(c.Title + "\n")
	for _, bar := range c.Bars {
		const eighths = "▏▎▍▌▋▊▉"
		n := int(bar.Value/c.most()*float64(room)*8 + 0.5)
		drawn := strings.Repeat("█", n/8)
		if n%8 > 0 {
			drawn += string([]rune(eighths)[n%8-1])
		}
		mark := ""
		if bar.Mark {
			mark = " *"
		}
		fmt.Fprintf(&b, "%*s  %s %s%s\n", labels, bar.Label, drawn, bar.Shown, mark)
	}
	return b.String()
}

// SVG returns the charts below each other as an SVG image, 720 wide. Its text is that
// of the reader's own fonts, and it can be read on dark and on light.
func SVG(charts []*Chart) string {
	const (
		width, label, value = 720, 190, 170 // of which the labels and values have so much
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
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/><text x="%.1f" y="%d">%s</text>`+"\n",
				label-8, y+11, html.EscapeString(one.Label), label, y, max(1, one.Value/c.most()*longest), bar, colour,
				label+one.Value/c.most()*longest+6, y+11, html.EscapeString(one.Shown))
			y += row
		}
		if c.Line > 0 {
			x := label + c.Line/c.most()*longest
			fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#c0392b" stroke-dasharray="4 3"/>`+"\n", x, top-4, y-2)
		}
	}
	y += 8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">`+
		"\n"+`<rect width="%[1]d" height="%[2]d" fill="#fff"/>`+"\n%[3]s</svg>\n", width, y, b.String())
}
