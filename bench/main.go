// Bench measures ldx against other finders.
//
//	go run ./bench [flags] [scenario ...]
//
// It runs whole programs in turn (A B A B ...) over the same tree into a pipe
// that it reads, warm, drops the first run of each, checks that all find equally
// many entries, and prints the median of the ratios, pair by pair, as Markdown.
// README.md beside this file tells what is fair and what is not.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		tree    = flag.String("tree", "usr", `"usr" (seven hard-linked copies of /usr), "made" or "repositories" (from -seed), or a directory`)
		dir     = flag.String("dir", filepath.Join(os.TempDir(), "ldx-bench"), "where trees are made, and kept for the next time")
		seed    = flag.Uint64("seed", 1, "the seed of a made tree")
		entries = flag.Int("entries", 1_000_000, "how many entries a made tree has")
		runs    = flag.Int("runs", 12, "counted runs of each program")
		binary  = flag.String("ldx", "", "the ldx to measure; it is built if none is given")
	)
	flag.Parse()

	path, err := corpus(*tree, *dir, *seed, *entries)
	if err != nil {
		return err
	}
	empty, err := os.MkdirTemp("", "ldx-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(empty)
	if *binary == "" {
		*binary = filepath.Join(empty, "ldx.exe") // the ending is for Windows
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", *binary, "./cmd/ldx")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building ldx: %w", err)
		}
	}
	nothing := filepath.Join(empty, "nothing")
	if err := os.Mkdir(nothing, 0o700); err != nil {
		return err
	}

	fmt.Printf("%s, %d CPUs, tree %s, %d counted runs of each, medians\n\n", machine(), runtime.NumCPU(), *tree, *runs)
	fmt.Println("| scenario | against | entries | ldx ms | its ms | wall ratio | at most | CPU ratio | ldx MiB |")
	fmt.Println("|---|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, s := range scenarios(*binary, path, nothing) {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), s.name) {
			continue
		}
		for _, p := range s.peers {
			if err := compare(s, p, *runs); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare measures one scenario against one peer and prints a row.
func compare(s scenario, p peer, runs int) error {
	other := p.command[0] == "find" && runtime.GOOS == "windows" // which has that name for a search in texts
	if _, err := exec.LookPath(p.command[0]); err != nil || other {
		fmt.Printf("| %s | %s | not installed |\n", s.name, p.name())
		return nil
	}
	if s.short {
		runs *= 5
	}
	ours, theirs, err := inTurn(s.command, p.command, runs)
	if err != nil {
		return err
	}
	if ours[0].entries != theirs[0].entries {
		return fmt.Errorf("%s found %d entries, and %s %d: a comparison would mean nothing",
			strings.Join(s.command, " "), ours[0].entries, strings.Join(p.command, " "), theirs[0].entries)
	}
	wall, wallSpread := ratio(ours, theirs, func(r result) float64 { return r.wall.Seconds() })
	cpu, cpuSpread := ratio(ours, theirs, func(r result) float64 { return r.cpu.Seconds() })
	limit := ""
	if p.atMost > 0 {
		limit = fmt.Sprintf("%.2f", p.atMost)
	}
	fmt.Printf("| %s | %s | %d | %.1f | %.1f | %s | %s | %s | %.1f |\n", s.name, p.name(), ours[0].entries,
		medianMs(ours), medianMs(theirs), shown(wall, wallSpread), limit, shown(cpu, cpuSpread), peakMiB(ours))
	return nil
}

// shown writes a ratio, unless the pairs differ too much for it to mean
// anything.
func shown(ratio, spread float64) string {
	const most = 0.10
	if spread > most {
		return fmt.Sprintf("too noisy (±%.0f %%)", 100*spread)
	}
	return fmt.Sprintf("%.2f", ratio)
}

// machine names the system.
func machine() string {
	out, err := exec.Command("uname", "-srm").Output()
	if err != nil {
		return runtime.GOOS + "/" + runtime.GOARCH
	}
	return strings.TrimSpace(string(out))
}
