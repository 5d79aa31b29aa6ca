// Bench measures ldx against other finders.
//
//	go run ./bench [flags] [scenario ...]
//
// Each scenario gives the same task to all programs that can do it, over trees
// made for it. The programs run in turn; a ratio is the median of the ratios of
// each turn. A run of all scenarios is saved in a folder of bench/runs:
// setup.md, raw.csv (a row for each run of a program), summary.md and summary.csv.
// The tables of the README.md beside this file, and chart.svg, are made from the
// newest run. README.md also says what makes a comparison fair.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ldx/internal/measure"
)

// options holds the flags.
type options struct {
	trees    trees
	runs     int
	ldx, old string
	out      string
	machine  string
	readme   bool
	slow     bool
	only     []string
}

func main() {
	var o options
	flag.StringVar(&o.trees.main, "tree", "usr",
		"the `tree` of most scenarios: usr (seven hard-linked copies of /usr),\nmade (from -seed), or a directory")
	flag.StringVar(&o.trees.dir, "dir", filepath.Join(os.TempDir(), "ldx-bench"), "the `folder` of made trees; they are kept")
	flag.Uint64Var(&o.trees.seed, "seed", 1, "the `seed` of made trees")
	flag.IntVar(&o.trees.entries, "entries", 1_000_000, "the `number` of entries of large made trees")
	flag.IntVar(&o.runs, "runs", 12, "the `number` of counted runs of each program")
	flag.StringVar(&o.ldx, "ldx", "", "the `program` to measure (default: built from this source)")
	flag.StringVar(&o.old, "old", "", "another ldx, a `program` to compare with in all scenarios")
	flag.StringVar(&o.out, "out", "",
		"the `folder` for the results (default: a new folder in bench/runs\nfor a run of all scenarios, else none)")
	flag.StringVar(&o.machine, "machine",
		fmt.Sprintf("%s-%s-%dcores", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)), "the `name` of this machine")
	flag.BoolVar(&o.readme, "readme", false, "make what is made from the newest run again, and measure nothing")
	flag.BoolVar(&o.slow, "slow", false, "sweep the workers on slow file systems instead, as root on Linux")
	flag.Usage = printUsage
	flag.Parse()
	o.only = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// printUsage prints the flags and the scenarios.
func printUsage() {
	w := flag.CommandLine.Output()
	fmt.Fprint(w, "go run ./bench [flags] [scenario ...]\n\nMeasures ldx against other finders. bench/README.md has more.\n\nFlags:\n")
	flag.PrintDefaults()
	fmt.Fprint(w, "\nScenarios (default: all):\n")
	for _, s := range scenarios() {
		fmt.Fprintf(w, "  %-14s  %s\n", s.name, s.what)
	}
}

func run(ctx context.Context, o *options) error {
	if o.runs < 1 {
		return fmt.Errorf("-runs must be at least 1")
	}
	if o.readme {
		return updateReadme("bench")
	}
	if err := os.Setenv("LDX_NO_INDEX", "1"); err != nil { // whatever the user has recorded of a tree
		return err
	}
	work, err := os.MkdirTemp("", "ldx-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tools, err := findTools(o, work)
	if err != nil {
		return err
	}
	all := scenarios()
	for _, name := range o.only {
		if !slices.ContainsFunc(all, func(s scenario) bool { return s.name == name }) {
			return fmt.Errorf("unknown scenario %s; go run ./bench -h lists them", name)
		}
	}
	if o.out == "" && len(o.only) == 0 && !o.slow {
		o.out = filepath.Join("bench", "runs", time.Now().UTC().Format(time.DateOnly)+"-"+o.machine)
	}
	raw := "raw.csv"
	if o.slow {
		raw = "slow.csv"
	}
	results, err := newResults(o, raw, tools)
	if err != nil {
		return err
	}
	defer results.close()
	if o.slow {
		return measureSlow(ctx, o, tools, results)
	}
	fmt.Printf("%s\n\n", measure.ThisHost())
	for _, s := range all {
		if len(o.only) > 0 && !slices.Contains(o.only, s.name) {
			continue
		}
		if err := s.measure(ctx, o, tools, results); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return results.finish()
}

// findTools returns the installed programs: ldx and those it is compared with.
func findTools(o *options, work string) (map[string]measure.Tool, error) {
	built := o.ldx == ""
	if built {
		o.ldx = filepath.Join(work, "ldx.exe") // Windows needs the extension
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", o.ldx, "./cmd/ldx")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("building ldx: %w", err)
		}
	}
	tools := map[string]measure.Tool{}
	for _, program := range []struct{ name, file, also string }{
		{"ldx", o.ldx, ""},
		{"old", o.old, ""},
		{"fd", "fd", "fdfind"},
		{"fdf", "fdf", ""},
		{"bfs", "bfs", ""},
		{"find", "find", ""},
		{"rg", "rg", ""},
		{"localdex", "localdex", ""},
		{"diskus", "diskus", ""},
		{"du", "du", ""},
		{"dust", "dust", ""},
	} {
		if program.file == "" || program.name == "find" && runtime.GOOS == "windows" { // Windows has another program of that name
			continue
		}
		tool, err := measure.FindTool(program.file, program.also)
		if err != nil {
			if program.name == "ldx" || program.name == "old" {
				return nil, err
			}
			continue
		}
		tool.Name = program.name
		tools[program.name] = tool
	}
	commit, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	if ldx := tools["ldx"]; err == nil && built {
		ldx.Commit = strings.TrimSpace(string(commit))
		tools["ldx"] = ldx
	}
	return tools, nil
}

// measure runs a scenario: ldx and its peers in turn.
func (s *scenario) measure(ctx context.Context, o *options, tools map[string]measure.Tool, results *results) error {
	path, err := o.trees.path(s.tree)
	if err != nil {
		return err
	}
	place, err := measure.NewPlace(path, s.tree)
	if err != nil {
		return err
	}
	runs := o.runs
	switch {
	case s.short:
		runs *= 5
	case s.cold:
		runs = (runs + 1) / 2
	}
	add := func(tool string, args []string) *measure.Case {
		c := &measure.Case{Scenario: s.name, Group: s.name, Tool: tools[tool], Place: place, Quiet: s.quiet, Cold: s.cold}
		for _, arg := range args {
			if arg == treeArg {
				arg = path
			}
			c.Args = append(c.Args, arg)
		}
		return c
	}
	cases := []*measure.Case{add("ldx", s.args)}
	peers := s.peers
	if o.old != "" {
		peers = append(peers[:len(peers):len(peers)], peer{tool: "old", args: s.args})
	}
	for _, p := range peers {
		if _, ok := tools[p.tool]; ok {
			c := add(p.tool, p.args)
			c.Tool.Name = p.name()
			cases = append(cases, c)
		}
	}
	sweep := measure.Sweep{Cases: cases, Warm: runs, Cold: runs, OnRun: results.add}
	if err := sweep.Run(ctx); err != nil {
		return err
	}
	results.show(s, cases)
	return ctx.Err()
}
