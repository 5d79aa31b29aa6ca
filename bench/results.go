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

// results collects what a run of the bench has shown, and writes it to a folder if it
// has one.
type results struct {
	dir     string // "": none
	runs    int
	tools   map[string]measure.Tool
	started time.Time
	load    string
	raw     *os.File
	rows    *measure.Rows

	table   measure.Table // of summary.md
	summary [][]string    // of summary.csv
}

// unfinished ends the name of the rows until there are all of them, so that those of a
// run before stay until then.
const unfinished = ".unfinished"

var summaryColumns = []string{
	"scenario", "tool", "n", "entries", "median_ms", "min_ms", "p95_ms", "mad_ms", "entries_per_s", "cpu_ms", "peak_mib",
	"ldx_ratio", "ldx_ratio_spread", "ldx_cpu_ratio", "at_most",
}

const summaryHead = "| scenario | against | entries | ldx ms | its ms | wall ratio | at most | reached | CPU ratio | at most | ldx MiB | its MiB |\n" +
	"|---|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|\n"

func newResults(dir, raw string, runs int, tools map[string]measure.Tool) (*results, error) {
	r := &results{dir: dir, runs: runs, tools: tools, started: time.Now(), load: loadAverage(), summary: [][]string{summaryColumns}}
	if dir == "" {
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if r.raw, err = os.Create(filepath.Join(dir, raw+unfinished)); err != nil {
		return nil, err
	}
	r.rows, err = measure.NewRows(r.raw, measure.ThisHost())
	return r, err
}

func (r *results) close() {
	if r.raw != nil {
		_ = r.raw.Close()
	}
}

// add writes the last of c's runs, if it counts.
func (r *results) add(c *measure.Case, p measure.Progress) error {
	if r.rows == nil || !p.Counts {
		return nil
	}
	return r.rows.Add(c)
}

// sum adds up a scenario, and prints a row for each peer.
func (r *results) sum(s *scenario, ours *measure.Case, peers []peer, compared []*measure.Case) {
	r.summarize(s, ours, ours, peer{})
	mine := measure.Sum(ours.Runs)
	if len(peers) == 0 {
		r.row(s.name, "", entriesOf(ours), millis(mine.Median), "", "", "", "", "", "", memoryOf(ours, s.memory))
	}
	for i, p := range peers {
		c := compared[i]
		if c == nil {
			r.row(s.name, p.name(), "not installed")
			continue
		}
		r.summarize(s, ours, c, p)
		wall, cpu := measure.Compare(ours.Runs, c.Runs, measure.Wall), measure.Compare(ours.Runs, c.Runs, measure.CPU)
		shown := wall.String()
		if !measure.Same(ours, c) {
			shown = fmt.Sprintf("finds %s", entriesOf(c))
		}
		if status := measure.Failed(c); status != 0 && s.quiet {
			shown = fmt.Sprintf("ended with %d", status)
		}
		r.row(s.name, p.name(), entriesOf(ours), millis(mine.Median), millis(measure.Sum(c.Runs).Median), shown, limit(p.atMost),
			reached(wall, p.atMost, ours, c), cpu.String(), limit(p.cpuAtMost), memoryOf(ours, s.memory), measure.Peak(c.Runs))
	}
}

func (r *results) row(cells ...string) {
	heads := strings.Split(strings.Trim(strings.SplitN(summaryHead, "\n", 2)[0], "| "), " | ")
	row := append(cells, make([]string, len(heads)-len(cells))...)
	r.table.Heads, r.table.Left = heads, 2
	r.table.Rows = append(r.table.Rows, row)
	fmt.Printf("| %s |\n", strings.Join(row, " | "))
}

// summarize adds a row to summary.csv: c's own times, and ldx's by them.
func (r *results) summarize(s *scenario, ours, c *measure.Case, p peer) {
	sum, wall, cpu := measure.Sum(c.Runs), measure.Compare(ours.Runs, c.Runs, measure.Wall), measure.Compare(ours.Runs, c.Runs, measure.CPU)
	number := func(format string, n float64) string { return fmt.Sprintf(format, n) }
	spread := wall.Spread
	if wall.Noisy() {
		spread = max(spread, 1) // also for want of pairs
	}
	ratios := []string{number("%.3f", wall.Value), number("%.3f", spread), number("%.3f", cpu.Value)}
	if !measure.Same(ours, c) {
		ratios = []string{"", "", ""}
	}
	tool := c.Tool.Name
	r.summary = append(r.summary, slices.Concat([]string{
		s.name, tool, strconv.Itoa(sum.N), strings.ReplaceAll(entriesOf(c), ",", ""), millis(sum.Median), millis(sum.Min), millis(sum.P95), millis(sum.MAD),
		number("%.0f", measure.PerSecond(c.Runs)), millis(measure.SumOf(c.Runs, measure.CPU).Median), measure.Peak(c.Runs),
	}, ratios, []string{limit(p.atMost)}))
}

func entriesOf(c *measure.Case) string {
	if c.Quiet {
		return ""
	}
	return measure.Count(float64(c.Runs[0].Entries))
}

func limit(atMost float64) string {
	if atMost == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", atMost)
}

func reached(r measure.Ratio, atMost float64, ours, c *measure.Case) string {
	switch {
	case atMost == 0:
		return ""
	case !measure.Same(ours, c), c.Quiet && measure.Failed(c) != 0, r.Noisy():
		return "?"
	case r.Value <= atMost+0.005: // as it is shown
		return "yes"
	}
	return "no"
}

func memoryOf(c *measure.Case, atMost float64) string {
	text := measure.Peak(c.Runs)
	peak, err := strconv.ParseFloat(strings.TrimPrefix(text, "≤ "), 64)
	if err == nil && atMost > 0 && peak > atMost {
		text += fmt.Sprintf(", not %.0f", atMost)
	}
	return text
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1e3) }

// finish writes the folder, but for the raw rows, which are there.
func (r *results) finish(o *options) error {
	if r.dir == "" {
		return nil
	}
	var summary strings.Builder
	out := csv.NewWriter(&summary)
	if err := out.WriteAll(r.summary); err != nil {
		return err
	}
	text := "# What the bench has shown\n\n" + measure.ThisHost().String() + "; setup.md has more.\n\n" +
		"A ratio is that of ldx's time to the other's: the median of the ratios of each turn. None is given when half of them\n" +
		"differ from it by more than a tenth. \"At most\" is what the project asks of itself. With ≤, the memory is that of the bench,\n" +
		"which a child begins with.\n\n" + r.table.Markdown()
	errs := []error{
		r.keep(),
		os.WriteFile(filepath.Join(r.dir, "summary.csv"), []byte(summary.String()), 0o644),
		os.WriteFile(filepath.Join(r.dir, "summary.md"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(r.dir, "setup.md"), []byte(r.setup(o)), 0o644),
	}
	if shown, err := readSummary(r.dir); err == nil {
		errs = append(errs, os.WriteFile(filepath.Join(r.dir, "chart.svg"), []byte(chart(shown)), 0o644))
	} else {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// keep has the rows take the place of those before.
func (r *results) keep() error {
	name := r.raw.Name()
	return errors.Join(r.raw.Close(), os.Rename(name, strings.TrimSuffix(name, unfinished)))
}

// setup tells how it was measured.
func (r *results) setup(o *options) string {
	h := measure.ThisHost()
	var b strings.Builder
	fmt.Fprintf(&b, "# The setup\n\n- %s, host %s\n- %s, with %s\n", h, h.ID, r.started.UTC().Format("2006-01-02 15:04 UTC"), runtime.Version())
	fmt.Fprintf(&b, "- load average before: %s; after, %s later: %s\n", r.load, time.Since(r.started).Round(time.Minute), loadAverage())
	fmt.Fprintf(&b, "- governor: %s\n", cmp.Or(contentOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "not known"))
	fmt.Fprintf(&b, "- %d counted runs of each program (five times as many of short ones, half as many cold ones), output to a pipe\n", r.runs)
	fmt.Fprintf(&b, "- caches: warm; of cold runs raw.csv says whether they were dropped\n\n")
	fmt.Fprintf(&b, "| program | version | commit |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(r.tools)) {
		t := r.tools[name]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", t.Name, t.Version, t.Commit)
	}
	fmt.Fprintf(&b, "\n| tree | entries | directories |\n|---|--:|--:|\n")
	for _, name := range slices.Sorted(maps.Keys(o.trees.made)) {
		entries, dirs := sizeOf(o.ldx, o.trees.made[name])
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, entries, dirs)
	}
	return b.String()
}

// sizeOf has ldx tell what is in a tree.
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
