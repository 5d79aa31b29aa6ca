package measure

import (
	"encoding/csv"
	"fmt"
	"io"
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
// that reaches 95 % of the best speed. Both are -1 if no case has run.
func SweetSpot(cases []*Case) (sweet, best int) {
	sweet, best = -1, -1
	top := 0.0
	for i, c := range cases {
		if speed := PerSecond(c.Runs); speed > top || best < 0 && len(c.Runs) > 0 {
			best, top = i, speed
		}
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
		Table: Table{Heads: []string{"directory", "cache", "entries", "threads", "entries/s", "best", "entries/s"}, Left: 2},
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
			Table: Table{Heads: []string{
				"threads", "started", "mean ms", "median", "min", "p95", "MAD", "entries/s", "efficiency", "system calls",
				"entries/call", "MiB",
			}},
			Chart: &Chart{Title: "entries/s by threads: " + title(first)},
		}
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			speed := PerSecond(c.Runs)
			s.Table.Rows = append(s.Table.Rows, slices.Concat([]string{strconv.Itoa(c.Threads), strconv.Itoa(started(c))}, times(c),
				[]string{Count(speed), fmt.Sprintf("%.0f %%", 100*efficiency(c, first))}, calls(c), []string{Peak(c.Runs)}))
			s.Chart.Bars = append(s.Chart.Bars, Bar{strconv.Itoa(c.Threads), speed, Count(speed), i == sweet})
		}
		report = append(report, s)
		advice.Table.Rows = append(advice.Table.Rows, []string{
			first.Place.Label, string(first.Runs[0].Cache), Count(float64(first.Runs[0].Seen())),
			strconv.Itoa(group[sweet].Threads), Count(PerSecond(group[sweet].Runs)),
			strconv.Itoa(group[best].Threads), Count(PerSecond(group[best].Runs)),
		})
	}
	if len(advice.Table.Rows) > 0 {
		report = append(report, advice)
	}
	return report
}

// BuffersReport reports speeds by size of the buffer.
func BuffersReport(cases []*Case) (report Report) {
	for _, group := range groupsOf(cases) {
		if len(group[0].Runs) == 0 {
			continue
		}
		sweet, _ := SweetSpot(group)
		s := Section{
			Title: title(group[0]),
			Table: Table{Heads: []string{"buffer", "min ms", "mean", "max", "median", "MAD", "entries/s", "system calls", "entries/call", "MiB"}},
			Chart: &Chart{Title: "entries/s by buffer: " + title(group[0])},
		}
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			sum, speed, size := Sum(c.Runs), PerSecond(c.Runs), strconv.Itoa(c.Buffer>>10)+" KiB"
			s.Table.Rows = append(s.Table.Rows, slices.Concat(
				[]string{size, Millis(sum.Min), Millis(sum.Mean), Millis(sum.Max), Millis(sum.Median), Millis(sum.MAD), Count(speed)},
				calls(c), []string{Peak(c.Runs)}))
			s.Chart.Bars = append(s.Chart.Bars, Bar{size, speed, Count(speed), i == sweet})
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
		},
		Chart: &Chart{Title: "median seconds, cold and warm"},
	}
	warm := map[string]float64{}
	for _, c := range cases {
		if !c.Cold && len(c.Runs) > 0 {
			warm[c.Place.Label] = float64(Sum(c.Runs).Median)
		}
	}
	for _, c := range cases {
		if len(c.Runs) == 0 {
			continue
		}
		sum, times := Sum(c.Runs), ""
		if w := warm[c.Place.Label]; c.Runs[0].Cache == Cold && w > 0 {
			times = fmt.Sprintf("%.1f", float64(sum.Median)/w)
		}
		s.Table.Rows = append(s.Table.Rows, []string{
			c.Place.Label, Count(float64(c.Runs[0].Seen())), strconv.Itoa(c.Threads), string(c.Runs[0].Cache),
			Millis(sum.Median), Millis(sum.Min), Millis(sum.Max), Millis(sum.MAD), Count(PerSecond(c.Runs)), times,
		})
		s.Chart.Bars = append(s.Chart.Bars, Bar{
			Label: c.Place.Label + " " + string(c.Runs[0].Cache),
			Value: sum.Median.Seconds(), Shown: fmt.Sprintf("%.3f s", sum.Median.Seconds()),
			Mark: c.Runs[0].Cache == Warm,
		})
	}
	if len(s.Table.Rows) == 0 {
		return nil
	}
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
				Left: 2,
			},
			Chart: &Chart{Title: "median milliseconds: " + title(first)},
		}
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			sum := Sum(c.Runs)
			s.Table.Rows = append(s.Table.Rows, []string{
				c.Tool.Name, c.Tool.Version, Entries(c), Millis(sum.Median), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD),
				Millis(SumOf(c.Runs, CPU).Median), speed(c), Peak(c.Runs), share(first, c),
			})
			s.Chart.Bars = append(s.Chart.Bars, Bar{c.Tool.Name, float64(sum.Median), Millis(sum.Median) + " ms", i == 0})
			if c.Tool.Name == "du" {
				s.Notes = append(s.Notes, "du also asks for the size of each file.")
			}
			if !Same(first, c) {
				s.Notes = append(s.Notes, fmt.Sprintf("%s did not always find the %s entries: its time cannot be compared.",
					c.Tool.Name, Entries(first)))
			}
			if status := Failed(c); status != 0 {
				s.Notes = append(s.Notes, fmt.Sprintf("%s ended with status %d.", c.Tool.Name, status))
			}
		}
		report = append(report, s)
	}
	return report
}

// share returns the ratio of first's times to c's, or the reason why there is
// none.
func share(first, c *Case) string {
	r := Compare(first.Runs, c.Runs, Wall)
	switch {
	case c == first:
		return "1"
	case !Same(first, c):
		return "different entries"
	case c.Quiet && Failed(c) != 0:
		return "failed"
	}
	return r.String()
}

// Hyperfine returns the runs of each place in the format of the program
// hyperfine.
func Hyperfine(cases []*Case) string {
	var b strings.Builder
	for _, group := range groupsOf(cases) {
		fastest := group[0]
		for i, c := range group {
			if len(c.Runs) == 0 {
				return b.String()
			}
			sum := Sum(c.Runs)
			fmt.Fprintf(&b, "Benchmark %d: %s %s\n", i+1, c.Tool.Name, c.shownArgs())
			fmt.Fprintf(&b, "  Time (mean ± σ):     %s ms ± %s ms    [User: %s ms, System: %s ms]\n", Millis(sum.Mean), Millis(sum.Deviation),
				Millis(SumOf(c.Runs, func(r *Run) time.Duration { return r.User }).Mean),
				Millis(SumOf(c.Runs, func(r *Run) time.Duration { return r.System }).Mean))
			fmt.Fprintf(&b, "  Range (min … max):   %s ms … %s ms    %d runs\n\n", Millis(sum.Min), Millis(sum.Max), sum.N)
			if sum.Mean < Sum(fastest.Runs).Mean {
				fastest = c
			}
		}
		fmt.Fprintf(&b, "Summary\n  %s ran\n", fastest.Tool.Name)
		for _, c := range group {
			if c != fastest {
				fmt.Fprintf(&b, "    %.2f times faster than %s\n", float64(Sum(c.Runs).Mean)/float64(Sum(fastest.Runs).Mean), c.Tool.Name)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// WriteSummary writes, as CSV, the speeds by place and number of threads, in
// entries per second. The speeds of single runs are separated by semicolons.
func WriteSummary(w io.Writer, cases []*Case) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"Directory", "Threads", "Runs", "Avg", "Median", "Min", "Max", "AllSpeeds", "Cache", "Efficiency", "SweetSpot",
		"Started", "Tool", "Buffer",
	}}
	for _, group := range groupsOf(cases) {
		sweet, _ := SweetSpot(group)
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			var all []string
			var speeds []float64
			sum := 0.0
			for j := range c.Runs {
				speed := float64(c.Runs[j].Seen()) / c.Runs[j].Wall.Seconds()
				speeds, sum, all = append(speeds, speed), sum+speed, append(all, fmt.Sprintf("%.0f", speed))
			}
			whole := func(speed float64) string { return fmt.Sprintf("%.0f", speed) }
			spot, share, threads := "", "", ""
			if last := group[len(group)-1]; last.Threads != group[0].Threads { // the cases of this group differ in threads
				share = fmt.Sprintf("%.2f", efficiency(c, group[0]))
				if i == sweet {
					spot = "yes"
				}
			}
			if c.Runs[0].Stats.Threads > 0 {
				threads = strconv.Itoa(started(c))
			}
			rows = append(rows, []string{
				c.Place.Label, number(int64(c.Threads)), strconv.Itoa(len(speeds)), whole(sum / float64(len(speeds))), whole(Median(speeds)),
				whole(slices.Min(speeds)), whole(slices.Max(speeds)), strings.Join(all, ";"),
				string(c.Runs[0].Cache), share, spot, threads, c.Tool.Name, number(int64(c.Buffer)),
			})
		}
	}
	return out.WriteAll(rows)
}

// title describes a group of cases.
func title(c *Case) string {
	return fmt.Sprintf("%s, %s, %s entries, %d runs", c.Place.Label, c.Runs[0].Cache, Count(float64(c.Runs[0].Seen())), len(c.Runs))
}

func times(c *Case) []string {
	sum := Sum(c.Runs)
	return []string{Millis(sum.Mean), Millis(sum.Median), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD)}
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
