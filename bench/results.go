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
	if section := s.section(byTool(cases)); section != nil {
		fmt.Println(section.Text(screen()))
	}
}

// screen returns what fits on any terminal.
func screen() measure.Screen {
	locale := strings.ToLower(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
	return measure.Screen{Width: 80, ASCII: !strings.Contains(locale, "utf")}
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

// section returns the times of a scenario, of ldx first; nil if it was not measured.
func (s *scenario) section(cases map[string]*measure.Case) *measure.Section {
	ours := cases["ldx"]
	if ours == nil {
		return nil
	}
	title := fmt.Sprintf("%s: %s", s.name, s.what)
	if entries := measure.Entries(ours); entries != "" {
		title += ", " + entries + " found"
	}
	table := measure.Table{
		Heads: []string{"program", "median ms", "MiB", "time of ldx", "limit", "met", "CPU of ldx", "CPU limit"},
		Left:  1,
		Extra: []string{"CPU limit", "MiB", "CPU of ldx"},
	}
	row := func(program string, c *measure.Case, cells ...string) {
		table.Rows = append(table.Rows, append([]string{program, measure.Millis(measure.Sum(c.Runs).Median)}, cells...))
	}
	row("ldx", ours, memoryOf(ours, s.memory), "1", "", "", "1", "")
	for _, p := range s.compared(cases) {
		c := cases[p.name()]
		if c == nil {
			table.Rows = append(table.Rows, []string{p.name(), "", "", "not installed", "", "", "", ""})
			continue
		}
		row(p.name(), c, measure.Peak(c.Runs), ratioShown(s, ours, c), limit(p.maxRatio), reached(s, p.maxRatio, ours, c),
			measure.Compare(ours.Runs, c.Runs, measure.CPU).String(), limit(p.maxCPURatio))
	}
	return &measure.Section{Title: title, Table: table}
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

// reached reports whether the ratio of ours to c is within a limit; "?" if that is unknown.
func reached(s *scenario, maxRatio float64, ours, c *measure.Case) string {
	r := measure.Compare(ours.Runs, c.Runs, measure.Wall)
	switch {
	case maxRatio == 0:
		return ""
	case s.withheld(ours, c) != "", r.Pairs < 3:
		return "?"
	case r.Value <= maxRatio+0.005: // rounded as it is shown
		return "yes"
	}
	return "no"
}

// ratioShown returns the ratio of the times of ours to those of c, or the reason why there is none.
func ratioShown(s *scenario, ours, c *measure.Case) string {
	return cmp.Or(s.withheld(ours, c), measure.Compare(ours.Runs, c.Runs, measure.Wall).String())
}

// withheld returns why ours and c cannot be compared; "" if they can. A short scenario runs so
// often that its times tell something.
func (s *scenario) withheld(ours, c *measure.Case) string {
	switch status := measure.Failed(c); {
	case !measure.Same(ours, c):
		return "finds " + measure.Entries(c)
	case status != 0 && s.quiet:
		return fmt.Sprintf("status %d", status)
	case !s.short && measure.TooShort(ours) && measure.TooShort(c):
		return "too short to tell"
	}
	return ""
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
	return errors.Join(writeReports(r.dir), r.writeSetup())
}

// writeReports writes what is made from the rows of a folder.
func writeReports(dir string) error {
	all, err := readShown(dir)
	if err != nil {
		return err
	}
	sums := [][]string{summaryColumns}
	for _, s := range scenarios() {
		sums = append(sums, s.sums(all[s.name])...)
	}
	var summary strings.Builder
	if err := csv.NewWriter(&summary).WriteAll(sums); err != nil {
		return err
	}
	text, err := summaryText(dir, all)
	return errors.Join(err,
		os.WriteFile(filepath.Join(dir, "summary.csv"), []byte(summary.String()), 0o644),
		os.WriteFile(filepath.Join(dir, "summary.md"), []byte(text), 0o644),
	)
}

// summaryText returns the tables of all scenarios.
func summaryText(dir string, all shown) (string, error) {
	var report measure.Report
	for _, s := range scenarios() {
		if section := s.section(all[s.name]); section != nil {
			report = append(report, *section)
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "raw.csv"))
	host, _, _ := strings.Cut(strings.TrimPrefix(string(raw), measure.HostComment), "\n")
	return "# Results of the bench\n\n" + host + "; see setup.md for more.\n\n" + ratioText +
		"\nThe limits are the project's own. A ≤ before the memory means an upper bound:\na child begins with the memory of the bench.\n\n" +
		report.Markdown(), err
}

// ratioText explains the ratios.
const ratioText = `A ratio is ldx's time relative to the other program's: the median of the ratios
of each turn. Above 1 ldx is slower. Half of the turns are as close to it as the
± says; where 1 is as close, the ratio is unclear. There is none where a program
finds another number of entries.
`

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
