package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"ldx/internal/command"
	"ldx/internal/measure"
	"ldx/internal/process"
	"ldx/internal/term"
)

func casesOfThreads(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	threads := f.threads
	if threads == nil {
		n := process.Processors()
		for t := 1; t <= max(16, 2*n); t *= 2 {
			threads = append(threads, t)
		}
		threads = append(threads, n, 2*n)
	}
	slices.Sort(threads)
	for _, n := range slices.Compact(threads) {
		cases = append(cases, &measure.Case{Tool: ldx, Threads: n, Args: countArgs(place, n)})
	}
	return cases, nil
}

func casesOfBuffers(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	if len(f.threads) != 1 {
		return nil, command.Usagef("--threads: give one number; for several: ldx bench threads")
	}
	for _, size := range f.buffers {
		args := append([]string{"--buffer-size", fmt.Sprint(size, "b")}, countArgs(place, f.threads[0])...)
		cases = append(cases, &measure.Case{Tool: ldx, Threads: f.threads[0], Buffer: size, Args: args})
	}
	return cases, nil
}

func countArgs(place measure.Place, threads int) []string {
	return []string{"-u", "--count", "--stats", "--threads", strconv.Itoa(threads), ".", place.Path}
}

// casesOfTools has ldx first.
func casesOfTools(f *benchFlags, ldx measure.Tool, place measure.Place) ([]*measure.Case, error) {
	args := []string{"-u", ".", place.Path}
	cases := []*measure.Case{{Tool: ldx, Args: append([]string{"--no-index"}, args...)}} // also where the command is pasted
	if f.other != "" {
		other, err := measure.FindTool(string(f.other))
		if err != nil {
			return nil, fmt.Errorf("--with: %w", err)
		}
		other.Name = "the other ldx"
		cases = append(cases, &measure.Case{Tool: other, Args: args})
	}
	wanted := f.tools.Texts
	for _, peer := range []struct {
		name, other string
		args        []string
		quiet       bool
	}{
		{name: "fd", other: "fdfind", args: []string{"-uu", ".", place.Path}},
		{name: "fdf", args: []string{".", place.Path, "-HI"}},
		{name: "bfs", args: []string{place.Path, "-mindepth", "1"}},
		{name: "find", args: []string{place.Path, "-mindepth", "1"}},
		{name: "du", args: []string{"-s", place.Path}, quiet: true},
	} {
		if f.tools.Texts != nil && !slices.Contains(f.tools.Texts, peer.name) {
			continue
		}
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return name == peer.name })
		tool, err := measure.FindTool(peer.name, peer.other)
		if err != nil || os.PathSeparator == '\\' && peer.name == "find" { // which has that name for a search in texts
			if !slices.Contains(f.missing, peer.name) { // of another directory
				f.missing = append(f.missing, peer.name)
				report(fmt.Errorf("%s is not installed, and left out", peer.name))
			}
			continue
		}
		cases = append(cases, &measure.Case{Tool: tool, Args: peer.args, Quiet: peer.quiet})
	}
	if len(wanted) > 0 {
		return nil, command.Usagef("--tools: ldx does not know how to run %s; give some of fd, fdf, bfs, find, du", command.Quote(wanted[0]))
	}
	return cases, nil
}

// places returns the directories. Their labels do not identify them unless the user says so.
func (f *benchFlags) places(paths []string) (places []measure.Place, err error) {
	paths = append(paths, f.dirs.Texts...)
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if f.showPaths && len(f.labels.Texts) > 0 {
		return nil, command.Usagef("--show-paths and --label exclude each other; leave one out")
	}
	if len(f.labels.Texts) > len(paths) {
		return nil, command.Usagef("--label: there are more labels than directories")
	}
	for i, path := range paths {
		label := fmt.Sprint("dir", i+1)
		if i < len(f.labels.Texts) {
			label = f.labels.Texts[i]
		}
		if path == "" {
			return nil, command.Usagef("a directory has no name; leave it out, or give . for the working directory")
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if f.showPaths {
			label = term.Escape(absolute)
		} else if term.Escape(label) != label {
			return nil, command.Usagef("--label: %s has what is no text", command.Quote(label))
		}
		place, err := measure.NewPlace(absolute, label)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(places, func(p measure.Place) bool { return p.Label == label }) {
			return nil, command.Usagef("two directories are called %s; give each a --label of its own", command.Quote(label))
		}
		places = append(places, place)
		if !f.showPaths {
			fmt.Fprintf(os.Stderr, "%s is %s\n", label, term.Escape(absolute))
		}
	}
	return places, nil
}

// selfTool returns this program, with the commit it was built from.
func selfTool() (measure.Tool, error) {
	path, err := os.Executable()
	version, commit := process.Build()
	return measure.Tool{Name: "ldx", Path: path, Version: version, Commit: commit[:min(12, len(commit))]}, err
}
