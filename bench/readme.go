package main

import (
	"cmp"
	"errors"
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

// The tables in README.md of the bench are between these lines.
const (
	tableBegins = "<!-- made by go run ./bench -readme -->\n"
	tableEnds   = "<!-- end of what the bench made -->\n"
)

// updateReadme makes all that is made from the newest run again: its reports, the tables in
// README.md, and chart.svg.
func updateReadme(bench string) error {
	dir, all, err := newestRun(filepath.Join(bench, "runs"))
	if err != nil {
		return err
	}
	readme := filepath.Join(bench, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		return fmt.Errorf("%s has no %s", readme, tableBegins)
	}
	return errors.Join(
		writeReports(dir),
		os.WriteFile(readme, []byte(before+tableBegins+readmeTables(dir, all)+tableEnds+after), 0o644),
		os.WriteFile(filepath.Join(bench, "chart.svg"), []byte(chart(all)), 0o644),
	)
}

// readmeTables returns a run for README.md: a row for each scenario, with the time of ldx
// relative to each other program, also where it is longer; and what the scenarios are.
func readmeTables(dir string, all shown) string {
	tools := []string{"fd", "fdf", "bfs", "find"}
	notes := ""
	table := measure.Table{Heads: append([]string{"scenario", "ldx ms"}, tools...), Left: 1}
	names := measure.Table{Heads: []string{"scenario", "what is done"}, Left: 2}
	for _, s := range scenarios() {
		cases := all[s.name]
		ours := cases["ldx"]
		if ours == nil {
			continue
		}
		names.Rows = append(names.Rows, []string{s.name, s.what})
		line, some := []string{s.name, measure.Millis(measure.Sum(ours.Runs).Median)}, false
		for _, tool := range tools {
			cell := ""
			if c := cases[tool]; c != nil {
				cell, some = ratioShown(&s, ours, c), true
			}
			line = append(line, cell)
		}
		if some {
			table.Rows = append(table.Rows, line)
		}
		for _, p := range s.peers {
			if c := cases[p.name()]; c != nil && !slices.Contains(tools, p.tool) {
				notes += fmt.Sprintf("- %s against %s: %s\n", s.name, cmp.Or(p.way, p.tool), ratioShown(&s, ours, c))
			}
		}
	}
	name := filepath.Base(dir)
	return fmt.Sprintf("%s\n%s\n%s\n%s\nFrom [%s](runs/%[5]s/summary.md), with its [setup](runs/%[5]s/setup.md).\n",
		ratioText, table.Markdown(), notes, names.Markdown(), name)
}

// chart draws the times of a complete search.
func chart(all shown) string {
	s := scenarios()[0]
	cases := all[s.name]
	ours := cases["ldx"]
	c := measure.Chart{Title: fmt.Sprintf("%s of %s: milliseconds, warm cache", s.what, measure.Entries(ours))}
	best := ours
	for _, name := range append([]string{"ldx"}, programs(s.peers)...) {
		one := cases[name]
		if one == nil || !measure.Same(ours, one) {
			continue
		}
		median := measure.Sum(one.Runs).Median
		if median < measure.Sum(best.Runs).Median {
			best = one
		}
		c.Bars = append(c.Bars, measure.Bar{Label: name, Value: float64(median), Shown: measure.Millis(median) + " ms"})
	}
	for i := range c.Bars {
		c.Bars[i].Mark = c.Bars[i].Label == best.Tool.Name
	}
	return measure.SVG([]*measure.Chart{&c})
}

// programs returns the names of peers.
func programs(peers []peer) (names []string) {
	for _, p := range peers {
		names = append(names, p.name())
	}
	return names
}
