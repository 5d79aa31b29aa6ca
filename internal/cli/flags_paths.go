package cli

import (
	"fmt"
	"os"

	"ldx/internal/command"
	"ldx/internal/search"
	"ldx/internal/term"
)

// pathListFlags say whether the paths of a list are tested, instead of searching.
type pathListFlags struct {
	from command.File
	file *os.File // that has them; open must have been called
}

func (f *pathListFlags) addTo(set *command.Flags) {
	set.Section(sectionSearch)
	set.Add(&f.from, "files-from", "", "test the paths in `FILE`, one a line, - for stdin, instead of searching; with -0 each ends in a NUL")
}

func (*pathListFlags) conflicts(*command.Flags) [][2]string {
	return command.Pairs("files-from", "delete", "trash", "search-path", "all-drives", "max-depth", "min-depth", "exact-depth", "prune",
		"one-file-system", "exclude", "ignore-contain", "why", "unverified", "du")
}

func (f *pathListFlags) given() bool { return f.from != "" }

// stdin reports whether the list comes from standard input.
func (f *pathListFlags) stdin() bool { return f.from == "-" }

// check returns an error if paths or patterns come from elsewhere too.
func (f *pathListFlags) check(paths []string, patternFiles []string) error {
	if !f.given() {
		return nil
	}
	if len(paths) > 0 {
		return command.Usagef("--files-from excludes the path %s; leave one out", command.Quote(paths[0]))
	}
	for _, file := range patternFiles {
		if file == "-" && f.stdin() {
			return command.Usagef("--files-from and --patterns-from cannot both read standard input")
		}
	}
	return nil
}

// open returns the paths to test, and has them printed as they are given.
func (f *pathListFlags) open(out *outputFlags, fullPath bool) (*search.Paths, error) {
	f.file = os.Stdin
	if !f.stdin() {
		var err error
		if f.file, err = os.Open(string(f.from)); err != nil {
			return nil, fmt.Errorf("--files-from: %w", err)
		}
	}
	out.listed, out.holdFor.Given, out.holdFor.N = true, true, 0
	p := search.ReadPaths(f.file, out.end())
	p.Labels, p.Absolute = out.labels(false), fullPath || out.links(term.IsTerminal(os.Stdout))
	return p, nil
}
