package measure

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Hyperfine returns the runs of each place in the format of the program
// hyperfine. The commands can be pasted into a shell.
func Hyperfine(cases []*Case, screen Screen) string {
	var b strings.Builder
	for _, group := range groupsOf(cases) {
		best := group[0]
		for i, c := range group {
			if len(c.Runs) == 0 {
				return screen.text(b.String())
			}
			sum := Sum(c.Runs)
			fmt.Fprintf(&b, "Benchmark %d: %s\n", i+1, c.command())
			fmt.Fprintf(&b, "  Time (mean ± σ):     %s ms ± %s ms    [User: %s ms, System: %s ms]\n", Millis(sum.Mean), Millis(sum.Deviation),
				Millis(SumOf(c.Runs, func(r *Run) time.Duration { return r.User }).Mean),
				Millis(SumOf(c.Runs, func(r *Run) time.Duration { return r.System }).Mean))
			fmt.Fprintf(&b, "  Range (min … max):   %s ms … %s ms    %d runs\n\n", Millis(sum.Min), Millis(sum.Max), sum.N)
			if sum.Mean < Sum(best.Runs).Mean {
				best = c
			}
		}
		fmt.Fprintf(&b, "Summary\n  %s ran\n", best.command())
		for _, c := range group {
			if c != best {
				ratio, deviation := timesSlower(Sum(c.Runs), Sum(best.Runs))
				fmt.Fprintf(&b, "%8.2f ± %.2f times faster than %s\n", ratio, deviation, c.command())
			}
		}
		b.WriteByte('\n')
	}
	return screen.text(b.String())
}

// timesSlower returns the ratio of two means and its standard deviation, as hyperfine computes it.
func timesSlower(slow, fast Summary) (ratio, deviation float64) {
	ratio = float64(slow.Mean) / float64(fast.Mean)
	return ratio, ratio * math.Hypot(float64(slow.Deviation)/float64(slow.Mean), float64(fast.Deviation)/float64(fast.Mean))
}

// command returns what runs the case, for a shell.
func (c *Case) command() string {
	program := filepath.Base(c.Tool.Path)
	if found, err := exec.LookPath(program); err != nil || !sameFile(found, c.Tool.Path) {
		program = c.Tool.Path
	}
	words := []string{shellQuote(program)}
	for _, arg := range c.Args {
		words = append(words, shellQuote(arg))
	}
	return strings.Join(words, " ")
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// shellQuote quotes a word for sh, and in Windows for cmd and PowerShell, if it needs that.
func shellQuote(word string) string {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_"
	switch {
	case word != "" && strings.Trim(word, safe) == "":
		return word
	case os.PathSeparator == '\\':
		return `"` + word + `"` // which no name contains
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
