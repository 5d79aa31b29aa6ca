package measure

import (
	"cmp"
	"fmt"
	"slices"
)

// The phases of a bench of recordings. The searches of a group are for the same entries: Live
// reads the tree, the others use what is recorded.
const (
	PhaseSearch    = "search"
	PhaseUpdates10 = "updates10"

	Live = "ldx --no-index"
)

// IndexReport reports how long recording a place takes, how large that is, and how long
// searches of it take.
func IndexReport(cases []*Case) (report Report) {
	for _, all := range byPlaceAndCache(cases) {
		report = append(report, recordingsSection(all)...)
		report = append(report, searchesSection(all)...)
	}
	return report
}

// byPlaceAndCache returns the cases that have run, of each place with a cold or warm cache.
func byPlaceAndCache(cases []*Case) [][]*Case {
	var run []*Case
	for _, c := range cases {
		if len(c.Runs) > 0 {
			other := *c
			other.Group = fmt.Sprint(c.Place.Label, c.Cold)
			run = append(run, &other)
		}
	}
	return groupsOf(run)
}

// recordingsSection has what is recorded, by phase and program. Each phase begins with ldx.
func recordingsSection(cases []*Case) Report {
	s := Section{
		Table: Table{
			Heads: []string{
				"phase", "program", "% changed", "runs", "median ms", "min", "p95", "MAD", "CPU ms", "MiB", "DB KiB", "bytes/entry", "time of ldx",
			},
			Left:  2,
			Extra: []string{"runs", "MAD", "p95", "min", "CPU ms", "bytes/entry", "MiB"},
		},
	}
	entries := int64(0)
	for _, c := range cases {
		entries = max(entries, c.Runs[0].Seen())
	}
	var ldx *Case
	for _, c := range cases {
		if c.Phase == PhaseSearch || c.Phase == "plocate" {
			continue
		}
		if ldx == nil || c.Tool.Name == ldx.Tool.Name {
			ldx = c
		}
		sum, size := Sum(c.Runs), c.Runs[len(c.Runs)-1].Database
		s.Table.Rows = append(s.Table.Rows, []string{
			c.Phase, c.Tool.Name, c.Changed, fmt.Sprint(sum.N), Millis(sum.Median), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD),
			Millis(SumOf(c.Runs, CPU).Median), Peak(c.Runs), Count(float64(size) / 1024),
			fmt.Sprintf("%.1f", float64(size)/float64(max(entries, 1))), share(ldx, c),
		})
		if first := c.First.Database; c.Phase == PhaseUpdates10 && first > 0 {
			largest := slices.MaxFunc(c.Runs, func(a, b Run) int { return cmp.Compare(a.Database, b.Database) })
			growth := func(size int64) float64 { return 100 * (float64(size)/float64(first) - 1) }
			s.Notes = append(s.Notes, fmt.Sprintf(
				"After %d updates, each with %s %% of the directories changed, the recording is %.1f %% larger; at most it was %.1f %% larger.",
				sum.N, c.Changed, growth(size), growth(largest.Database)))
		}
		s.Notes = append(s.Notes, failure(c)...)
	}
	if ldx == nil {
		return nil
	}
	s.Notes = append(ratioNotes(&s.Table), s.Notes...)
	s.Title = fmt.Sprintf("Recordings of %s, %s, %s entries", ldx.Place.Label, ldx.Runs[0].Cache, Count(float64(entries)))
	return Report{s}
}

// searchesSection has a row for each search by each program. The first program of a search
// reads the tree, and the others are compared with it.
func searchesSection(cases []*Case) Report {
	var searches []*Case
	for _, c := range cases {
		if c.Phase == PhaseSearch || c.Phase == "plocate" {
			search := *c
			search.Group = c.Scenario
			searches = append(searches, &search)
		}
	}
	if len(searches) == 0 {
		return nil
	}
	first := searches[0]
	title := fmt.Sprintf("Searches of %s, %s", first.Place.Label, first.Runs[0].Cache)
	s := Section{
		Title: title,
		Table: Table{
			Heads: []string{"search", "program", "found", "median ms", "min", "p95", "MAD", "CPU ms", "MiB", "time/live"}, Left: 2,
			Extra: []string{"MAD", "CPU ms", "p95", "MiB", "min"},
		},
		Chart: &Chart{Title: "median milliseconds: " + title},
	}
	var failures []string
	for _, group := range groupsOf(searches) {
		live, best := group[0], fastest(group)
		for i, c := range group {
			sum, name, ratio := Sum(c.Runs), c.Scenario, "1"
			if i > 0 {
				name, ratio = "", shareOfLive(c, live)
			}
			s.Table.Rows = append(s.Table.Rows, []string{
				name, c.Tool.Name, Entries(c), marked(Millis(sum.Median), c == best), Millis(sum.Min), Millis(sum.P95), Millis(sum.MAD),
				Millis(SumOf(c.Runs, CPU).Median), Peak(c.Runs), ratio,
			})
			s.Chart.Bars = append(s.Chart.Bars, Bar{c.Scenario + ", " + c.Tool.Name, float64(sum.Median), Millis(sum.Median) + " ms", c == best})
			if c.Runs[0].Entries > 0 { // plocate ends with 1 if it finds nothing
				failures = append(failures, failure(c)...)
			}
		}
	}
	s.Notes = slices.Concat([]string{markNote + " of a search"}, ratioNotes(&s.Table), failures)
	return Report{s}
}

// shareOfLive returns the ratio of c's times to those of the live search, or the reason why
// there is none.
func shareOfLive(c, live *Case) string {
	if !Same(live, c) {
		return "finds " + Entries(c)
	}
	return shownRatio(c, live)
}

// failure returns a note if a run of c has failed.
func failure(c *Case) []string {
	if status := Failed(c); status != 0 {
		return []string{fmt.Sprintf("%s ended with status %d: %s.", c.Tool.Name, status, c.shownArgs())}
	}
	return nil
}
