package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ldx/internal/measure"
)

// A row is one of summary.csv.
type row struct {
	scenario, tool      string
	median, cpu         float64
	entries             string
	ratio, spread, cpus float64 // of ldx; 0: none
}

// newestRun returns the folder of the last run of all scenarios, by its name.
func newestRun(runs string) (string, error) {
	files, err := filepath.Glob(filepath.Join(runs, "*", "summary.csv"))
	if err != nil {
		return "", err
	}
	for _, file := range slices.Backward(files) {
		dir := filepath.Dir(file)
		rows, err := readSummary(dir)
		if err == nil && rowOf(rows, "complete") && rowOf(rows, "workers-4x") {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no run of all scenarios in %s", runs)
}

func rowOf(rows []row, scenario string) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.scenario == scenario })
}

func readSummary(dir string) (rows []row, err error) {
	f, err := os.Open(filepath.Join(dir, "summary.csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) == 0 {
		return nil, errors.Join(err, errors.New("summary.csv is empty"))
	}
	at := map[string]int{}
	for i, name := range all[0] {
		at[name] = i
	}
	for _, cells := range all[1:] {
		number := func(name string) float64 {
			n, _ := strconv.ParseFloat(cells[at[name]], 64)
			return n
		}
		rows = append(rows, row{
			scenario: cells[at["scenario"]], tool: cells[at["tool"]], entries: cells[at["entries"]], median: number("median_ms"), cpu: number("cpu_ms"),
			ratio: number("ldx_ratio"), spread: number("ldx_ratio_spread"), cpus: number("ldx_cpu_ratio"),
		})
	}
	return rows, nil
}

// The table of the README is between these.
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

// readmeTable returns the newest run as README shows it: a row for each scenario, with the
// time of ldx by that of each other program, also where it is more.
func readmeTable(runs string) (string, error) {
	dir, err := newestRun(runs)
	if err != nil {
		return "", err
	}
	rows, err := readSummary(dir)
	if err != nil {
		return "", err
	}
	tools := []string{"fd", "fdf", "bfs", "find", "rg"}
	notes, table := "", measure.Table{Heads: append([]string{"", "ldx ms"}, tools...), Left: 1}
	for _, s := range scenarios() {
		cells := map[string]string{}
		for _, r := range rows {
			if r.scenario == s.name {
				cells[r.tool] = r.shown()
				if r.tool == "ldx" {
					cells[r.tool] = fmt.Sprintf("%.1f", r.median)
				}
			}
		}
		line := []string{s.what, cells["ldx"]}
		some := false
		for _, tool := range tools {
			line = append(line, cells[tool])
			some = some || cells[tool] != ""
		}
		if s.what != "" && some {
			table.Rows = append(table.Rows, line)
		}
	}
	for _, r := range rows {
		if way, is := strings.CutPrefix(r.tool, "ldx with "); is {
			notes += fmt.Sprintf("\n%s: %s of the time with %s.\n", r.scenario, r.shown(), way)
		}
	}
	link := filepath.ToSlash(filepath.Join("bench", "runs", filepath.Base(dir)))
	return fmt.Sprintf("%s%s\n![the same as a chart](%s/chart.svg)\n\nFrom [%s](%[3]s/summary.md), with its [setup](%[3]s/setup.md).\n",
		table.Markdown(), notes, link, filepath.Base(dir)), nil
}

// shown writes the ratio, in bold where ldx loses.
func (r *row) shown() string {
	switch {
	case r.ratio == 0:
		return "other entries"
	case r.noisy():
		return "too noisy"
	case r.ratio > 1:
		return fmt.Sprintf("**%.2f**", r.ratio)
	}
	return fmt.Sprintf("%.2f", r.ratio)
}

func (r *row) noisy() bool { return measure.Ratio{Value: r.ratio, Spread: r.spread, Pairs: 3}.Noisy() }

// chart draws the ratios of each scenario, with a line where both take as long.
func chart(rows []row) string {
	c := measure.Chart{Title: "Time of ldx by that of others: less than 1 (the line) is quicker", Line: 1}
	for _, s := range scenarios() {
		for _, r := range rows {
			if r.scenario == s.name && s.what != "" && r.tool != "ldx" && r.tool != "old" && r.ratio > 0 && !r.noisy() {
				c.Bars = append(c.Bars, measure.Bar{Label: r.scenario + " " + r.tool, Value: r.ratio, Shown: fmt.Sprintf("%.2f", r.ratio), Mark: r.ratio <= 1})
			}
		}
	}
	return measure.SVG([]*measure.Chart{&c})
}
