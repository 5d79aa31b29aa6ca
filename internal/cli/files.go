package cli

import (
	"os"

	"ldx/internal/command"
	"ldx/internal/filter"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// fileFlags are the flags of commands that read the content of what a search finds.
type fileFlags struct {
	walk     walkFlags
	index    indexFlags
	ignore   ignoreFlags
	patterns patternFlags
	filters  filterFlags
	progress progressFlag

	maxDepth, minDepth, exactDepth command.Count
}

// groups returns the groups of flags. addOwn adds the others.
func (f *fileFlags) groups() []flagGroup {
	return []flagGroup{&f.ignore, &f.walk, &f.index, &f.patterns, &f.filters, &f.progress}
}

func (f *fileFlags) addOwn(set *command.Flags) {
	set.Section(sectionSearch)
	set.Add(&f.maxDepth, "max-depth", "d", "search at most `N` levels deep; 1 is only what is directly in a path")
	set.Add(&f.minDepth, "min-depth", "", "only files at least `N` levels deep")
	set.Add(&f.exactDepth, "exact-depth", "", "only files exactly `N` levels deep")
	set.Section(sectionOther)
	help := false // cobra looks for the flag
	set.Bool(&help, "help", "h", "print this help")
}

// check returns an error if flags were given that exclude each other.
func (f *fileFlags) check(set *command.Flags) error {
	if err := conflict(set, f.groups()); err != nil {
		return err
	}
	return set.Conflict(command.Pairs("exact-depth", "max-depth", "min-depth"))
}

// all reports whether the search finds all files, but for hidden and ignored ones.
func (f *fileFlags) all(o *search.Options) bool {
	return o.Filter.All() && o.Walk.MaxDepth == walk.Unlimited && !o.Walk.OneFileSystem && !f.index.unverified
}

// status returns what shows how far the command has come, if the terminal is there and wanted.
func (f *fileFlags) status() *term.StatusArea {
	if f.progress.progress.Value == never {
		return &term.StatusArea{}
	}
	return term.NewStatusArea(os.Stderr)
}

// readers returns how many files are read at a time.
func (f *fileFlags) readers() int {
	const waiting = 2 // for each processor: one may wait for the disk
	return f.walk.threads.Or(waiting * process.Processors())
}

// search returns the search that the flags and arguments ask for, without a Sink. Its roots have
// absolute paths. Errors are reported to errs, above what status shows.
func (f *fileFlags) search(args []string, errs *reporter, status *term.StatusArea) (o search.Options, err error) {
	if err := f.walk.changeDirectory(); err != nil {
		return o, err
	}
	patterns, paths, err := f.patterns.read(args)
	if err != nil {
		return o, err
	}
	if err := checkPaths(paths); err != nil {
		return o, err
	}
	if len(paths) > 0 {
		errs.pattern = patterns.argument
	}
	if o.Roots, err = (search.Labels{}).Roots(paths); err != nil {
		return o, err
	}
	if err := search.MakeAbsolute(o.Roots); err != nil {
		return o, err
	}
	entries := filter.Options{MinDepth: max(f.minDepth.N, f.exactDepth.N)}
	if o.Filter, err = newFilter(entries, patterns, &f.filters, f.ignore.searchesHidden(), o.Roots); err != nil {
		return o, err
	}
	if o.Walk, err = f.walk.options(o.Roots, func(err error) { status.Do(func() { errs.report(err) }) }); err != nil {
		return o, err
	}
	o.Walk.MaxDepth = f.exactDepth.Or(f.maxDepth.Or(walk.Unlimited))
	return o, f.ignore.apply(&o.Walk)
}
