package measure

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// The phases of a bench of hashes.
const (
	PhaseFirst   = "first scan"
	PhaseRescan  = "rescan"
	PhaseRescans = "ten rescans"
)

// HashReport reports how long hashing a place takes for the first time and again, and how the
// catalogue grows, beside what each should reach.
func HashReport(cases []*Case) (report Report) {
	for _, all := range byPlaceAndCache(cases) {
		report = append(report, hashSection(all))
	}
	return report
}

func hashSection(cases []*Case) Section {
	s := Section{
		Title: fmt.Sprintf("Hashes of %s, %s, %s files", cases[0].Place.Label, cases[0].Runs[0].Cache, Entries(cases[0])),
		Table: Table{
			Heads: []string{
				"phase", "program", "threads", "% changed", "runs", "median ms", "min", "p95", "CPU ms", "MiB", "bytes/file", "reached", "target", "",
			},
			Left:  2,
			Extra: []string{"runs", "p95", "min", "MiB", "CPU ms", "bytes/file"},
		},
	}
	h := hashTargets{cases: cases}
	for _, c := range cases {
		sum := Sum(c.Runs)
		bytes := ""
		if size := c.Runs[len(c.Runs)-1].Database; size > 0 {
			bytes = fmt.Sprintf("%.1f", float64(size)/float64(max(1, c.Runs[0].Seen())))
		}
		reached, target, verdict := h.of(c)
		s.Table.Rows = append(s.Table.Rows, []string{
			c.Phase, c.Tool.Name, number(int64(c.Threads)), c.Changed, fmt.Sprint(sum.N), Millis(sum.Median), Millis(sum.Min), Millis(sum.P95),
			Millis(SumOf(c.Runs, CPU).Median), Peak(c.Runs), bytes, reached, target, verdict,
		})
		s.Notes = append(s.Notes, failure(c)...)
	}
	s.Notes = append(s.Notes, "Of several programs each number is a ratio of medians: of the first scan with the most threads to a rescan, "+
		"of one thread to several, of ldx to sha256sum.")
	return s
}

// hashTargets are what the cases of a place should reach.
type hashTargets struct{ cases []*Case }

// find returns the first scan of a program with that number of threads, or with the most.
func (h hashTargets) find(tool string, threads int) (found *Case) {
	for _, c := range h.cases {
		if c.Phase == PhaseFirst && (c.Tool.Name == "sha256sum") == (tool == "sha256sum") && (threads == 0 || c.Threads == threads) {
			if found == nil || c.Threads > found.Threads {
				found = c
			}
		}
	}
	return found
}

// of returns what c has reached, what it should reach, and whether it has.
func (h hashTargets) of(c *Case) (reached, target, verdict string) {
	atLeast := func(n, least float64) (string, string, string) {
		return fmt.Sprintf("%.2fx", n), fmt.Sprintf("≥ %gx", least), verdictOf(n >= least)
	}
	first := h.find("ldx", 0)
	switch {
	case c.Tool.Name == "sha256sum":
	case c.Phase == PhaseFirst:
		return h.ofFirst(c)
	case c.Phase == PhaseRescan:
		return atLeast(times(first, c), map[string]float64{"0": 15, "1": 10, "10": 5}[c.Changed])
	case c.Phase == PhaseRescans && c.First.Database > 0:
		largest := slices.MaxFunc(c.Runs, func(a, b Run) int { return cmp.Compare(a.Database, b.Database) }).Database
		growth := 100 * (float64(largest)/float64(c.First.Database) - 1)
		most := map[string]float64{"1": 10}[c.Changed]
		return fmt.Sprintf("+%.1f %%", growth), fmt.Sprintf("≤ +%g %%", most), verdictOf(growth <= most)
	}
	return "", "", ""
}

// ofFirst is of for a first scan: two threads beside one, and all beside sha256sum.
func (h hashTargets) ofFirst(c *Case) (reached, target, verdict string) {
	const parallel, slower = 1.8, 1.15
	ok, sep := true, ""
	if one := h.find("ldx", 1); one != nil && c.Threads == 2 {
		n := times(one, c)
		reached, target, sep, ok = fmt.Sprintf("%.2fx", n), fmt.Sprintf("≥ %gx", parallel), ", ", n >= parallel
	}
	if other := h.find("sha256sum", c.Threads); other != nil {
		n := times(c, other)
		reached, target, ok = reached+sep+fmt.Sprintf("%.2f", n), target+sep+fmt.Sprintf("≤ %g", slower), ok && n <= slower
	}
	if reached == "" {
		return "", "", ""
	}
	return reached, target, verdictOf(ok)
}

// times returns how many times as long a takes as b.
func times(a, b *Case) float64 {
	return float64(Sum(a.Runs).Median) / float64(max(Sum(b.Runs).Median, time.Microsecond))
}

func verdictOf(ok bool) string {
	if ok {
		return "PASS"
	}
	return "missed"
}
