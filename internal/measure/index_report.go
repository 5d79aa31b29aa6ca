package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
			Left: 2,
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
	s.Title = fmt.Sprintf("Recordings of %s, %s, %s entries", ldx.Place.Label, ldx.Runs[0].Cache, Count(float64(entries)))
	return Report{s}
}

// searchesSection has a row for each search. The columns are the programs.
func searchesSection(cases []*Case) Report {
	var tools []string
	byScenario := map[string]map[string]*Case{}
	var scenarios []string
	for _, c := range cases {
		if c.Phase != PhaseSearch && c.Phase != "plocate" {
			continue
		}
		if byScenario[c.Scenario] == nil {
			byScenario[c.Scenario] = map[string]*Case{}
			scenarios = append(scenarios, c.Scenario)
		}
		byScenario[c.Scenario][c.Tool.Name] = c
		if !slices.Contains(tools, c.Tool.Name) {
			tools = append(tools, c.Tool.Name)
		}
	}
	if len(tools) == 0 {
		return nil
	}
	first := byScenario[scenarios[0]][tools[0]]
	title := fmt.Sprintf("Searches of %s, %s", first.Place.Label, first.Runs[0].Cache)
	s := Section{
		Title: title,
		Table: Table{Heads: []string{"search", "found"}, Left: 1},
		Chart: &Chart{Title: "median milliseconds: " + title},
	}
	for _, tool := range tools {
		s.Table.Heads = append(s.Table.Heads, tool+" ms")
	}
	for _, tool := range tools[1:] {
		s.Table.Heads = append(s.Table.Heads, strings.TrimPrefix(tool, "ldx ")+"/live")
	}
	for _, scenario := range scenarios {
		programs := byScenario[scenario]
		live := programs[tools[0]]
		if live == nil {
			continue
		}
		row, ratios := []string{scenario, Entries(live)}, []string(nil)
		for _, tool := range tools {
			c := programs[tool]
			median, ratio := "", ""
			if c != nil {
				sum := Sum(c.Runs)
				median, ratio = Millis(sum.Median), shareOfLive(c, live)
				s.Chart.Bars = append(s.Chart.Bars, Bar{scenario + ", " + tool, float64(sum.Median), median + " ms", tool == "ldx"})
				if c.Runs[0].Entries > 0 { // plocate ends with 1 if it finds nothing
					s.Notes = append(s.Notes, failure(c)...)
				}
			}
			row = append(row, median)
			if tool != tools[0] {
				ratios = append(ratios, ratio)
			}
		}
		s.Table.Rows = append(s.Table.Rows, slices.Concat(row, ratios))
	}
	return Report{s}
}

// shareOfLive returns the ratio of c's times to those of the live search, or the reason why
// there is none.
func shareOfLive(c, live *Case) string {
	if !Same(live, c) {
		return "finds " + Entries(c)
	}
	return Compare(c.Runs, live.Runs, Wall).String()
}

// failure returns a note if a run of c has failed.
func failure(c *Case) []string {
	if status := Failed(c); status != 0 {
		return []string{fmt.Sprintf("%s ended with status %d: %s.", c.Tool.Name, status, c.shownArgs())}
	}
	return nil
}
