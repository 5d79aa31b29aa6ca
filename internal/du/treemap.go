package du

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"ldx/internal/term"
)

// A Treemap draws a Result as nested rectangles. The area of each is the size of its node, and
// its shape as square as possible: Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000.
type Treemap struct {
	Style
	Width, Height float64 // pixels
}

const (
	header  = 16.0 // height of a directory's name
	margin  = 2.0
	minSide = 3.0 // smaller rectangles are not drawn
)

type rectangle struct{ x, y, width, height float64 }

// Write writes an SVG image. A browser shows the path and size of the node below the pointer.
func (m *Treemap) Write(to io.Writer, r *Result) error {
	view := View{Style: m.Style}
	tops := plant(view.all(r))
	for i, top := range tops {
		top.paint(i * hueStep)
		if len(tops) == 1 {
			for i, r := range top.rows {
				r.paint(i * hueStep)
			}
		}
	}
	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g"
  font-family="sans-serif" font-size="11">
<style>text { pointer-events: none } rect:hover { stroke: #000; stroke-width: 2 }</style>
<rect width="%[1]g" height="%[2]g" fill="#fff"/>
`, m.Width, m.Height)
	m.tile(&w, tops, r.Total.Bytes, rectangle{0, 0, m.Width, m.Height})
	w.WriteString("</svg>\n")
	_, err := w.WriteTo(to)
	return err
}

// hueStep is the distance between the colours of neighbours, in degrees. It has no factor in
// common with 360, so that all hues come before one comes again.
const hueStep = 47

func (r *row) paint(hue int) {
	r.hue = hue % 360
	for _, below := range r.rows {
		below.paint(hue)
	}
}

// tile draws rows, the biggest first, into a rectangle whose area is total bytes. What they do
// not fill stays empty.
func (m *Treemap) tile(w *bytes.Buffer, rows []*row, total uint64, in rectangle) {
	scale := in.width * in.height / max(1, float64(total)) // square pixels per byte
	for len(rows) > 0 && rows[0].Bytes > 0 && in.width > minSide && in.height > minSide {
		side := min(in.width, in.height)
		first := float64(rows[0].Bytes) * scale
		n, area := 1, first
		for n < len(rows) && rows[n].Bytes > 0 {
			next := float64(rows[n].Bytes) * scale
			if worst(first, next, area+next, side) > worst(first, float64(rows[n-1].Bytes)*scale, area, side) {
				break
			}
			area += next
			n++
		}
		depth, at := area/side, 0.0
		for _, r := range rows[:n] {
			length := float64(r.Bytes) * scale / depth
			if in.width < in.height {
				m.draw(w, r, rectangle{in.x + at, in.y, length, depth})
			} else {
				m.draw(w, r, rectangle{in.x, in.y + at, depth, length})
			}
			at += length
		}
		if in.width < in.height {
			in.y, in.height = in.y+depth, in.height-depth
		} else {
			in.x, in.width = in.x+depth, in.width-depth
		}
		rows = rows[n:]
	}
}

// worst returns the worst aspect ratio of rectangles that lie along a side, given the areas of
// the largest, of the smallest and of all together.
func worst(largest, smallest, all, side float64) float64 {
	return max(side*side*largest/(all*all), all*all/(side*side*smallest))
}

func (m *Treemap) draw(w *bytes.Buffer, r *row, in rectangle) {
	if in.width < minSide || in.height < minSide {
		return
	}
	size := m.Unit.Append(nil, r.Bytes)
	light := min(90, 68+4*int(r.depth))
	if r.Type != fs.ModeDir {
		light = 58
	}
	whole := r.AppendPath(nil)
	path := svgText(m.Path(nil, whole, whole, r.Type))
	fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="hsl(%d 55%% %d%%)" stroke="#fff">`+
		"<title>%s %s</title></rect>\n", in.x, in.y, in.width, in.height, r.hue, light, html.EscapeString(path), size)
	name := r.Name
	if r.depth == 0 {
		name = whole
	}
	m.label(w, svgText(m.Path(nil, name, whole, r.Type)), string(size), in)
	if r.Type == fs.ModeDir {
		m.tile(w, r.rows, r.Bytes, rectangle{in.x + margin, in.y + header, in.width - 2*margin, in.height - header - margin})
	}
}

// label writes a name, and the size if there is room for it, at the top of a rectangle. An svg
// element clips it, however wide the letters of the reader's font are.
func (m *Treemap) label(w *bytes.Buffer, name, size string, in rectangle) {
	const dots = "…"
	room := in.width - 3*margin - 1
	if room < 24 || in.height < header {
		return
	}
	if whole := name + " " + size; textWidth(whole) <= room {
		name = whole
	} else if textWidth(name) > room {
		room -= textWidth(dots)
		end := 0
		for i, r := range name {
			if room -= letterWidth(r); room < 0 {
				break
			}
			end = i + utf8.RuneLen(r)
		}
		name = name[:end] + dots
	}
	fmt.Fprintf(w, `<svg x="%.1f" y="%.1f" width="%.1f" height="%.1f"><text x="%g" y="%g">%s</text></svg>`+"\n",
		in.x, in.y, in.width-margin, header, margin+1, header-4, html.EscapeString(name))
}

// textWidth returns the width of text in pixels.
func textWidth(text string) (width float64) {
	for _, r := range text {
		width += letterWidth(r)
	}
	return width
}

// letterWidth returns the width of a letter in DejaVu Sans, which is wider than other fonts without
// serifs, at 11 pixels.
func letterWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("iIjl.,:;'|!` ", r):
		return 3.8
	case strings.ContainsRune(`frt()[]{}-/\"`, r):
		return 5.1
	case strings.ContainsRune("mwMW@%…", r):
		return 11
	case 'A' <= r && r <= 'Z', r == '_':
		return 8.6
	}
	return max(7, 5.5*float64(term.WidthString(string(r))))
}

// svgText replaces characters that XML does not allow, and those that a terminal could take for
// commands.
func svgText(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || '\x7f' <= r && r <= '\x9f' || r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			return '�'
		}
		return r
	}, string(text))
}
