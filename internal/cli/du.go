package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/filter"
	"ldx/internal/format"
	"ldx/internal/process"
	"ldx/internal/property"
	"ldx/internal/term"
	"ldx/internal/walk"
)

const (
	sectionCounts = "What counts"
	sectionShown  = "What is shown"
	sectionUnits  = "How sizes are shown"
	sectionForm   = "In which form"

	duAbout = `Disk usage is summed up for each directory, with everything below it: hidden and
ignored files too, unless --no-hidden or --ignore is given. A file with several
hard links counts once, in the directory where du would count it, and what is
below two of the paths counts once too, unless -l is given.

In a pipe the output is that of GNU du: size and path, in the same order. On a
terminal the largest come first, with the largest files, as deep as there is
room on the screen, and down to a hundredth of the whole; -d and -a show all.

Filters are those of the search: they say what counts.

To search for something called du: ldx -- du
`
	duExamples = `  ldx du                            the current directory
  ldx du --tree ~                   as a tree
  ldx du -s * | sort -n             as du: sizes in KiB
  ldx du --top-files 20 /           the largest files
  ldx du --by ext src               totals of each extension
  ldx du -e log --changed-before 30d /var
                                old logs only
  ldx du --svg map.svg ~            a treemap for a browser
`
	duStatus = `0 success; 1 an error, such as a directory that cannot be read; 2 a wrong flag.
`
)

func duPage() command.Page {
	return command.Page{
		Name: "ldx du", Title: "how much disk space files use", Usage: []string{"[flags] [path ...]"},
		About: duAbout, Examples: duExamples, Status: duStatus,
		Sections: duSections, SeeAlso: []string{"ldx(1)", "ldx-index(1)", "du(1)"},
	}
}

// duFlags are the flags of ldx du. A letter that the groups of the search have too is du's.
type duFlags struct {
	own      duOwn
	walk     walkFlags
	index    indexFlags
	ignore   ignoreFlags
	patterns patternFlags
	filters  filterFlags
	colour   colourFlag
}

func (f *duFlags) groups() []flagGroup {
	return []flagGroup{&f.own, &f.ignore, &f.walk, &f.index, &f.patterns, &f.filters, &f.colour}
}

func duCommand(status *int) (*cobra.Command, *command.Flags) {
	f := &duFlags{walk: walkFlags{duLetters: true}, ignore: ignoreFlags{hidden: true, noIgnore: true}}
	cmd := command.New("du [flags] [path ...]", "ldx du")
	set := newFlags(cmd, f.groups())
	set.Section(sectionOther)
	set.Bool(&f.own.showErrors, "show-errors", "", "report each error on a terminal too; default there: their number")
	help := false // cobra looks for the flag
	set.Bool(&help, "help", "", "print this help")
	setHelp(cmd, duPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := cmp.Or(conflict(set, f.groups()), f.own.check(set)); err != nil {
			return err
		}
		*status, err = f.run(cmd.Context(), args)
		return err
	}
	return cmd, set
}

// duOwn are the flags that no other command has: what counts, what is shown of it, and how.
type duOwn struct {
	apparent, eachLink, followRoots, inodes bool
	countDirs                               command.OneOf[when]
	excludeFrom                             command.Files
	excludes                                du.Excludes // that these have
	pathsFrom                               command.File

	all, summarize, total, null bool
	depth, top, topFiles        command.Count
	least, most                 uint64 // of --threshold
	by                          command.OneOf[string]
	time                        command.OneOf[dir.Fields]
	timeStyle                   func(b []byte, t time.Time) []byte // nil: not given
	unit                        format.Unit
	tree, lines, json, csv      bool
	svg                         command.File
	showErrors                  bool
}

func (f *duOwn) addTo(set *command.Flags) {
	set.Section(sectionCounts)
	set.Bool(&f.apparent, "apparent-size", "A", "count apparent sizes, the length of files, instead of disk usage")
	set.Switch("bytes", "b", "apparent sizes in bytes: -A -B 1", func() { f.apparent, f.unit = true, format.Blocks(1) })
	set.Bool(&f.inodes, "inodes", "", "count inodes, files and directories, instead of disk usage")
	set.Bool(&f.eachLink, "count-links", "l", "count each of a file's hard links; default: a file counts once")
	f.countDirs.Words = whenWords
	set.Add(&f.countDirs, "count-dirs", "", "count directories themselves; `WHEN`: auto (not with -A and -b, as du since 9.2), always, never")
	set.Bool(&f.followRoots, "dereference-args", "D", "follow symbolic links that are given as paths")
	set.AliasLetter("dereference-args", "H", "dereference-command-line")
	set.Add(&f.excludeFrom, "exclude-from", "X",
		"exclude paths that match a glob in `FILE`, one a line, as du does: * matches slashes too; -: standard input")
	set.Add(&f.pathsFrom, "files0-from", "",
		"count the paths in `FILE`, each with a NUL at its end, as find -print0 prints them; -: standard input")
	f.addShown(set)
	f.addForm(set)
}

func (f *duOwn) addShown(set *command.Flags) {
	set.Section(sectionShown)
	set.Bool(&f.all, "all", "a", "show all files too; on a terminal the largest ones are shown anyway")
	set.Add(&f.depth, "max-depth", "d", "show at most `N` levels; what is deeper counts too")
	set.Bool(&f.summarize, "summarize", "s", "show only the total of each path: -d 0")
	set.Bool(&f.total, "total", "c", "show the total of all paths at the end")
	const units = "; K, M, G are powers of 1024, KB, MB, GB of 1000"
	set.Func("threshold", "t", "show only what uses at least `SIZE`, or at most SIZE with a - before it"+units,
		f.setThreshold, command.Words("1K", "1M", "1G", "-1K"))
	f.top.Min, f.topFiles.Min = 1, 1
	set.Add(&f.top, "top", "", "show only the `N` largest directories")
	set.Add(&f.topFiles, "top-files", "", "show only the `N` largest files")
	for _, name := range property.GroupNames() {
		if name == "dir" { // which all sums are by
			continue
		}
		f.by.Words = append(f.by.Words, command.Word[string]{Name: name, Value: name})
	}
	set.Add(&f.by, "by", "", "show totals by `WHAT` instead: "+f.by.Names())
	for _, p := range property.Times() {
		for i, name := range append(p.Aliases, p.Name) {
			f.time.Words = append(f.time.Words, command.Word[dir.Fields]{Name: name, Value: p.Needs, Synonym: i > 0})
		}
	}
	set.Add(&f.time, "time", "", "show the latest time in each directory; `WORD`: "+f.time.Names()).NoOptDefVal = "modified"
	set.Func("time-style", "",
		"show times as `STYLE`: full-iso, long-iso, iso or as date shows them, such as '+%d %b %H:%M'; default: $TIME_STYLE, long-iso",
		func(s string) (err error) {
			f.timeStyle, err = parseTimeStyle(s)
			return err
		}, command.Words("full-iso", "long-iso", "iso", "+%F %T", "+%s"))

	set.Section(sectionUnits)
	command.Choice(set, &f.unit, format.Human, "human-readable", "h", "powers of 1024: 999, 1.1K, 12M (default on a terminal)")
	command.Choice(set, &f.unit, format.SI, "si", "", "powers of 1000: 999, 1.1k, 12M")
	command.Choice(set, &f.unit, format.Blocks(1<<10), "kibibytes", "k", "units of 1024 bytes (default in a pipe)")
	command.Choice(set, &f.unit, format.Blocks(1<<20), "mebibytes", "m", "units of 1024 KiB")
	set.Func("block-size", "B", "units of `SIZE`: 512, K, MB, human-readable, ..."+units, func(s string) (err error) {
		f.unit, err = format.ParseUnit(s)
		return err
	}, command.Words("1", "512", "K", "M", "human-readable", "si"))
}

func (f *duOwn) addForm(set *command.Flags) {
	set.Section(sectionForm)
	set.Bool(&f.tree, "tree", "", "show directories as a tree")
	set.Bool(&f.lines, "lines", "", "print du's lines, size and path, on a terminal too")
	set.Bool(&f.null, "null", "0", "print du's lines, each with a NUL character at its end")
	set.Bool(&f.json, "json", "", "print JSON Lines: path, type, depth, size in bytes, entries")
	set.Bool(&f.csv, "csv", "", "print the same as CSV")
	set.Add(&f.svg, "svg", "", "write a treemap to `FILE`, for a browser, and print no list; -: standard output")
}

func (*duOwn) conflicts(*command.Flags) [][2]string {
	return slices.Concat(
		command.Pairs("summarize", "all"),
		command.Pairs("json", "csv", "tree"),
		command.Pairs("csv", "tree"),
		command.Pairs("lines", "json", "csv", "tree"),
		command.Pairs("null", "json", "csv", "tree"),
		command.Pairs("top", "tree", "all"),
		command.Pairs("top-files", "tree"),
		command.Pairs("by", "top", "top-files", "tree", "time", "all", "max-depth", "summarize"),
		command.Pairs("svg", "top", "top-files", "by", "json", "csv", "tree", "lines", "null"),
		command.Pairs("inodes", "json", "csv"), // which have the number of entries
	)
}

// check returns an error if the flags' values exclude each other. It sets the style of times that
// was not given.
func (f *duOwn) check(set *command.Flags) (err error) {
	switch {
	case f.summarize && f.depth.Given && f.depth.N > 0:
		return command.Usagef("-s/--summarize is -d 0, and excludes -d %d; leave one out", f.depth.N)
	case set.Given("time-style") && !f.time.Given:
		return command.Usagef("--time-style is for --time, which is not given")
	case f.time.Given && f.timeStyle == nil:
		f.timeStyle, err = defaultTimeStyle()
	}
	return err
}

func (f *duOwn) setThreshold(s string) error {
	digits, atMost := strings.CutPrefix(s, "-")
	n, err := format.ParseBlockSize(digits)
	if err == nil && atMost && n == 0 {
		err = errors.New("nothing uses less than 0")
	}
	f.least, f.most = n, 0
	if atMost {
		f.least, f.most = 0, n
	}
	return err
}

// run counts, shows the result, and returns the exit status.
func (f *duFlags) run(ctx context.Context, paths []string) (int, error) {
	if err := f.walk.changeDirectory(); err != nil {
		return statusError, err
	}
	errs := &reporter{show: f.own.showErrors || !term.IsTerminal(os.Stderr) || !term.IsTerminal(os.Stdout)}
	roots, err := f.roots(paths, errs.report)
	if err != nil {
		return statusError, err
	}
	if f.own.svg != "" && f.own.svg != "-" { // said now, not when all has been counted
		if _, err := os.Stat(filepath.Dir(string(f.own.svg))); err != nil {
			return statusError, fmt.Errorf("--svg: %w", err)
		}
	}
	if err := f.own.readExcludes(); err != nil {
		return statusError, err
	}
	entries, opt, err := f.options(roots)
	if err != nil {
		return statusError, err
	}
	w, err := f.walk.options(roots, errs.report)
	if err == nil {
		err = f.ignore.apply(&w)
	}
	if err != nil {
		return statusError, err
	}
	w.Want = entries.Needs()
	recorded, err := f.index.use(roots, &w)
	if err != nil {
		return statusError, err
	}
	defer recorded()
	result := count(ctx, roots, w, opt, errs)
	if f.own.svg != "" {
		err = f.draw(result, !entries.All())
	} else {
		err = cleanly(f.colour.wanted(true), func(w io.Writer) error { return f.print(w, result, opt, !entries.All()) })
	}
	errs.sumUp()
	if err != nil || errs.n > 0 {
		return statusError, err
	}
	return statusOK, nil
}

// count counts, and shows how far it has come.
func count(ctx context.Context, roots []walk.Root, w walk.Options, opt du.Options, errs *reporter) *du.Result {
	var done du.Progress
	var waiting atomic.Value // a string: what is waited for
	waiting.Store("")
	status := term.NewStatusArea(os.Stderr)
	opt.Progress = &done
	w.Report = func(err error) { status.Do(func() { errs.report(err) }) }
	w.Waiting = func(path []byte, since time.Duration) {
		text := ""
		if path != nil {
			text = ", " + waitingText(path, since)
		}
		waiting.Store(text)
	}
	defer status.Refresh(func(int) string {
		return fmt.Sprintf("%s entries, %s%s", grouped(int64(done.Entries.Load())), format.Human.Append(nil, done.Bytes.Load()), waiting.Load())
	}, func(s os.Signal) { process.EndBy(s, statusInterrupted) })()
	return du.Count(ctx, roots, w, opt)
}

// maxFiles is how many files a view or a treemap may show.
const maxFiles = 2000

// options returns which entries count, and what is wanted of them.
func (f *duFlags) options(roots []walk.Root) (*filter.Filter, du.Options, error) {
	opt := du.Options{
		Apparent:    f.own.apparent,
		Inodes:      f.own.inodes,
		Exclude:     f.own.excludes,
		CountDirs:   f.own.countDirs.Value == always || f.own.countDirs.Value == auto && !f.own.apparent,
		EachLink:    f.own.eachLink,
		FollowRoots: f.own.followRoots,
		Depth:       f.own.depth.Or(walk.Unlimited),
		Files:       f.own.all,
		Top:         f.own.topFiles.N,
		Time:        f.own.time.Value,
	}
	if f.own.summarize {
		opt.Depth = 0
	}
	if f.own.by.Given {
		opt.Group = du.GroupBy(f.own.by.Value, time.Now())
	} else if f.own.svg != "" || f.own.fillsScreen() || f.own.isDeepTree() {
		opt.Top = maxFiles
	}
	patterns, _, err := f.patterns.read(nil)
	if err != nil {
		return nil, opt, err
	}
	entries, err := newFilter(filter.Options{}, patterns, &f.filters, f.ignore.searchesHidden(), roots)
	if err != nil {
		return nil, opt, err
	}
	if !entries.All() {
		opt.MatchFields = entries.Needs()
		entries.Along(opt.Fields())
		opt.Match = func() func(*dir.Entry) (bool, error) { return entries.Clone().Match }
	}
	return entries, opt, nil
}

// inView reports whether the result is shown to people, not as du shows it.
func (f *duOwn) inView() bool {
	return f.tree || term.IsTerminal(os.Stdout) && !f.lines && !f.null && !f.json && !f.csv
}

// fillsScreen reports whether the result is a view of as much as there is room for.
func (f *duOwn) fillsScreen() bool {
	return f.inView() && term.IsTerminal(os.Stdout) && !f.summarize && !f.depth.Given && !f.top.Given && !f.topFiles.Given
}

// isDeepTree reports whether the result is a tree on a terminal, down to a given level. It has
// the largest files, as one without -d has.
func (f *duOwn) isDeepTree() bool {
	return f.tree && f.depth.N > 0 && term.IsTerminal(os.Stdout)
}
