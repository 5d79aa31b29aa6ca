package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/filter"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/walk"
)

// The sections of the help. Commands share them.
const (
	sectionSearch  = "What is searched"
	sectionPattern = "What the pattern means"
	sectionFilter  = "What is found"
	sectionOutput  = "What is printed"
	sectionRun     = "What is run"
	sectionErrors  = "What goes wrong"
	sectionOther   = "The rest"

	findAbout = `The pattern is a regular expression that may match anywhere in a file name. It
is smart case: case-insensitive unless it has an uppercase letter. With -g the
pattern is a glob, with -F a literal string. Without a pattern, or with ".",
everything is found; without a path, the current directory is searched
recursively.

Hidden files (names that begin with a dot) are left out unless -H is given, and
so is what ignore files name unless -I is given: .gitignore and git's other
rules in a repository, .ignore, .fdignore and .ldxignore. PROGRAM --why PATH
says why something is not found. Some flags take others back, such as
--no-hidden and --ignore.

An entry must pass all filters; of -TYPE and -e it must pass any one of those
given. A ! before a value asks for the opposite: -TYPE '!d' finds all but
directories, -e '!bak' all but .bak files.
`
	findExamples = `  PROGRAM readme                    names that contain "readme"
  PROGRAM '\.go$' cmd internal      names that end in .go, in two directories
  PROGRAM -u passwd /etc            hidden and ignored files too
  PROGRAM -g '*.{c,h}' src          a glob, for the whole name
  PROGRAM -e go test --not util     an extension; one word, and not another
  PROGRAM -E '*.min.js' '\.js$'     without those that a glob matches
  PROGRAM -TYPE d -d 2 . ~             directories, at most two levels deep
  PROGRAM -S +10m --newer 1week     large files, modified within a week
  PROGRAM -e jpg -x convert {} {.}.png
                                run a command for each result
  PROGRAM -g '*.py' -X wc -l        run one command for all results
  PROGRAM -0 '\.o$' | xargs -0 rm   paths that are safe for any name
`
	findStatus = `0 success, also when nothing is found; 1 an error, such as a wrong pattern or a
command that failed, or nothing found with -q; 2 a wrong flag. With --exit-code
0 if there is a result, 1 if there is none, 2 after an error. A shell shows 130
for an interrupted search, and 143 for a terminated one.
`
)

func findPage() command.Page {
	called := strings.NewReplacer("PROGRAM", self.name, "TYPE", self.typeLetter)
	return command.Page{
		Name: self.name, Title: "find files, fast", Usage: slices.Concat([]string{"[flags] [pattern] [path ...]"}, self.usages),
		About: called.Replace(findAbout), Examples: called.Replace(findExamples), Status: findStatus,
		Sections: findSections,
		SeeAlso:  []string{"ldx-du(1)", "ldx-index(1)", "ldx-bench(1)", "fd(1)", "find(1)", "gitignore(5)", "dircolors(1)"},
	}
}

// findFlags are the flags of the search.
type findFlags struct {
	walk     walkFlags
	index    indexFlags
	ignore   ignoreFlags
	pathList pathListFlags
	patterns patternFlags
	filters  filterFlags
	output   outputFlags
	run      runFlags
	progress progressFlag
	deletion deleteFlags
	opening  openFlags

	why                            command.Files
	maxDepth, minDepth, exactDepth command.Count
	prune, unique                  bool
	searchPaths                    command.Dirs
	allDrives                      bool
	showErrors, strict, exitCode   bool

	summary, version, typeList bool
	completions                command.Text
}

// A flagGroup is flags that belong together. It may have conflicts.
type flagGroup interface{ addTo(*command.Flags) }

// conflicts are pairs of flags that exclude each other.
type conflicts interface {
	conflicts(*command.Flags) [][2]string
}

func (f *findFlags) groups() []flagGroup {
	return []flagGroup{
		&f.ignore, &f.walk, &f.index, &f.pathList, &f.patterns, &f.filters, &f.output, &f.run, &f.deletion, &f.opening, &f.progress,
	}
}

// newFlags adds groups of flags to a command.
func newFlags(cmd *cobra.Command, groups []flagGroup) *command.Flags {
	set := command.NewFlags(cmd.Flags())
	for _, g := range groups {
		g.addTo(set)
	}
	return set
}

// excluded returns the pairs of flags of the groups that exclude each other.
func excluded(set *command.Flags, groups []flagGroup) (pairs [][2]string) {
	for _, g := range groups {
		if g, ok := g.(conflicts); ok {
			pairs = append(pairs, g.conflicts(set)...)
		}
	}
	return pairs
}

// conflict returns an error if flags of the groups were given that exclude each other.
func conflict(set *command.Flags, groups []flagGroup) error {
	return set.Conflict(excluded(set, groups))
}

// findCommand returns the search, which is what ldx does without a subcommand. Its exit status
// goes into *status.
func findCommand(status *int) (*cobra.Command, *command.Flags) {
	f := &findFlags{}
	cmd := command.New(self.name+" [flags] [pattern] [path ...]", self.name)
	cmd.SetFlagErrorFunc(explainHabit(cmd.FlagErrorFunc()))
	set := newFlags(cmd, f.groups())
	f.addOwn(set)
	setHelp(cmd, findPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		switch {
		case f.summary:
			_, err = os.Stdout.Write(findSummary().Help(set))
		case f.version:
			version, _ := process.Build()
			_, err = fmt.Println(fmt.Sprintf(self.version, version))
		case f.typeList:
			err = writeTypes(os.Stdout)
		case f.completions.Given:
			complete, _ := findCommand(new(int))
			err = command.WriteCompletion(os.Stdout, complete, f.completions.Text, "--gen-completions")
		default:
			*status, err = f.find(cmd.Context(), set, args)
			if err != nil && f.exitCode && !process.IsBrokenPipe(err) {
				report(err)
				*status, err = statusUsage, nil
			}
		}
		return err
	}
	return cmd, set
}

// addOwn adds the flags that no other command has.
func (f *findFlags) addOwn(set *command.Flags) {
	set.Section(sectionSearch)
	set.Add(&f.maxDepth, "max-depth", "d", "search at most `N` levels deep; 1 is only what is directly in a path")
	set.Alias("max-depth", "maxdepth")
	set.Add(&f.minDepth, "min-depth", "", "only entries at least `N` levels deep")
	set.Alias("min-depth", "mindepth")
	set.Add(&f.exactDepth, "exact-depth", "", "only entries exactly `N` levels deep")
	set.Bool(&f.prune, "prune", "", "do not search in directories that match")
	set.Bool(&f.unique, "unique", "", "find each file once: by one of its hard links, and with -L by one of the links to it")
	set.Add(&f.searchPaths, "search-path", "", "search `PATH`, so that the pattern may be omitted; repeatable")
	set.Bool(&f.allDrives, "all-drives", "A", "search all fixed drives (Windows); on other systems, /")
	set.Add(&f.why, "why", "", "print which rule hides or ignores `PATH`, instead of searching; repeatable")

	f.addThreadsOrType(set)

	set.Section(sectionErrors)
	set.Bool(&f.showErrors, "show-errors", "", "report all errors, including permission denied")
	set.Bool(&f.strict, "strict", "", "exit with 1 after any error, including permission denied")
	set.Bool(&f.exitCode, "exit-code", "", "exit with 0 if there is a result, 1 if there is none, 2 after an error")

	set.Section(sectionOther)
	help := false // cobra looks for the flag
	set.Bool(&help, "help", "", "print this help; -h: the flags that people use most")
	set.Switch("summary", "h", "", func() { f.summary = true })
	set.Lookup("summary").Hidden = true
	set.Bool(&f.version, "version", "V", "print the version")
	if self.usages != nil {
		set.Bool(new(bool), "no-config", "", "do without the flags, aliases and groups in ~/.config/ldx/config and LDX_OPTS")
	}
	set.Bool(&f.typeList, "type-list", "", "print the kinds of files that --type-group knows, with their extensions")
	f.completions.Words = command.Shells()
	set.AddHidden(&f.completions, "gen-completions").NoOptDefVal = "auto"
}

// excluded returns the pairs of flags that exclude each other.
func (f *findFlags) excluded(set *command.Flags) [][2]string {
	return slices.Concat(excluded(set, f.groups()),
		command.Pairs("exact-depth", "max-depth", "min-depth"),
		command.Pairs("prune", "size", "exact-depth"),
	)
}

// conflict returns an error if flags and paths were given that exclude each other.
func (f *findFlags) conflict(set *command.Flags, paths int) error {
	if err := set.Conflict(f.excluded(set)); err != nil {
		return err
	}
	if err := cmp.Or(f.deletion.check(set, f.walk.follow != followNone, f.run.given()), f.run.check(set)); err != nil {
		return err
	}
	switch {
	case f.run.batchSize.Given && !f.output.details && !f.run.given():
		return command.Usagef("--batch-size is for -X/--exec-batch, which is not given")
	case f.allDrives && paths+len(f.searchPaths) > 0:
		return command.Usagef("--all-drives and paths exclude each other; leave one out")
	case len(f.searchPaths) > 0 && paths > 0:
		return command.Usagef("--search-path and paths after the pattern exclude each other; give all paths in one way")
	}
	return nil
}

// find does what the flags and arguments ask for, and returns the exit status.
func (f *findFlags) find(ctx context.Context, set *command.Flags, args []string) (status int, err error) {
	if err := f.walk.changeDirectory(); err != nil {
		return statusError, err
	}
	patterns, paths, err := f.patterns.read(args)
	if err != nil {
		return statusError, err
	}
	if err := cmp.Or(f.conflict(set, len(paths)), f.pathList.check(paths, f.patterns.files)); err != nil {
		return statusUsage, err
	}
	if f.deletion.given() { // whose errors are what was not deleted
		f.showErrors, f.strict = true, true
	}
	errs, screen := &reporter{show: f.showErrors}, f.screen()
	defer screen.close()
	if self.habits && len(paths) > 0 {
		errs.pattern = patterns.argument
	}
	o, err := f.options(patterns, paths, errs, screen)
	if err != nil {
		return statusError, err
	}
	if len(f.why) > 0 {
		return f.explain(os.Stdout, &o)
	}
	r, err := f.search(ctx, o)
	screen.endLines()
	if err == nil && f.output.count && !f.output.quiet {
		_, err = fmt.Println(r.Matches)
	}
	errs.sumUp()
	if r.Matches == 0 && !f.output.quiet && !f.pathList.given() && err == nil {
		f.hint(ctx, patterns, paths, r.Stats)
	}
	if f.output.stats {
		writeStats(r, errs.n)
	}
	return f.status(r, errs, err), err
}

// search searches, and does with the results what the flags ask for. What is deleted is never
// taken from a recording.
func (f *findFlags) search(ctx context.Context, o search.Options) (r search.Result, err error) {
	if f.deletion.given() {
		return f.deletion.run(ctx, o, f.output.lines(os.Stdout))
	}
	recorded := func() {}
	if o.Paths != nil {
		defer f.pathList.file.Close()
	} else if recorded, err = f.index.use(o.Roots, &o.Walk); err != nil {
		return search.Result{OK: true}, err
	}
	r, err = search.Run(ctx, o)
	recorded()
	if f.opening.given() {
		r.OK, err = f.opening.run(&f.output, err)
	}
	return r, err
}

// options returns the search that the flags ask for.
func (f *findFlags) options(patterns patterns, paths []string, errs *reporter, screen *screen) (o search.Options, err error) {
	if paths, err = f.paths(paths); err != nil {
		return o, err
	}
	f.output.absolute = f.output.absolute || f.opening.given()
	if o.Roots, err = f.output.roots(paths, f.run.given()); err != nil {
		return o, err
	}
	if self.containRoots {
		o.Roots = slices.DeleteFunc(o.Roots, f.ignore.contained)
	}
	entries := filter.Options{MinDepth: max(f.minDepth.N, f.exactDepth.N), DirSizes: f.output.dirSizes}
	if o.Filter, err = newFilter(entries, patterns, &f.filters, f.ignore.searchesHidden(), o.Roots); err != nil {
		return o, err
	}
	status := screen.status
	if o.Walk, err = f.walk.options(o.Roots, func(err error) { status.Do(func() { errs.report(err) }) }); err != nil {
		return o, err
	}
	if err := f.ignore.apply(&o.Walk); err != nil {
		return o, err
	}
	o.Walk.MaxDepth = f.exactDepth.Or(f.maxDepth.Or(walk.Unlimited))
	f.output.groups = &groups{patterns: &patterns}
	if err := f.run.filter(&o, &f.output, f.walk.threads); err != nil {
		return o, err
	}
	if o.Progress = screen.progress; screen.waits {
		o.Walk.Waiting = screen.wait
	}
	if f.pathList.given() {
		if o.Paths, err = f.pathList.open(&f.output, f.patterns.fullPath); err != nil {
			return o, err
		}
		f.run.noInput = f.pathList.stdin()
	}
	if f.unique {
		o.Filter.Once(f.walk.follow != followNone)
	}
	o.Prune, o.DirSizes, o.MaxResults = f.prune, f.output.dirSizes, f.output.limit()
	if !f.output.quiet && !f.output.count && !f.deletion.given() {
		f.output.matched, f.output.matchedPaths = patterns.highlighter(), f.patterns.fullPath
		o.Sink, err = f.sink(&o, status.Writer(os.Stdout))
	}
	return o, err
}

// newFilter returns the tests that patterns and flags ask for. hidden says that hidden files are searched.
func newFilter(opt filter.Options, patterns patterns, filters *filterFlags, hidden bool, roots []walk.Root) (_ *filter.Filter, err error) {
	if err := patterns.apply(&opt, hidden); err != nil {
		return nil, err
	}
	if err := filters.apply(&opt, patterns.flags.letterCase != caseSensitive); err != nil {
		return nil, err
	}
	if err := filters.system.apply(&opt, patterns.flags.folds); err != nil {
		return nil, err
	}
	if err := filters.applyWhere(&opt, patterns.flags.letterCase); err != nil {
		return nil, err
	}
	if patterns.flags.fullPath {
		opt.FullPath, err = true, search.MakeAbsolute(roots)
	}
	return filter.New(opt), err
}

// paths returns the paths to search, given after the pattern or by flags.
func (f *findFlags) paths(paths []string) (_ []string, err error) {
	if f.allDrives {
		if paths, err = search.Drives(); err != nil {
			return nil, fmt.Errorf("--all-drives: %w", err)
		}
		return paths, nil
	}
	paths = append(paths, f.searchPaths...)
	if self.onlyDirs && len(paths) > 0 {
		if paths, err = directories(paths); err != nil {
			return nil, err
		}
	}
	return paths, checkPaths(paths)
}

// checkPaths returns an error if a path is empty.
func checkPaths(paths []string) error {
	if slices.Contains(paths, "") {
		return command.Usagef(`a path is empty; give "." for the current directory`)
	}
	return nil
}

// directories returns those of the paths that are directories, and reports the others, as fd does.
func directories(paths []string) (dirs []string, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
			dirs = append(dirs, path)
		} else {
			report(fmt.Errorf("the path %s is not a directory", command.Quote(path)))
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is no directory to search")
	}
	return dirs, nil
}

// sink returns where results go: to stdout, or to commands.
func (f *findFlags) sink(o *search.Options, stdout io.Writer) (search.Sink, error) {
	switch {
	case f.opening.given():
		return f.opening.sink(o, &f.output)
	case !f.run.given():
		return f.output.printer(stdout, o.Roots, o.Walk.Report)
	}
	order, sorted, err := f.output.order()
	if err != nil {
		return nil, err
	}
	out, err := f.run.output(&f.output, f.walk.threads, o.Walk.Workers, f.deletion.dryRun)
	if err != nil {
		return nil, err
	}
	if sorted {
		return search.Sorted(out, order), nil
	}
	return search.AsFound(out), nil
}

// explain writes which rule leaves out each path of --why and each directory above it, and returns the exit status.
func (f *findFlags) explain(w io.Writer, o *search.Options) (status int, err error) {
	var verdicts []search.Verdict
	for _, path := range f.why {
		way, err := o.Why(path)
		verdicts = append(verdicts, way...)
		if err != nil {
			report(err)
			status = statusError
		}
	}
	return status, search.WriteVerdicts(w, verdicts)
}

// writeTypes writes the kinds of --type-group, with those of the configuration.
func writeTypes(w io.Writer) error {
	list, err := kinds()
	if err != nil {
		return err
	}
	lines := ""
	for _, g := range list {
		lines += fmt.Sprintf("%-9s %s\n", g[0], g[1])
	}
	_, err = io.WriteString(w, lines)
	return err
}
