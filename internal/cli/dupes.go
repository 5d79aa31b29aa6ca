package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/catalogue"
	"ldx/internal/command"
	"ldx/internal/dupes"
	"ldx/internal/format"
	"ldx/internal/printer"
	"ldx/internal/search"
	"ldx/internal/term"
)

const (
	sectionCopies = "What is a copy"

	dupesAbout = `Find files with the same content. Pattern, paths and filters are those of the
search: hidden and ignored files are left out unless -u is given. Several hard
links to a file are one file; its further names are shown with a = before them.
What would be saved is disk usage, which for sparse files is less than the size.

Sizes are compared first, then parts of the files, and last the SHA-256 of what
is left. Hashes are kept in the catalogue of ldx hash, so that the next run
takes a fraction of the time.

Nothing is changed without --link or --delete, which need --keep and ask first.
Right before a file is changed it is compared byte by byte with the one that is
kept; if anything differs from what was found, the group is passed over.

To search for something called dupes: ldx -- dupes
`
	dupesExamples = `  ldx dupes -u                      all copies below the current directory
  ldx dupes . ~/photos /mnt/backup  copies in two places
  ldx dupes -S +1m -e iso . ~       large ones of one kind
  ldx dupes --dirs . ~              whole directories that are the same
  ldx dupes --json | jq .save       for other programs
  ldx dupes --delete --keep oldest . ~/photos
                                keep the oldest copy of each
  ldx dupes --link hard --keep first -u . ~/mirrors
                                one file with several names
  ldx dupes --delete --keep newest --save plan && ldx dupes --from plan
                                look at the plan in between
`
	dupesStatus = `0 success, also when there are no copies; 1 an error, such as a file that cannot
be read or a group that is passed over; 2 a wrong flag.
`
)

func dupesPage() command.Page {
	return command.Page{
		Name: "ldx dupes", Title: "find files with the same content, and make one of them",
		Usage: []string{"[flags] [pattern] [path ...]"},
		About: dupesAbout, Examples: dupesExamples, Status: dupesStatus,
		Sections: dupesSections, SeeAlso: []string{"ldx(1)", "ldx-hash(1)", "ldx-du(1)", "fclones(1)", "rmlint(1)"},
	}
}

// dupesFlags are the flags of ldx dupes.
type dupesFlags struct {
	files  fileFlags
	cache  cacheFlags
	colour colourFlag
	deeds  deedFlags

	empty, dirs     bool
	json, csv, null bool
}

func (f *dupesFlags) groups() []flagGroup {
	return append(f.files.groups(), &f.cache, &f.deeds, &f.colour)
}

func dupesCommand(status *int) (*cobra.Command, *command.Flags) {
	f := &dupesFlags{}
	cmd := command.New("dupes [flags] [pattern] [path ...]", "ldx dupes")
	set := newFlags(cmd, f.groups())
	f.files.addOwn(set)
	f.addOwn(set)
	setHelp(cmd, dupesPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := f.check(set); err != nil {
			return err
		}
		*status, err = f.run(cmd.Context(), args)
		return err
	}
	return cmd, set
}

func (f *dupesFlags) addOwn(set *command.Flags) {
	set.Section(sectionCopies)
	set.Bool(&f.empty, "empty", "", "empty files are copies of each other too")
	set.Bool(&f.dirs, "dirs", "", "find directories with the same content instead, everything in them included; only the outermost")
	set.Section(sectionOutput)
	set.Bool(&f.json, "json", "", "print a JSON object for each group, one a line")
	set.Bool(&f.csv, "csv", "", "print a row for each file as CSV")
	set.Bool(&f.null, "print0", "0", "print a path for each copy, with a NUL character after it and one more after each group")
}

// check returns an error if flags were given that exclude each other.
func (f *dupesFlags) check(set *command.Flags) error {
	if err := f.files.check(set); err != nil {
		return err
	}
	pairs := slices.Concat(
		command.Pairs("json", "csv", "print0"), command.Pairs("csv", "print0"), command.Pairs("dirs", "link", "delete", "empty", "follow"),
	)
	if err := set.Conflict(slices.Concat(pairs, f.cache.conflicts(set), f.deeds.conflicts(set))); err != nil {
		return err
	}
	return f.deeds.check(set)
}

// dupesGCPercent is how much garbage there may be beside what is known of files, which has no
// pointers: a collection takes little time, and the usual 100 would double the memory.
const dupesGCPercent = 10

// run finds copies, shows them, and returns the exit status.
func (f *dupesFlags) run(ctx context.Context, args []string) (int, error) {
	if f.deeds.from != "" {
		if err := f.files.walk.changeDirectory(); err != nil {
			return statusError, err
		}
		return f.deeds.runPlan(args, f.json)
	}
	if f.dirs {
		f.files.ignore.unrestricted = true
	}
	debug.SetGCPercent(dupesGCPercent)
	status := f.files.status()
	errs := &reporter{show: true}
	o, err := f.files.search(args, errs, status)
	if err != nil {
		return statusError, err
	}
	if f.dirs && !f.files.all(&o) {
		return statusUsage, command.Usagef("--dirs compares all that is in directories; leave out patterns and filters")
	}
	hashes := f.cache.open(&o)
	if f.dirs {
		groups := f.findDirs(ctx, o, hashes, status)
		f.cache.close(hashes)
		err = cleanly(f.colour.wanted(true), func(w io.Writer) error { return f.printDirs(w, groups) })
		if err != nil || errs.n > 0 {
			return statusError, err
		}
		return statusOK, nil
	}
	roots := f.deeds.roots(o.Roots)
	result, err := f.find(ctx, o, hashes, status)
	f.cache.close(hashes)
	switch {
	case err != nil:
	case f.deeds.deed() != 0:
		err = f.do(result, &o, roots, errs.report)
	default:
		err = cleanly(f.colour.wanted(true), func(w io.Writer) error { return f.print(w, result) })
	}
	if err != nil || errs.n > 0 {
		return statusError, err
	}
	return statusOK, nil
}

// find searches and compares, and shows how far that has come.
func (f *dupesFlags) find(ctx context.Context, o search.Options, hashes *catalogue.Catalogue, status *term.StatusArea,
) (*dupes.Result, error) {
	collector := dupes.NewCollector(o.Walk.Report)
	o.Sink, o.Progress = collector, &search.Progress{}
	opt, stop := f.finding(&o, hashes, status)
	defer stop()
	if f.deeds.deed() != 0 { // what is changed is never taken from a recording
		f.files.index.noIndex = true
	}
	done, err := f.files.index.use(o.Roots, &o.Walk)
	if err != nil {
		return nil, err
	}
	_, err = search.Run(ctx, o)
	done()
	if err != nil {
		return nil, err
	}
	return collector.Find(ctx, opt), nil
}

// findDirs is find for directories.
func (f *dupesFlags) findDirs(ctx context.Context, o search.Options, hashes *catalogue.Catalogue, status *term.StatusArea,
) []dupes.DirGroup {
	o.Progress = &search.Progress{}
	o.Walk.Progress = &o.Progress.Progress
	opt, stop := f.finding(&o, hashes, status)
	defer stop()
	return dupes.FindDirs(ctx, o.Walk, opt)
}

// finding returns how copies are found, and shows how far that has come until stop is called.
func (f *dupesFlags) finding(o *search.Options, hashes *catalogue.Catalogue, status *term.StatusArea) (opt dupes.Options, stop func()) {
	opt = dupes.Options{
		Roots: o.Roots, Empty: f.empty, Workers: f.files.readers(), Catalogue: hashes, Report: o.Walk.Report, Progress: &dupes.Progress{},
	}
	return opt, whileHashing(hashes, status, func(int) string { return findingLine(o.Progress, opt.Progress, hashes) })
}

// do does with the copies what the flags ask for.
func (f *dupesFlags) do(result *dupes.Result, o *search.Options, roots []dupes.Root, report func(error)) error {
	rules := &dupes.Rules{Deed: f.deeds.deed(), Keep: f.deeds.keep, Protect: f.deeds.protect, Roots: roots}
	planned := onceReported(func(report func(error)) iter.Seq[dupes.Planned] { return rules.Plan(result.Groups(), report) }, report)
	if f.deeds.save != "" {
		return f.deeds.writePlan(rules, o.Roots, planned)
	}
	return f.deeds.do(planned, f.deeds.doer(rules, report), f.json)
}

// findingLine says how far the command has come.
func findingLine(walked *search.Progress, p *dupes.Progress, hashes *catalogue.Catalogue) string {
	if p.Files.Load() == 0 {
		return counted(walked.Entries.Load(), "entry", "entries")
	}
	text := counted(p.Files.Load(), "file", "files") + " of equal size"
	all, done := p.Total.Load(), hashes.Bytes()
	if all == 0 {
		return text
	}
	began := time.Unix(0, p.Began.Load())
	text += fmt.Sprintf(", %s of %s read, %s", human(done), human(all), speed(done, began))
	if done > 0 && done < all {
		left := time.Duration(float64(time.Since(began)) * float64(all-done) / float64(done))
		text += fmt.Sprintf(", %s left", roundly(left))
	}
	return text
}

// print writes the groups in the form that was asked for.
func (f *dupesFlags) print(to io.Writer, r *dupes.Result) error {
	terminal := term.IsTerminal(os.Stdout)
	switch {
	case f.json:
		return dupes.WriteJSON(to, r)
	case f.csv:
		return dupes.WriteCSV(to, r, terminal)
	case f.null:
		return dupes.WriteNull(to, r)
	}
	return f.view(terminal).Write(to, r)
}

// printDirs is print for directories.
func (f *dupesFlags) printDirs(to io.Writer, groups []dupes.DirGroup) error {
	terminal := term.IsTerminal(os.Stdout)
	switch {
	case f.json:
		return dupes.WriteDirsJSON(to, groups)
	case f.csv:
		return dupes.WriteDirsCSV(to, groups, terminal)
	case f.null:
		return dupes.WriteDirsNull(to, groups)
	}
	return f.view(terminal).WriteDirs(to, groups)
}

// view returns how groups are shown to people.
func (f *dupesFlags) view(terminal bool) *dupes.View {
	style := printer.Style{Separator: defaultSeparator(), Escape: terminal, Palette: f.colour.palette(terminal)}
	return &dupes.View{
		Unit: format.Human, Colours: style.Palette != nil, Total: terminal,
		Path: func(b, path []byte) []byte { return style.AppendPath(b, path, 0, nil) },
		Dir:  func(b, path []byte) []byte { return style.AppendPath(b, path, fs.ModeDir, nil) },
	}
}
