package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/measure"
)

// newestRun returns the folder of the newest run of all scenarios, by its name,
// and its contents.
func newestRun(runs string) (string, shown, error) {
	files, err := filepath.Glob(filepath.Join(runs, "*", "raw.csv"))
	if err != nil {
		return "", nil, err
	}
	for _, file := range slices.Backward(files) {
		dir := filepath.Dir(file)
		all, err := readShown(dir)
		if err == nil && all["complete"] != nil && all["workers-4x"] != nil {
			return dir, all, nil
		}
	}
	return "", nil, fmt.Errorf("%s has no run of all scenarios", runs)
}

// The table in README is between these lines.
const (
	tableBegins = "<!-- made by go run ./bench -readme -->\n"
	tableEnds   = "<!-- end of what the bench made -->\n"
)

// writeReadme puts the table and chart of the newest run into README.
func writeReadme(readme, runs string) error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		return fmt.Errorf("%s has no %s", readme, tableBegins)
	}
	table, err := readmeTable(runs)
	if err != nil {
		return err
	}
	return os.WriteFile(readme, []byte(before+tableBegins+table+tableEnds+after), 0o644)
}

// readmeTable returns the newest run for README: a row for each scenario, with
// the time of ldx relative to each other program, also where it is longer.
func readmeTable(runs string) (string, error) {
	dir, all, err := newestRun(runs)
	if err != nil {
		return "", err
	}
	tools := []string{"fd", "fdf", "bfs", "find", "rg"}
	notes, table := "", measure.Table{Heads: append([]string{"", "ldx ms"}, tools...), Left: 1}
	for _, s := range scenarios() {
		cases := all[s.name]
		ours := cases["ldx"]
		if s.what == "" || ours == nil {
			continue
		}
		line, some := []string{s.what, measure.Millis(measure.Sum(ours.Runs).Median)}, false
		for _, tool := range tools {
			line = append(line, ratioShown(ours, cases[tool]))
			some = some || cases[tool] != nil
		}
		if some {
			table.Rows = append(table.Rows, line)
		}
		for _, p := range s.peers {
			if p.way != "" && cases[p.as] != nil {
				notes += fmt.Sprintf("\nWith %s: %s of the time %s.\n", s.what, ratioShown(ours, cases[p.as]), p.way)
			}
			if !slices.Contains(tools, p.tool) && p.as == "" && cases[p.tool] != nil {
				notes += fmt.Sprintf("\n`%s`: %s of the time of %s.\n", s.what, ratioShown(ours, cases[p.tool]), p.tool)
			}
		}
	}
	link := filepath.ToSlash(filepath.Join("bench", "runs", filepath.Base(dir)))
	return fmt.Sprintf("%s%s\n![the same as a chart](%s/chart.svg)\n\nFrom [%s](%[3]s/summary.md), with its [setup](%[3]s/setup.md).\n",
		table.Markdown(), notes, link, filepath.Base(dir)), nil
}

// ratioShown formats the ratio of ours to c, in bold where ldx loses.
func ratioShown(ours, c *measure.Case) string {
	if c == nil {
		return ""
	}
	r := measure.Compare(ours.Runs, c.Runs, measure.Wall)
	switch {
	case !measure.Same(ours, c):
		return "finds " + measure.Entries(c)
	case r.Noisy():
		return "too noisy"
	case r.Value > 1:
		return "**" + r.String() + "**"
	}
	return r.String()
}

// chart draws the ratios of each scenario, with a line at 1.
func chart(all shown) string {
	c := measure.Chart{Title: "Time of ldx relative to others: below 1 (the line) ldx is faster", Line: 1}
	for _, s := range scenarios() {
		cases := all[s.name]
		for _, p := range s.peers {
			other := cases[p.name()]
			if cases["ldx"] == nil || other == nil || p.as != "" || !measure.Same(cases["ldx"], other) {
				continue
			}
			if r := measure.Compare(cases["ldx"].Runs, other.Runs, measure.Wall); !r.Noisy() {
				c.Bars = append(c.Bars, measure.Bar{Label: s.name + " " + p.tool, Value: r.Value, Shown: r.String(), Mark: r.Value <= 1})
			}
		}
	}
	return measure.SVG([]*measure.Chart{&c})
}
