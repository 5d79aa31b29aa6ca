package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/measure"
)

// TestReadme checks that all that is made from the newest run shows it.
func TestReadme(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	const advice = "go run ./bench -readme updates it"
	dir, all, err := newestRun("runs")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(read("README.md"), tableBegins)
	require.True(t, ok)
	shown, _, ok := strings.Cut(rest, tableEnds)
	require.True(t, ok)
	assert.Equal(t, readmeTables(dir, all), shown, advice)
	assert.Equal(t, chart(all), read("chart.svg"), advice)
	summary, err := summaryText(dir, all)
	require.NoError(t, err)
	assert.Equal(t, summary, read(filepath.Join(dir, "summary.md")), advice)
	for line := range strings.Lines(shown) {
		if strings.HasPrefix(line, "|") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), 80+1, line)
		}
	}
}

// TestRunsAreWhole checks that the kept runs have all files, in a valid form
// and without paths.
func TestRunsAreWhole(t *testing.T) {
	runs, err := filepath.Glob(filepath.Join("runs", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, runs)
	for _, run := range runs {
		for _, name := range []string{"setup.md", "raw.csv", "summary.md"} {
			text, err := os.ReadFile(filepath.Join(run, name))
			require.NoError(t, err)
			assert.NotContains(t, string(text), os.TempDir()+"/")
			if filepath.Ext(name) != ".csv" {
				continue
			}
			r := csv.NewReader(bytes.NewReader(text))
			r.Comment = '#'
			rows, err := r.ReadAll()
			require.NoError(t, err, run)
			assert.Greater(t, len(rows), 2)
		}
	}
}

func TestNewestRun(t *testing.T) {
	runs := dirtest.TempDir(t)
	_, _, err := newestRun(runs)
	require.Error(t, err)
	for name, scenarios := range map[string][]string{
		"2026-01-02-a": {"complete", "workers-4x"}, "2025-12-31-z": {"complete", "workers-4x"}, "2027-some": {"complete"}, "2028-empty": nil,
	} {
		write(t, filepath.Join(runs, name), func(r *results) {
			for _, s := range scenarios {
				keep(t, r, &measure.Case{Scenario: s, Tool: measure.Tool{Name: "ldx"}, Runs: runsOf(1, 1)})
			}
		})
	}
	newest, all, err := newestRun(runs)
	require.NoError(t, err)
	assert.Equal(t, "2026-01-02-a", filepath.Base(newest))
	assert.Len(t, all, 2)
}

// write writes rows to a folder.
func write(t *testing.T, dir string, f func(*results)) {
	t.Helper()
	r, err := newResults(&options{out: dir, runs: 3}, "raw.csv", nil)
	require.NoError(t, err)
	defer r.close()
	f(r)
	require.NoError(t, r.finish())
}

// keep adds all runs of a case.
func keep(t *testing.T, r *results, c *measure.Case) {
	t.Helper()
	all := c.Runs
	for i := range all {
		c.Runs = all[:i+1]
		require.NoError(t, r.add(c, measure.Progress{Counts: true}))
	}
}

func runsOf(entries int64, ms ...int) (runs []measure.Run) {
	for _, m := range ms {
		runs = append(runs, measure.Run{
			Wall: time.Duration(m) * time.Millisecond, User: time.Millisecond, Entries: entries, Peak: 30 << 20, Cache: measure.Warm,
		})
	}
	return runs
}

// TestSummary checks the summary of two runs: of repeated measurements the last counts.
func TestSummary(t *testing.T) {
	runs := dirtest.TempDir(t)
	dir := filepath.Join(runs, "2026-01-02-test")
	of := func(scenario, tool string, runs []measure.Run) *measure.Case {
		return &measure.Case{Scenario: scenario, Tool: measure.Tool{Name: tool}, Runs: runs}
	}
	write(t, dir, func(r *results) {
		keep(t, r, of("complete", "ldx", runsOf(100, 999)))
		keep(t, r, of("complete", "rg", runsOf(100, 999)))
		keep(t, r, of("workers-4x", "ldx", runsOf(100, 30, 30, 30)))
		keep(t, r, of("workers-4x", "ldx with as many", runsOf(100, 20, 40, 29)))
	})
	write(t, dir, func(r *results) {
		keep(t, r, of("complete", "ldx", runsOf(100, 100, 100, 100)))
		keep(t, r, of("complete", "fd", runsOf(100, 400, 200, 300)))
		keep(t, r, of("complete", "fdf", runsOf(100, 80, 80, 80)))
		keep(t, r, of("complete", "bfs", runsOf(99, 10, 10, 10)))
	})
	summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	require.NoError(t, err)
	cells, scenario := map[string][]string{}, ""
	for line := range strings.Lines(string(summary)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			scenario, _, _ = strings.Cut(title, ":")
		}
		if row := strings.Split(line, "|"); len(row) > 3 {
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			cells[scenario+" "+row[1]] = row[2 : len(row)-1]
		}
	}
	assert.Equal(t, []string{"100.0", "30.0, limit 25", "1", "", "", "1", ""}, cells["complete ldx"])
	assert.Equal(t, []string{"300.0", "30.0", "0.33 ±25 %", "0.45", "yes", "unclear", "0.50"}, cells["complete fd"])
	assert.Equal(t, []string{"80.0", "30.0", "1.25 ±0 %", "0.92", "no", "unclear", ""}, cells["complete fdf"])
	assert.Equal(t, []string{"10.0", "30.0", "finds 99", "0.58", "?"}, cells["complete bfs"][:5])
	assert.Equal(t, "not installed", cells["complete find"][2])
	assert.Equal(t, []string{"29.0", "30.0", "unclear", "1.05", "yes"}, cells["workers-4x ldx with as many"][:5])

	all, err := readShown(dir)
	require.NoError(t, err)
	table := readmeTables(dir, all)
	assert.Regexp(t, `\n\| complete +\| +100\.0 \| 0\.33 ±25 % \| 1\.25 ±0 % \| finds 99 \| +\|\n`, table)
	assert.Contains(t, table, "\n- workers-4x against one per processor: unclear\n")
	assert.Regexp(t, `\n\| complete +\| every path `, table)
	svg := chart(all)
	for _, text := range []string{
		">every path of 100: milliseconds, warm cache<", ">ldx<", ">100.0 ms<", ">fd<", ">300.0 ms<", ">fdf<", ">80.0 ms<",
	} {
		assert.Contains(t, svg, text)
	}
	assert.NotContains(t, svg, ">bfs<", "it finds something else")
	setup, err := os.ReadFile(filepath.Join(dir, "setup.md"))
	require.NoError(t, err)
	assert.Contains(t, string(setup), "\nMeasured again, ")
}

func TestReached(t *testing.T) {
	s := &scenario{}
	ours := &measure.Case{Runs: runsOf(1, 454, 454, 454)}
	theirs := &measure.Case{Runs: runsOf(1, 1000, 1000, 1000)}
	assert.Equal(t, "yes", reached(s, 0.45, ours, theirs))
	assert.Equal(t, "no", reached(s, 0.44, ours, theirs))
	assert.Empty(t, reached(s, 0, ours, theirs))
	assert.Equal(t, "?", reached(s, 0.45, ours, &measure.Case{Runs: runsOf(2, 1000, 1000, 1000)}), "other entries")
	assert.Equal(t, "?", reached(s, 0.45, ours, &measure.Case{Runs: runsOf(1, 1000)}), "too few runs")
	quick, quicker := &measure.Case{Runs: runsOf(1, 4, 4, 4)}, &measure.Case{Runs: runsOf(1, 2, 2, 2)}
	assert.Equal(t, "too short to tell", ratioShown(s, quick, quicker))
	assert.Equal(t, "2.00 ±0 %", ratioShown(&scenario{short: true}, quick, quicker), "it runs more often")
}

// TestUsage checks that -h lists the scenarios, on lines of 80 columns.
func TestUsage(t *testing.T) {
	var b bytes.Buffer
	flag.CommandLine.SetOutput(&b)
	defer flag.CommandLine.SetOutput(nil)
	printUsage()
	for _, s := range scenarios() {
		assert.Regexp(t, `(?m)^  `+s.name+` +\S`, b.String())
		assert.NotEmpty(t, s.what, s.name)
	}
	_, list, _ := strings.Cut(b.String(), "\nScenarios")
	for line := range strings.Lines(list) {
		assert.LessOrEqual(t, len(line), 80+1, line)
	}
}

// TestScenarios checks that names are unique, and that each limit names its
// program.
func TestScenarios(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenarios() {
		assert.False(t, seen[s.name], s.name)
		seen[s.name] = true
		assert.Contains(t, s.args, treeArg, s.name)
		for _, p := range s.peers {
			assert.Contains(t, p.args, treeArg, s.name)
		}
	}
}

// TestTrees checks the contents of trees, and that each is made once.
func TestTrees(t *testing.T) {
	trees := trees{main: "made", dir: dirtest.TempDir(t), seed: 3, entries: 5000}
	count := func(name string) (entries, dirs, links int) {
		path, err := trees.path(name)
		require.NoError(t, err)
		require.NoError(t, filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
			if p != path {
				entries++
			}
			if e.IsDir() && p != path {
				dirs++
			}
			if e.Type() == fs.ModeSymlink {
				links++
			}
			return err
		}))
		return entries, dirs, links
	}
	entries, dirs, _ := count("main")
	assert.Equal(t, []int{5000, 556}, []int{entries, dirs})
	entries, _, _ = count("small")
	assert.Equal(t, 2000, entries)
	if os.PathSeparator == '/' { // Wine makes no links
		entries, _, links := count("links")
		assert.Equal(t, []int{20, 20}, []int{entries, links})
	}
	entries, _, _ = count("empty")
	assert.Zero(t, entries)
	first, err := trees.path("huge")
	require.NoError(t, err)
	again := trees
	again.made = nil
	second, err := again.path("huge")
	require.NoError(t, err)
	assert.Equal(t, first, second)
	list, err := os.ReadDir(second)
	require.NoError(t, err)
	assert.Len(t, list, 5000)
}

func TestChains(t *testing.T) {
	if _, err := exec.LookPath("find"); err != nil || os.PathSeparator == '\\' {
		t.Skip("find is missing; package os does not reach this depth")
	}
	path := dirtest.TempDir(t)
	require.NoError(t, chains(path, 2, 2500))
	out, err := exec.Command("find", path, "-mindepth", "2500", "-printf", "%d\n").Output()
	require.NoError(t, err)
	assert.Equal(t, "2500\n2500\n", string(out))
	require.NoError(t, exec.Command("rm", "-r", filepath.Join(path, "c0"), filepath.Join(path, "c1")).Run())
}

// TestDelayed checks that data over a slow connection arrives late, whole and
// in order.
func TestDelayed(t *testing.T) {
	server, client := net.Pipe()
	in, out := io.Pipe()
	sent := time.Now()
	var late time.Duration
	go func() {
		for _, part := range []string{"one ", "two ", "three"} {
			_, _ = io.WriteString(out, part)
		}
		_ = out.Close()
	}()
	go delayed(server, in, 30*time.Millisecond)
	got, err := io.ReadAll(client)
	late = time.Since(sent)
	require.NoError(t, err)
	assert.Equal(t, "one two three", string(got))
	assert.GreaterOrEqual(t, late, 30*time.Millisecond)
}
