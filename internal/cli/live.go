package cli

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// A live is a text at the end of a terminal that is shown again and again. Where there
// is no terminal it does nothing.
type live struct {
	to    *os.File // nil: no terminal
	lines int      // that are shown
	last  time.Time
}

func newLive(to *os.File) *live {
	if !isTerminal(to) || !enableColours(to) {
		to = nil
	}
	return &live{to: to}
}

// show replaces what is shown, unless that is younger than an eye can see. Of a text
// that is higher than the terminal the end is shown, and long lines are cut.
func (l *live) show(text func(width int) string) {
	const least = 100 * time.Millisecond
	if l.to == nil || time.Since(l.last) < least {
		return
	}
	height, width := terminalSize(l.to)
	lines := strings.Split(strings.TrimSuffix(text(width), "\n"), "\n")
	if len(lines) > height-1 {
		lines = lines[len(lines)-max(1, height-1):]
	}
	for i, line := range lines {
		if utf8.RuneCountInString(line) >= width {
			lines[i] = string([]rune(line)[:max(0, width-1)])
		}
	}
	l.clear()
	fmt.Fprintln(l.to, strings.Join(lines, "\n"))
	l.lines, l.last = len(lines), time.Now()
}

// clear takes back what is shown.
func (l *live) clear() {
	if l.to != nil && l.lines > 0 {
		fmt.Fprintf(l.to, "\r\x1b[%dA\x1b[J", l.lines) // the terminal may have shown a ^C
		l.lines = 0
	}
}

// roundly returns how long something will take, as well as one can know.
func roundly(d time.Duration) time.Duration {
	if d > 10*time.Second {
		return d.Round(5 * time.Second)
	}
	return d.Round(time.Second)
}
