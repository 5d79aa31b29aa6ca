package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/format"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/spawn"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// conflict returns an error if flags have been given that exclude each other.
func (f *findFlags) conflict(set *pflag.FlagSet, paths int) error {
	given := givenIn(set)
	for _, pair := range []struct {
		a, b   string
		unless bool
	}{
		{a: "exec", b: "exec-batch"},
		{a: "sort", b: "sortr"},
		{a: "sort", b: "count"},
		{a: "sortr", b: "count"},
		{a: "list-details", b: "exec"},
		{a: "list-details", b: "exec-batch"},
		{a: "list-details", b: "absolute-path", unless: !f.absolute},
		{a: "list-details", b: "print0"},
		{a: "list-details", b: "format"},
		{a: "list-details", b: "max-results"},
		{a: "list-details", b: "max-one-result"},
		{a: "count", b: "exec"},
		{a: "count", b: "exec-batch"},
		{a: "count", b: "list-details"},
		{a: "quiet", b: "exec"},
		{a: "quiet", b: "exec-batch"},
		{a: "quiet", b: "list-details"},
		{a: "quiet", b: "max-results"},
		{a: "glob", b: "fixed-strings", unless: given("regex")},
		{a: "glob", b: "exact", unless: given("regex")},
		{a: "fixed-strings", b: "exact"},
		{a: "exact-depth", b: "max-depth"},
		{a: "exact-depth", b: "min-depth"},
		{a: "prune", b: "size"},
		{a: "prune", b: "exact-depth"},
		{a: "absolute-path", b: "relative-to", unless: !f.absolute},
	} {
		if !pair.unless && given(pair.a) && given(pair.b) {
			return exclude(set, pair.a, pair.b)
		}
	}
	if f.batchSize.given && !f.details && len(f.exec)+len(f.execBatch) == 0 {
		return usagef("--batch-size is for -X/--exec-batch, which is not given")
	}
	if f.allDrives && paths+len(f.searchPaths) > 0 {
		return usagef("--all-drives and paths exclude each other; leave one out")
	}
	if len(f.searchPaths) > 0 && paths > 0 {
		return usagef("--search-path and paths after the pattern exclude each other; give all paths in one way")
	}
	return nil
}

// givenIn returns what tells whether a flag was given, by any of its names.
func givenIn(set *pflag.FlagSet) func(name string) bool {
	values := make(map[pflag.Value]bool) // which all names of a flag share
	set.Visit(func(f *pflag.Flag) { values[f.Value] = true })
	return func(name string) bool { return values[set.Lookup(name).Value] }
}

func exclude(set *pflag.FlagSet, a, b string) error {
	return usagef("%s and %s exclude each other; leave one out", spelling(set.Lookup(a)), spelling(set.Lookup(b)))
}

// newFind returns the search that the flags and arguments ask for. It changes the working
// directory if they say so.
func newFind(set *pflag.FlagSet, flags findFlags, args []string) (*find, error) {
	flags.hidden, flags.noIgnore = flags.hidden || flags.unrestricted, flags.noIgnore || flags.unrestricted
	if err := flags.changeDirectory(); err != nil {
		return nil, err
	}
	patterns, paths, err := flags.readPatterns(args)
	if err != nil {
		return nil, err
	}
	if err := flags.conflict(set, len(paths)); err != nil {
		return nil, err
	}
	f := &find{flags: flags, errors: &reporter{show: flags.showErrors}}
	if len(args) > 0 && patterns.lines == nil {
		f.pattern = args[0]
	}
	if paths, err = flags.paths(paths); err != nil {
		return nil, err
	}
	if f.Roots, err = flags.roots(paths); err != nil {
		return nil, err
	}
	if f.Filter, err = newFilter(&flags, patterns, paths); err != nil {
		return nil, err
	}
	status := term.NewStatusArea(os.Stderr)
	if f.Walk, err = flags.walkOptions(paths, func(err error) { status.Do(func() { f.errors.report(err) }) }); err != nil {
		return nil, err
	}
	if status.Draws() && len(flags.exec)+len(flags.execBatch) == 0 { // commands have the terminal
		f.Walk.Waiting = func(path []byte, since time.Duration) { showWaiting(status, path, since) }
	}
	f.Prune, f.DirSizes = flags.prune, flags.du
	switch {
	case flags.quiet:
		f.MaxResults = 1
	case flags.maxResults.given:
		f.MaxResults = int64(flags.maxResults.n)
	}
	if !flags.quiet && !flags.count {
		f.Sink, err = flags.sink(paths, &f.Walk, status.Writer(os.Stdout))
	}
	return f, err
}

// changeDirectory goes where -C says.
func (f *findFlags) changeDirectory() error {
	if f.baseDirectory == "" {
		return nil
	}
	if err := os.Chdir(f.baseDirectory); err != nil {
		return fmt.Errorf("-C/--base-directory: %w", err)
	}
	return nil
}

// showWaiting shows which directory a search waits for, nil for none.
func showWaiting(status *term.StatusArea, path []byte, since time.Duration) {
	if path == nil {
		status.Clear()
		return
	}
	status.Show(func(int) string { return waitingText(path, since) })
}

func waitingText(path []byte, since time.Duration) string {
	return fmt.Sprintf("waiting for %s, %d s", term.AppendEscaped(nil, path), int(since.Seconds()))
}

// paths returns the paths to search, of those after the pattern and those of flags.
func (f *findFlags) paths(paths []string) (_ []string, err error) {
	if f.allDrives {
		if paths, err = search.Drives(); err != nil {
			return nil, fmt.Errorf("--all-drives: %w", err)
		}
		return paths, nil
	}
	paths = append(paths, f.searchPaths...)
	if asFd() && len(paths) > 0 {
		if paths, err = directories(paths); err != nil {
			return nil, err
		}
	}
	return paths, checkPaths(paths)
}

// checkPaths returns an error if a path is empty.
func checkPaths(paths []string) error {
	if slices.Contains(paths, "") {
		return usagef(`a path is empty; give "." for the current directory`)
	}
	return nil
}

// directories returns those of the paths that are directories, and reports the others, as fd
// does. (ldx searches files too, and leaves errors to the walk.)
func directories(paths []string) (dirs []string, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
			dirs = append(dirs, path)
		} else {
			report(fmt.Errorf("the path %s is not a directory", quoted(path)))
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is no directory to search")
	}
	return dirs, nil
}

// roots returns where the search starts.
func (f *findFlags) roots(paths []string) ([]walk.Root, error) {
	labels := search.Labels{
		Absolute:   f.absolute,
		RelativeTo: f.relativeTo,
		StripDot:   f.stripPrefix.value == "always",
		KeepDot:    f.stripPrefix.value == "never" || f.stripPrefix.value == "auto" && (f.null || len(f.exec)+len(f.execBatch) > 0),
	}
	roots, err := labels.Roots(paths)
	if err != nil && f.relativeTo != "" {
		err = fmt.Errorf("--relative-to: %w", err)
	}
	return roots, err
}

// walkOptions says where to look in paths. report gets the errors.
func (f *findFlags) walkOptions(paths []string, report func(error)) (o walk.Options, err error) {
	o = walk.Options{
		Workers:       f.workers(),
		Waits:         process.Waits(),
		MaxDepth:      walk.Unlimited,
		Hidden:        f.hidden,
		Follow:        f.follow,
		OneFileSystem: f.oneFileSystem,
		Remote:        f.cloud,
		Buffer:        int(f.buffer),
		Report:        report,
	}
	if o.Except, err = search.ExceptSecondView(paths); err != nil {
		return o, err
	}
	for _, depth := range []count{f.maxDepth, f.exactDepth} {
		if depth.given {
			o.MaxDepth = depth.n
		}
	}
	if o.Ignore, err = ignore.New(ignore.Options{
		Exclude:  f.excludes,
		Files:    f.ignoreFiles,
		Contain:  f.ignoreContain,
		NoFiles:  f.noIgnore,
		NoGit:    f.noIgnoreVCS,
		NoParent: f.noIgnoreParent,
		NoGlobal: f.noGlobalIgnore,
		Anywhere: f.noRequireGit,
		Getenv:   os.Getenv,
		Report:   report,
	}); err != nil {
		return o, usagef("-E/--exclude: %v", err)
	}
	return o, nil
}

// workers returns how many workers a walk may have.
func (f *findFlags) workers() int {
	if f.threads.given {
		return f.threads.n
	}
	return search.Workers()
}

// newFilter makes out what an entry must be like.
func newFilter(flags *findFlags, patterns patterns, paths []string) (*filter.Filter, error) {
	opt := filter.Options{
		Types:      flags.types.any,
		NotTypes:   flags.types.none,
		MinDepth:   max(flags.minDepth.n, flags.exactDepth.n),
		DirSizes:   flags.du,
		Attributes: append(flags.attributes[:len(flags.attributes):len(flags.attributes)], flags.owner.attributes...),
	}
	if err := patterns.addTo(&opt); err != nil {
		return nil, err
	}
	if err := flags.addExtensions(&opt); err != nil {
		return nil, err
	}
	if err := flags.addReferences(&opt, time.Now()); err != nil {
		return nil, err
	}
	if flags.fullPath {
		var err error
		if opt.Roots, err = search.AbsoluteRoots(paths); err != nil {
			return nil, err
		}
	}
	return filter.New(opt), nil
}

func (f *findFlags) addExtensions(opt *filter.Options) (err error) {
	var any, none []string
	for _, ext := range f.extensions {
		ext, not := filter.Negated(ext)
		ending := "." + strings.TrimPrefix(ext, ".")
		if not {
			none = append(none, ending)
		} else {
			any = append(any, ending)
		}
	}
	for _, kind := range f.typeGroups {
		kind, not := filter.Negated(kind)
		extensions, err := filter.GroupExtensions(kind)
		if err != nil {
			return usagef("--type-group: %v", err)
		}
		for _, ext := range extensions {
			if not {
				none = append(none, "."+ext)
			} else {
				any = append(any, "."+ext)
			}
		}
	}
	how := match.Options{Syntax: match.Suffix, Fold: f.letters != asWritten}
	for _, list := range []struct {
		endings []string
		to      **match.Matcher
	}{{any, &opt.Extension}, {none, &opt.NotExtension}} {
		if len(list.endings) == 0 {
			continue
		}
		if *list.to, err = match.New(list.endings, how); err != nil {
			return usagef("-e/--extension: %v", err)
		}
	}
	return nil
}

// addReferences adds what depends on the working directory, and on what time it is.
func (f *findFlags) addReferences(opt *filter.Options, now time.Time) error {
	for _, path := range f.sameFiles {
		path, not := filter.Negated(path)
		info, err := dir.Stat(path, dir.Identity)
		if err != nil {
			return fmt.Errorf("--same-file: %w", err)
		}
		a := filter.SameFile(info.Device, info.Inode)
		if not {
			a = a.Not()
		}
		opt.Attributes = append(opt.Attributes, a)
	}
	if f.newerThan != "" {
		info, err := os.Stat(f.newerThan)
		if err != nil {
			return fmt.Errorf("--newer-than: %w", err)
		}
		opt.Attributes = append(opt.Attributes, filter.After(filter.Modified, info.ModTime()))
	}
	for i, name := range []string{filter.Modified: "changed", filter.Accessed: "accessed", filter.StatusChanged: "status-changed", filter.Created: "created"} {
		for _, side := range []struct {
			name  string
			value text
			test  func(filter.Clock, time.Time) filter.Attribute
		}{
			{"within", f.times[i].after, filter.After},
			{"before", f.times[i].before, filter.Before},
		} {
			if !side.value.given {
				continue
			}
			value, not := filter.Negated(side.value.text)
			t, err := filter.ParseTime(value, now)
			if err != nil {
				return fmt.Errorf("--%s-%s %q: %w", name, side.name, side.value.text, err)
			}
			a := side.test(filter.Clock(i), t)
			if not {
				a = a.Not()
			}
			opt.Attributes = append(opt.Attributes, a)
		}
	}
	return nil
}

// sink returns where results go: to stdout, or to commands.
func (f *findFlags) sink(paths []string, w *walk.Options, stdout io.Writer) (search.Sink, error) {
	terminal := term.IsTerminal(os.Stdout)
	style, err := f.resultStyle(paths, terminal, w.Report)
	if err != nil {
		return nil, err
	}
	keys := slices.Concat(f.sortKeys, f.sortKeysDown)
	order, err := printer.NewOrder(keys, len(f.sortKeysDown) > 0)
	if err != nil {
		return nil, usagef("--sort: %v", err)
	}
	if f.details {
		return search.List(printer.NewListing(stdout, style, order, time.Now()), w.Report), nil
	}
	var out search.Output
	switch {
	case len(f.exec) > 0:
		opt, err := f.commands("-x/--exec", f.exec, spawn.NewCommand, w.Workers)
		if err != nil {
			return nil, err
		}
		out = search.Exec(spawn.NewRunner(opt))
	case len(f.execBatch) > 0:
		opt, err := f.commands("-X/--exec-batch", f.execBatch, spawn.NewBatchCommand, w.Workers)
		if err != nil {
			return nil, err
		}
		out = search.ExecBatch(spawn.NewBatch(opt, f.batchSize.n))
	default:
		hold := 100 * time.Millisecond
		if f.holdFor.given {
			hold = time.Duration(f.holdFor.n) * time.Millisecond
		}
		p := printer.New(stdout, printer.Options{Null: f.null, Eager: terminal, Hold: hold, Style: style})
		if len(keys) == 0 {
			return search.Print(p), nil
		}
		out = search.Lines(p, stdout)
	}
	if len(keys) > 0 {
		return search.Sorted(out, order), nil
	}
	return search.AsFound(out), nil
}

// resultStyle is style with what only results have: links, and the template of --format.
func (f *findFlags) resultStyle(paths []string, terminal bool, report func(error)) (style printer.Style, err error) {
	style = f.style(terminal)
	style.Report = report
	if f.hyperlink.value == "always" || f.hyperlink.value == "auto" && style.Palette != nil {
		if style.Roots, err = search.AbsoluteRoots(paths); err != nil {
			return style, err
		}
		style.Host, _ = os.Hostname() // a link works without
	}
	if f.format.given {
		if style.Format, err = f.template(); err != nil {
			return style, usagef("--format: %v", err)
		}
	}
	return style, nil
}

// template returns that of --format. For fd, what it does not know stands for itself.
func (f *findFlags) template() (*format.Template, error) {
	if asFd() {
		return format.Parse(f.format.text), nil
	}
	return format.ParseLine(f.format.text)
}

// style says how paths are shown.
func (f *findFlags) style(terminal bool) printer.Style {
	style := printer.Style{
		Separator: f.pathSeparator(),
		Slash:     map[string]printer.Slash{"always": printer.SlashAlways, "never": printer.SlashNever}[f.slash.value],
		Escape:    terminal,
	}
	if f.color.value == "always" || f.color.value == "auto" && terminal && term.WantsColours(os.Stdout) {
		colours, ok := os.LookupEnv("LS_COLORS")
		if !ok {
			colours = printer.DefaultColours
		}
		style.Palette = printer.NewPalette(colours)
	}
	return style
}

// pathSeparator returns what is between the elements of a path that is shown; "" is a slash.
func (f *findFlags) pathSeparator() string {
	if f.separator == "" && os.Getenv("MSYSTEM") == "" { // Unix's shells on Windows have slashes
		return string(os.PathSeparator)
	}
	return f.separator
}

// commands returns how commands are run beside a walk with so many workers.
func (f *findFlags) commands(flag string, commands [][]string, parse func([]string) (*spawn.Command, error), walkers int) (spawn.Options, error) {
	opt := spawn.Options{
		Separator:   f.pathSeparator(),
		Workers:     process.Processors(),
		Null:        f.null,
		Descriptors: spareDescriptors(walkers),
		Stdin:       os.Stdin,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		Report:      report,
	}
	if f.threads.given {
		opt.Workers = f.threads.n
	}
	for _, args := range commands {
		c, err := parse(args)
		if err != nil {
			return opt, usagef("%s: %v", flag, err)
		}
		opt.Commands = append(opt.Commands, c)
	}
	return opt, nil
}

// spareDescriptors returns how many file descriptors commands may take, so that a walk of so
// many workers never lacks one: it would lose directories. It keeps up to half of all for
// directories, and two for each Reader; a few are the program's own.
func spareDescriptors(walkers int) int {
	const own = 10
	limit := process.MaxDescriptors()
	return max(1, limit-limit/2-2*min(walkers, dir.MaxReaders())-own)
}
