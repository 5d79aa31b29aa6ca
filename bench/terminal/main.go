// Terminal draws a terminal session as an SVG image: it types commands, and draws what they print
// on a pseudo-terminal of script(1). It needs git and util-linux.
//
//	go run ./bench/terminal >bench/terminal.svg
package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The session, in a clone of this repository.
var session = []string{
	"ldx readme",
	"ldx -e go -l --sortr size --max-results 3",
	"ldx -g '*_windows.go' internal/dir -X wc -l",
	"ldx --why dist/app.js",
	"ldx . -name '*.md' -mtime -7",
	"ldx du --top 5",
}

const (
	columns = 88
	prompt  = "\x1b[1;32m$\x1b[0m "
)

func main() {
	lines, err := record()
	if err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
		os.Exit(1)
	}
	fmt.Print(draw(lines))
}

// record returns the lines of the session, with their escape sequences.
func record() ([]string, error) {
	work, err := os.MkdirTemp("", "ldx-terminal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	clone := filepath.Join(work, "ldx")
	bin := filepath.Join(work, "bin")
	setUp := "git clone -q . " + clone + " && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o " + bin + "/ldx ./cmd/ldx && cd " + clone +
		" && mkdir dist && touch dist/app.js && echo dist/ >>.gitignore"
	if out, err := exec.Command("sh", "-c", setUp).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var lines []string
	for _, command := range session {
		typed := fmt.Sprintf("stty cols %d rows 40 -onlcr; %s", columns, command)
		cmd := exec.Command("script", "-qc", typed, "/dev/null")
		cmd.Dir = clone
		cmd.Env = []string{
			"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + work, "XDG_STATE_HOME=" + work,
			"TERM=xterm-256color", "LC_ALL=C.UTF-8", "SHELL=/bin/sh", "TZ=UTC", "USER=me",
		}
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", command, err, out)
		}
		text := strings.TrimSuffix(strings.ReplaceAll(string(out), "\r", ""), "\n")
		lines = append(append(lines, prompt+command), strings.Split(text, "\n")...)
		lines = append(lines, "")
	}
	return lines[:len(lines)-1], nil
}

// Sizes of the image, in pixels.
const (
	columnWidth = 8.4
	lineHeight  = 19
	fontSize    = 14
	margin      = 16
)

// palette has the colors 0 to 15 of a terminal.
var palette = [16]string{
	"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#cdd6f4",
	"#7f849c", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#ffffff",
}

// A style is how text is drawn. The zero value is plain text.
type style struct {
	color           string
	bold, underline bool
}

// draw returns the lines as an SVG image.
func draw(lines []string) string {
	var b strings.Builder
	width, height := 2*margin+columns*columnWidth, 2*margin+len(lines)*lineHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0[1]f %[2]d" `+
		`font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d" fill="%s">`+"\n",
		width, height, fontSize, palette[7])
	fmt.Fprintf(&b, `<rect width="%.0f" height="%d" rx="8" fill="#1e1e2e"/>`+"\n", width, height)
	for i, line := range lines {
		drawLine(&b, line, margin+i*lineHeight+fontSize)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawLine draws a line with its escape sequences: those that set the style, and links, which are
// left out.
func drawLine(b *strings.Builder, line string, y int) {
	column, now := 0, style{}
	for line != "" {
		text, rest, escape := strings.Cut(line, "\x1b")
		drawText(b, text, column, y, now)
		column += len([]rune(text))
		switch {
		case !escape:
			return
		case strings.HasPrefix(rest, "["):
			parameters, after, _ := strings.Cut(rest[1:], "m")
			now, line = now.set(parameters), after
		default:
			_, line, _ = strings.Cut(rest, `\`)
		}
	}
}

func drawText(b *strings.Builder, text string, column, y int, s style) {
	if strings.TrimSpace(text) == "" && !s.underline {
		return
	}
	attributes := ""
	if s.color != "" {
		attributes += ` fill="` + s.color + `"`
	}
	if s.bold {
		attributes += ` font-weight="bold"`
	}
	if s.underline {
		attributes += ` text-decoration="underline"`
	}
	n := len([]rune(text))
	fmt.Fprintf(b, `<text xml:space="preserve" x="%.1f" y="%d" textLength="%.1f"%s>%s</text>`+"\n",
		margin+float64(column)*columnWidth, y, float64(n)*columnWidth, attributes, html.EscapeString(text))
}

// set returns the style after a sequence that selects graphic renditions (ECMA-48, 8.3.117).
func (s style) set(parameters string) style {
	values := strings.Split(parameters, ";")
	for i := 0; i < len(values); i++ {
		n, _ := strconv.Atoi(values[i])
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 4:
			s.underline = true
		case n == 22:
			s.bold = false
		case n == 24:
			s.underline = false
		case n == 39:
			s.color = ""
		case 30 <= n && n <= 37:
			s.color = palette[n-30]
		case 90 <= n && n <= 97:
			s.color = palette[n-90+8]
		case n == 38 && i+2 < len(values) && values[i+1] == "5":
			index, _ := strconv.Atoi(values[i+2])
			s.color, i = color256(index), i+2
		case n == 38 && i+4 < len(values):
			s.color, i = "rgb("+strings.Join(values[i+2:i+5], ",")+")", i+4
		}
	}
	return s
}

// color256 returns a color of xterm's table of 256.
func color256(n int) string {
	level := func(n int) int {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	switch {
	case n < 16:
		return palette[max(n, 0)]
	case n < 232:
		n -= 16
		return fmt.Sprintf("rgb(%d,%d,%d)", level(n/36), level(n/6%6), level(n%6))
	}
	gray := 8 + 10*(n-232)
	return fmt.Sprintf("rgb(%d,%d,%d)", gray, gray, gray)
}
