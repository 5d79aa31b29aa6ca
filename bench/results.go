package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ldx/internal/measure"
)

// results writes measurements to a folder, if it has one. All reports are made
// from the rows of raw.csv; repeated measurements are appended to it.
type results struct {
	dir     string // "": no folder
	o       *options
	tools   map[string]measure.Tool
	started time.Time
	load    string
	raw     *os.File
	rows    *measure.Rows
}

// shown holds the cases of each scenario, by program.
type shown map[string]map[string]*measure.Case

var summaryColumns = []string{
	"scenario", "tool", "n", "entries", "median_ms", "min_ms", "p95_ms", "mad_ms", "entries_per_s", "cpu_ms", "peak_mib",
	"ldx_ratio", "ldx_ratio_spread", "ldx_cpu_ratio", "at_most",
}

// heads are the column heads of summary.md and of the printed table.
var heads = []string{
	"scenario", "compared with", "entries", "ldx ms", "other ms", "wall ratio", "limit", "met", "CPU ratio", "limit", "ldx MiB", "other MiB",
}

func newResults(o *options, raw string, tools map[string]measure.Tool) (*results, error) {
	r := &results{dir: o.out, o: o, tools: tools, started: time.Now(), load: loadAverage()}
	if r.dir == "" {
		return r, nil
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if r.raw, err = os.OpenFile(filepath.Join(r.dir, raw), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if info, err := r.raw.Stat(); err != nil || info.Size() > 0 {
		if err == nil {
			r.rows, err = measure.MoreRows(r.raw, r.raw, measure.ThisHost())
		}
		return r, err
	}
	r.rows, err = measure.NewRows(r.raw, measure.ThisHost())
	return r, err
}

func (r *results) close() {
	if r.raw != nil {
		_ = r.raw.Close()
	}
}

// add writes the last run of c, if it counts.
func (r *results) add(c *measure.Case, p measure.Progress) error {
	if r.rows == nil || !p.Counts {
		return nil
	}
	return r.rows.Add(c)
}

// show prints the results of a scenario.
func (r *results) show(s *scenario, cases []*measure.Case) {
	for _, row := range s.rows(byTool(cases)) {
		fmt.Printf("| %s |\n", strings.Join(row, " | "))
	}
}

func byTool(cases []*measure.Case) map[string]*measure.Case {
	tools := map[string]*measure.Case{}
	for _, c := range cases {
		tools[c.Tool.Name] = c
	}
	return tools
}

// readShown reads the rows of a folder.
func readShown(dir string) (shown, error) {
	f, err := os.Open(filepath.Join(dir, "raw.csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cases, err := measure.ReadRows(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	all := shown{}
	for _, c := range cases {
		if all[c.Scenario] == nil {
			all[c.Scenario] = map[string]*measure.Case{}
		}
		all[c.Scenario][c.Tool.Name] = c
	}
	return all, nil
}

// compared returns the peers of a scenario, with the older ldx if it was
// measured.
func (s *scenario) compared(cases map[string]*measure.Case) []peer {
	if cases["old"] == nil {
		return s.peers
	}
	return append(s.peers[:len(s.peers):len(s.peers)], peer{tool: "old"})
}

// rows returns the rows of summary.md for a scenario; none if it was not
// measured.
func (s *scenario) rows(cases map[string]*measure.Case) (rows [][]string) {
	add := func(cells ...string) { rows = append(rows, append(cells, make([]string, len(heads)-len(cells))...)) }
	ours := cases["ldx"]
	if ours == nil {
		return nil
	}
	mine := measure.Sum(ours.Runs)
	if len(s.peers) == 0 {
		add(s.name, "", measure.Entries(ours), measure.Millis(mine.Median), "", "", "", "", "", "", memoryOf(ours, s.memory))
	}
	for _, p := range s.compared(cases) {
		c := cases[p.name()]
		if c == nil {
			add(s.name, p.name(), "not installed")
			continue
		}
		wall, cpu := measure.Compare(ours.Runs, c.Runs, measure.Wall), measure.Compare(ours.Runs, c.Runs, measure.CPU)
		text := wall.String()
		switch status := measure.Failed(c); {
		case !measure.Same(ours, c):
			text = "finds " + measure.Entries(c)
		case status != 0 && s.quiet:
			text = fmt.Sprintf("status %d", status)
		}
		add(s.name, p.name(), measure.Entries(ours), measure.Millis(mine.Median), measure.Millis(measure.Sum(c.Runs).Median),
			text, limit(p.maxRatio), reached(wall, p.maxRatio, ours, c), cpu.String(), limit(p.maxCPURatio),
			memoryOf(ours, s.memory), measure.Peak(c.Runs))
	}
	return rows
}

// sums returns the rows of summary.csv: each program's own times, and the
// ratios of ldx to it.
func (s *scenario) sums(cases map[string]*measure.Case) (rows [][]string) {
	ours := cases["ldx"]
	if ours == nil {
		return nil
	}
	for _, p := range append([]peer{{tool: "ldx"}}, s.compared(cases)...) {
		c := cases[p.name()]
		if c == nil {
			continue
		}
		sum := measure.Sum(c.Runs)
		wall, cpu := measure.Compare(ours.Runs, c.Runs, measure.Wall), measure.Compare(ours.Runs, c.Runs, measure.CPU)
		thousandths := func(n float64) string { return fmt.Sprintf("%.3f", n) }
		ratios := []string{thousandths(wall.Value), thousandths(wall.Spread), thousandths(cpu.Value)}
		if !measure.Same(ours, c) {
			ratios = []string{"", "", ""}
		}
		rows = append(rows, slices.Concat([]string{
			s.name, p.name(), strconv.Itoa(sum.N), strings.ReplaceAll(measure.Entries(c), ",", ""),
			measure.Millis(sum.Median), measure.Millis(sum.Min), measure.Millis(sum.P95), measure.Millis(sum.MAD),
			fmt.Sprintf("%.0f", measure.PerSecond(c.Runs)), measure.Millis(measure.SumOf(c.Runs, measure.CPU).Median), measure.Peak(c.Runs),
		}, ratios, []string{limit(p.maxRatio)}))
	}
	return rows
}

func limit(maxRatio float64) string {
	if maxRatio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", maxRatio)
}

func reached(r measure.Ratio, maxRatio float64, ours, c *measure.Case) string {
	switch {
	case maxRatio == 0:
		return ""
	case !measure.Same(ours, c), c.Quiet && measure.Failed(c) != 0, r.Noisy():
		return "?"
	case r.Value <= maxRatio+0.005: // rounded as it is shown
		return "yes"
	}
	return "no"
}

func memoryOf(c *measure.Case, limit float64) string {
	text := measure.Peak(c.Runs)
	peak, err := strconv.ParseFloat(strings.TrimPrefix(text, "≤ "), 64)
	if err == nil && limit > 0 && peak > limit {
		text += fmt.Sprintf(", limit %.0f", limit)
	}
	return text
}

// finish writes the reports to the folder. The raw rows are there already.
func (r *results) finish() error {
	if r.dir == "" {
		return nil
	}
	all, err := readShown(r.dir)
	if err != nil {
		return err
	}
	table, sums := measure.Table{Heads: heads, Left: 2}, [][]string{summaryColumns}
	for _, s := range scenarios() {
		table.Rows = append(table.Rows, s.rows(all[s.name])...)
		sums = append(sums, s.sums(all[s.name])...)
	}
	var summary strings.Builder
	if err := csv.NewWriter(&summary).WriteAll(sums); err != nil {
		return err
	}
	text := "# Results of the bench\n\n" + measure.ThisHost().String() + "; see setup.md for more.\n\n" +
		"A ratio is ldx's time relative to the other program's: the median of the ratios of each turn. It is not given if half of\n" +
		"them differ from it by more than a tenth. The limits are the project's own. A ≤ before the memory means an upper bound:\n" +
		"a child begins with the memory of the bench.\n\n" + table.Markdown()
	return errors.Join(
		os.WriteFile(filepath.Join(r.dir, "summary.csv"), []byte(summary.String()), 0o644),
		os.WriteFile(filepath.Join(r.dir, "summary.md"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(r.dir, "chart.svg"), []byte(chart(all)), 0o644),
		r.writeSetup(),
	)
}

// writeSetup describes the setup; for repeated measurements it adds when they
// were made.
func (r *results) writeSetup() error {
	name := filepath.Join(r.dir, "setup.md")
	before, err := os.ReadFile(name)
	if err != nil {
		return os.WriteFile(name, []byte(r.setup()), 0o644)
	}
	again := fmt.Sprintf("\nMeasured again, %s, load average %s: %s.\n", r.started.UTC().Format("2006-01-02 15:04 UTC"), r.load,
		cmp.Or(strings.Join(r.o.only, ", "), "all"))
	return os.WriteFile(name, append(before, again...), 0o644)
}

// setup describes the setup of the measurements.
func (r *results) setup() string {
	h := measure.ThisHost()
	var b strings.Builder
	fmt.Fprintf(&b, "# Setup\n\n- %s, host %s\n- %s, with %s\n", h, h.ID, r.started.UTC().Format("2006-01-02 15:04 UTC"), runtime.Version())
	fmt.Fprintf(&b, "- load average before: %s; after %s: %s\n", r.load, time.Since(r.started).Round(time.Minute), loadAverage())
	fmt.Fprintf(&b, "- governor: %s\n", cmp.Or(contentOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "not known"))
	fmt.Fprintf(&b, "- %d counted runs of each program (five times as many of short ones, half as many of cold ones), output to a pipe\n",
		r.o.runs)
	fmt.Fprintf(&b, "- caches: warm; for cold runs raw.csv says whether they were dropped\n\n")
	fmt.Fprintf(&b, "| program | version | commit |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(r.tools)) {
		t := r.tools[name]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", t.Name, t.Version, t.Commit)
	}
	fmt.Fprintf(&b, "\n| tree | entries | directories |\n|---|--:|--:|\n")
	for _, name := range slices.Sorted(maps.Keys(r.o.trees.made)) {
		entries, dirs := sizeOf(r.o.ldx, r.o.trees.made[name])
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, entries, dirs)
	}
	return b.String()
}

// sizeOf counts the entries and directories of a tree with ldx.
func sizeOf(ldx, path string) (entries, dirs string) {
	count := func(args ...string) string {
		out, err := exec.Command(ldx, append(args, path)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	return count("-u", "--count", "."), count("-u", "--count", "-T", "d", ".")
}

func loadAverage() string { return cmp.Or(contentOf("/proc/loadavg"), "not known") }

func contentOf(file string) string {
	data, _ := os.ReadFile(file)
	return strings.TrimSpace(string(data))
}
