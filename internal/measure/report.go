package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ldx/internal/format"
)

// sweetShare is the share of the best speed that is recommended: the threads
// needed for the rest cost other programs more than they gain.
const sweetShare = 0.95

// SweetSpot returns the indexes of the recommended and of the fastest case. The
// recommended one is the first, with the fewest threads or the smallest buffer,
// that reaches 95 % of the best speed. It is -1 if the fastest is too short to
// tell, and both are -1 if no case has run.
func SweetSpot(cases []*Case) (sweet, best int) {
	sweet, best = -1, -1
	top := 0.0
	for i, c := range cases {
		if speed := PerSecond(c.Runs); speed > top || best < 0 && len(c.Runs) > 0 {
			best, top = i, speed
		}
	}
	if best < 0 || TooShort(cases[best]) {
		return -1, best
	}
	for i, c := range cases {
		if len(c.Runs) > 0 && PerSecond(c.Runs) >= sweetShare*top {
			sweet = i
			break
		}
	}
	// Asking for more threads changes nothing if no more are started.
	for i, c := range cases[:max(sweet, 0)] {
		if len(c.Runs) > 0 && c.Threads > 0 && c.Threads >= started(cases[sweet]) {
			return i, best
		}
	}
	return sweet, best
}

// efficiency returns the speed per started thread, relative to the first case.
func efficiency(c, first *Case) float64 {
	return PerSecond(c.Runs) / max(PerSecond(first.Runs), 1e-9) * float64(started(first)) / float64(started(c))
}

// started returns the number of threads that were started. ldx starts no more
// than it has work for, and more than there are processors only if directories
// make it wait.
func started(c *Case) int {
	var all []float64
	for _, r := range c.Runs {
		all = append(all, float64(r.Stats.Threads))
	}
	if n := int(Median(all)); n > 0 {
		return n
	}
	return max(1, c.Threads)
}

// ThreadsReport reports speeds by number of threads: a section for each place
// and cache, and one with recommendations.
func ThreadsReport(cases []*Case) Report {
	var report Report
	advice := Section{
		Title: "Recommended threads",
		Table: Table{
			Heads: []string{"directory", "cache", "entries", "threads", "entries/s", "fastest", "entries/s"}, Left: 2,
			Extra: []string{"entries"},
		},
		Notes: []string{fmt.Sprintf("Recommended: the fewest threads that reach %.0f %% of the best speed.", 100*sweetShare)},
	}
	for _, group := range groupsOf(cases) {
		first := group[0]
		if len(first.Runs) == 0 {
			continue
		}
		sweet, best := SweetSpot(group)
		s := Section{
			Title: title(first),
			Table: Table{
				Heads: []string{
					"threads", "started", "median ms", "mean", "min", "p95", "MAD", "entries/s", "efficiency", "system calls",
					"entries/call", "MiB",
				},
				Extra: []string{"entries/call", "system calls", "mean", "MAD", "MiB", "started"},
			},
			Chart: &Chart{Title: "entries/s by threads: " + title(first)},
		}
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			sum, speed := Sum(c.Runs), PerSecond(c.Runs)
			s.Table.Rows = append(s.Table.Rows, slices.Concat([]string{
				strconv.Itoa(c.Threads), strconv.Itoa(started(c)), marked(Millis(sum.Median), i == best),
				Millis(sum.Mean), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD),
				Count(speed), fmt.Sprintf("%.0f %%", 100*efficiency(c, first)),
			}, calls(c), []string{Peak(c.Runs)}))
			s.Chart.Bars = append(s.Chart.Bars, Bar{strconv.Itoa(c.Threads), speed, Count(speed), i == best})
		}
		s.Notes = []string{markNote}
		report = append(report, s)
		recommended, speed := tooShort, ""
		if sweet >= 0 {
			recommended, speed = strconv.Itoa(group[sweet].Threads), Count(PerSecond(group[sweet].Runs))
		} else if len(advice.Notes) == 1 {
			advice.Notes = append(advice.Notes, shortNote())
		}
		advice.Table.Rows = append(advice.Table.Rows, []string{
			first.Place.Label, string(first.Runs[0].Cache), Count(float64(first.Runs[0].Seen())),
			recommended, speed, strconv.Itoa(group[best].Threads), Count(PerSecond(group[best].Runs)),
		})
	}
	if len(advice.Table.Rows) > 0 {
		report = append(report, advice)
	}
	return report
}

const (
	tooShort = "too short to tell" // instead of what would be concluded
	markNote = "* the shortest median time"
)

// marked returns a cell of times, with a * if it is the best of them.
func marked(cell string, best bool) string {
	if best {
		return cell + " *"
	}
	return cell + "  "
}

// shortNote explains tooShort.
func shortNote() string {
	return fmt.Sprintf("%s: the fastest takes less than %d ms. Measure a larger directory.", tooShort, shortest.Milliseconds())
}

// BuffersReport reports speeds by size of the buffer.
func BuffersReport(cases []*Case) (report Report) {
	for _, group := range groupsOf(cases) {
		if len(group[0].Runs) == 0 {
			continue
		}
		sweet, best := SweetSpot(group)
		s := Section{
			Title: title(group[0]),
			Table: Table{
				Heads: []string{"buffer", "median ms", "mean", "min", "max", "MAD", "entries/s", "system calls", "entries/call", "MiB"},
				Extra: []string{"mean", "MiB", "max"},
			},
			Chart: &Chart{Title: "entries/s by buffer: " + title(group[0])},
		}
		size := func(c *Case) string { return strconv.Itoa(c.Buffer>>10) + " KiB" }
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			sum, speed := Sum(c.Runs), PerSecond(c.Runs)
			s.Table.Rows = append(s.Table.Rows, slices.Concat([]string{
				size(c), marked(Millis(sum.Median), i == best),
				Millis(sum.Mean), Millis(sum.Min), Millis(sum.Max), Millis(sum.MAD), Count(speed),
			}, calls(c), []string{Peak(c.Runs)}))
			s.Chart.Bars = append(s.Chart.Bars, Bar{size(c), speed, Count(speed), i == best})
		}
		s.Notes = []string{markNote, "Recommended: " + shortNote()}
		if sweet >= 0 {
			s.Notes[1] = fmt.Sprintf("Recommended: %s, the smallest that reaches %.0f %% of the best speed.", size(group[sweet]), 100*sweetShare)
		}
		report = append(report, s)
	}
	return report
}

// CacheReport compares the cold runs of each place with the warm ones.
func CacheReport(cases []*Case) Report {
	s := Section{
		Title: "Cold against warm",
		Table: Table{
			Heads: []string{"directory", "entries", "threads", "cache", "median ms", "min", "max", "MAD", "entries/s", "cold/warm"},
			Left:  1,
			Extra: []string{"MAD", "threads", "max", "entries/s", "min"},
		},
		Chart: &Chart{Title: "median milliseconds, cold and warm"},
	}
	warm := map[string]*Case{}
	for _, c := range cases {
		if !c.Cold && len(c.Runs) > 0 {
			warm[c.Place.Label] = c
		}
	}
	for _, c := range cases {
		if len(c.Runs) == 0 {
			continue
		}
		sum, ratio := Sum(c.Runs), ""
		if w := warm[c.Place.Label]; c.Runs[0].Cache == Cold && w != nil {
			ratio = shownRatio(c, w)
		}
		s.Table.Rows = append(s.Table.Rows, []string{
			c.Place.Label, Count(float64(c.Runs[0].Seen())), strconv.Itoa(c.Threads), string(c.Runs[0].Cache),
			Millis(sum.Median), Millis(sum.Min), Millis(sum.Max), Millis(sum.MAD), Count(PerSecond(c.Runs)), ratio,
		})
		s.Chart.Bars = append(s.Chart.Bars, Bar{
			Label: c.Place.Label + " " + string(c.Runs[0].Cache), Value: float64(sum.Median), Shown: Millis(sum.Median) + " ms",
		})
	}
	if len(s.Table.Rows) == 0 {
		return nil
	}
	s.Notes = ratioNotes(&s.Table)
	return Report{s}
}

// CompareReport compares programs with the first one of each place.
func CompareReport(cases []*Case) (report Report) {
	for _, group := range groupsOf(cases) {
		first := group[0]
		if len(first.Runs) == 0 {
			continue
		}
		s := Section{
			Title: title(first),
			Table: Table{
				Heads: []string{
					"program", "version", "entries", "median ms", "min", "p95", "MAD", "CPU ms", "entries/s", "MiB",
					"time of " + first.Tool.Name,
				},
				Left:  2,
				Extra: []string{"MAD", "p95", "version", "entries/s", "min", "CPU ms", "MiB"},
			},
			Chart: &Chart{Title: "median milliseconds: " + title(first)},
		}
		best := fastest(group)
		for _, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			sum := Sum(c.Runs)
			s.Table.Rows = append(s.Table.Rows, []string{
				c.Tool.Name, c.Tool.Version, Entries(c), marked(Millis(sum.Median), c == best), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD),
				Millis(SumOf(c.Runs, CPU).Median), speed(c), Peak(c.Runs), share(first, c),
			})
			s.Chart.Bars = append(s.Chart.Bars, Bar{c.Tool.Name, float64(sum.Median), Millis(sum.Median) + " ms", c == best})
		}
		s.Notes = append([]string{markNote}, ratioNotes(&s.Table)...)
		for _, c := range group {
			s.Notes = append(s.Notes, caveats(first, c)...)
		}
		report = append(report, s)
	}
	return report
}

// caveats returns what is to be known about the time of c, compared with that of first.
func caveats(first, c *Case) (notes []string) {
	if len(c.Runs) == 0 {
		return nil
	}
	if c.Tool.Name == "du" {
		notes = append(notes, "du also asks for the size of each file.")
	}
	if !Same(first, c) {
		notes = append(notes, fmt.Sprintf("%s did not always find the %s entries: its time cannot be compared.",
			c.Tool.Name, Entries(first)))
	}
	if status := Failed(c); status != 0 {
		notes = append(notes, fmt.Sprintf("%s ended with status %d.", c.Tool.Name, status))
	}
	return notes
}

// fastest returns the case with the shortest median time, of those that found what the first
// has found; nil if none has run.
func fastest(cases []*Case) (best *Case) {
	for _, c := range cases {
		if len(c.Runs) > 0 && Same(cases[0], c) && (best == nil || Sum(c.Runs).Median < Sum(best.Runs).Median) {
			best = c
		}
	}
	return best
}

// share returns the ratio of first's times to c's, or the reason why there is
// none.
func share(first, c *Case) string {
	switch {
	case c == first:
		return "1"
	case !Same(first, c):
		return "finds " + Entries(c)
	case c.Quiet && Failed(c) != 0:
		return "failed"
	}
	return shownRatio(first, c)
}

// shownRatio returns the ratio of a's times to b's, or the reason why there is none.
func shownRatio(a, b *Case) string {
	r := Compare(a.Runs, b.Runs, Wall)
	if r.Pairs >= minPairs && TooShort(a) && TooShort(b) {
		return tooShort
	}
	return r.String()
}

// ratioNotes explains what the last column of a table has.
func ratioNotes(t *Table) (notes []string) {
	has := func(part string) bool {
		return slices.ContainsFunc(t.Rows, func(row []string) bool { return strings.Contains(row[len(row)-1], part) })
	}
	if has("±") {
		notes = append(notes, "±: half of the turns are as close to the ratio.")
	}
	if has("unclear") {
		notes = append(notes, "unclear: 1 is as close; more --runs may tell.")
	}
	if has(tooShort) {
		notes = append(notes, fmt.Sprintf("%s: less than %d ms. Measure a larger directory.", tooShort, shortest.Milliseconds()))
	}
	return notes
}

// title describes a group of cases.
func title(c *Case) string {
	return fmt.Sprintf("%s, %s, %s entries, %d runs", c.Place.Label, c.Runs[0].Cache, Count(float64(c.Runs[0].Seen())), len(c.Runs))
}

func calls(c *Case) []string {
	last := c.Runs[len(c.Runs)-1].Stats
	if last.Calls == 0 {
		return []string{"", ""}
	}
	return []string{Count(float64(last.Calls)), perCall(last.PerCall)}
}

func speed(c *Case) string {
	if c.Quiet {
		return ""
	}
	return Count(PerSecond(c.Runs))
}

// Entries formats the number of entries that a case found; "" if it does not
// print them.
func Entries(c *Case) string {
	if c.Quiet {
		return ""
	}
	return Count(float64(c.Runs[0].Entries))
}

// Millis formats a time in milliseconds.
func Millis(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1e3) }

// Count formats a whole number with commas between groups of three digits.
func Count(n float64) string {
	return string(format.Grouped.Append(nil, uint64(math.Round(n))))
}
