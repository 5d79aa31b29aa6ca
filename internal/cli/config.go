package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/format"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/spawn"
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

// newSearch makes out what the flags and arguments mean. It changes the working
// directory if they say so.
func newSearch(set *pflag.FlagSet, flags findFlags, args []string) (*search, error) {
	flags.hidden, flags.noIgnore = flags.hidden || flags.unrestricted, flags.noIgnore || flags.unrestricted
	s := &search{flags: flags}
	if flags.baseDirectory != "" {
		if err := os.Chdir(flags.baseDirectory); err != nil {
			return nil, fmt.Errorf("-C/--base-directory: %w", err)
		}
	}
	patterns, paths, err := flags.readPatterns(args)
	if err != nil {
		return nil, err
	}
	if err := flags.conflict(set, len(paths)); err != nil {
		return nil, err
	}
	if len(args) > 0 && patterns.lines == nil {
		s.pattern = args[0]
	}
	if flags.allDrives {
		paths, err = allDrives()
	} else {
		paths, err = s.existing(append(paths, flags.searchPaths...))
	}
	if err != nil {
		return nil, err
	}
	if s.roots, err = flags.findRoots(paths); err != nil {
		return nil, err
	}
	if s.filter, err = newFilter(&flags, patterns, paths); err != nil {
		return nil, err
	}
	if err := s.setWalk(paths); err != nil {
		return nil, err
	}
	switch {
	case flags.quiet:
		s.most = 1
	case flags.maxResults.given:
		s.most = int64(flags.maxResults.n)
	}
	s.errors.show = flags.showErrors
	return s, s.setSink(paths)
}

// existing returns the paths to search. As fd, a path that is no directory is told
// of and left out; ldx itself leaves that to the walk, which takes files too.
func (s *search) existing(paths []string) ([]string, error) {
	if !asFd() || len(paths) == 0 {
		return paths, nil
	}
	var dirs []string
	for _, path := range paths {
		if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
			dirs = append(dirs, path)
		} else {
			tell(fmt.Errorf("the path %s is not a directory", quoted(path)))
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is no directory to search")
	}
	return dirs, nil
}

// setWalk says where to go.
func (s *search) setWalk(paths []string) (err error) {
	flags := &s.flags
	s.waiting = newWaiting(&s.errors)
	s.walk = walk.Options{
		Workers:       walkers(flags.threads),
		Waits:         waits(),
		MaxDepth:      walk.Unlimited,
		Hidden:        flags.hidden,
		Follow:        flags.follow,
		OneFileSystem: flags.oneFileSystem,
		Remote:        flags.cloud,
		Buffer:        int(flags.buffer),
		Want:          s.filter.Needs(),
		Report:        s.waiting.report,
	}
	if s.waiting.screen.to != nil {
		s.walk.Waiting = s.waiting.show
	}
	if runtime.GOOS == "darwin" {
		roots, err := absoluteRoots(paths)
		if err != nil {
			return err
		}
		s.walk.Except = exceptVolume(roots, dataVolume)
	}
	for _, depth := range []count{flags.maxDepth, flags.exactDepth} {
		if depth.given {
			s.walk.MaxDepth = depth.n
		}
	}
	if s.ignorer, err = ignore.New(ignore.Options{
		Exclude:  flags.excludes,
		Files:    flags.ignoreFiles,
		Contain:  flags.ignoreContain,
		NoFiles:  flags.noIgnore,
		NoGit:    flags.noIgnoreVCS,
		NoParent: flags.noIgnoreParent,
		NoGlobal: flags.noGlobalIgnore,
		Anywhere: flags.noRequireGit,
		Getenv:   os.Getenv,
		Report:   s.errors.report,
	}); err != nil {
		return usagef("-E/--exclude: %v", err)
	}
	if !s.ignorer.Empty() {
		s.walk.Ignore = s.ignorer
	}
	return nil
}

// workers returns how many commands may run: as many as the process has processors to
// use (Go heeds affinity and cgroups), for more than 64 only wait for each other.
func workers(asked count) int {
	if asked.given {
		return asked.n
	}
	return min(runtime.GOMAXPROCS(0), 64)
}

// walkers returns how many workers there may be. Where it can be told whether they
// wait, there may be more than processors: a cold disk was walked best by 8, a network
// by 16 (go run ./bench -slow).
func walkers(asked count) int {
	const waiting = 16
	if asked.given || waits() == nil {
		return workers(asked)
	}
	return max(workers(asked), waiting)
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
		if opt.Roots, err = absoluteRoots(paths); err != nil {
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

// setSink says what becomes of the results.
func (s *search) setSink(paths []string) error {
	flags := &s.flags
	if flags.quiet || flags.count {
		return nil
	}
	terminal := isTerminal(os.Stdout)
	style := flags.style(terminal)
	style.Report = s.walk.Report
	if flags.hyperlink.value == "always" || flags.hyperlink.value == "auto" && style.Palette != nil {
		var err error
		if style.Roots, err = absoluteRoots(paths); err != nil {
			return err
		}
		style.Host, _ = os.Hostname() // a link works without
	}
	if flags.format.given {
		var err error
		if style.Format, err = flags.template(); err != nil {
			return usagef("--format: %v", err)
		}
	}
	order, err := printer.NewOrder(append(flags.sortKeys, flags.sortKeysDown...), len(flags.sortKeysDown) > 0)
	if err != nil {
		return usagef("--sort: %v", err)
	}
	s.shows = style.Needs() | order.Needs()
	if flags.details {
		s.shows |= printer.Fields
	}
	s.walk.Want |= s.shows
	sorted := len(flags.sortKeys)+len(flags.sortKeysDown) > 0
	if sorted && !flags.details {
		s.sorter, s.first, s.most = printer.NewSorter(order), int(s.most), 0
	}
	switch {
	case len(flags.exec) > 0:
		return s.setCommands("-x/--exec", flags.exec, spawn.NewCommand)
	case len(flags.execBatch) > 0:
		return s.setCommands("-X/--exec-batch", flags.execBatch, spawn.NewBatchCommand)
	case flags.details:
		s.listTo(printer.NewListing(s.waiting.stdout(), style, order, time.Now()))
	default:
		hold := 100 * time.Millisecond
		if flags.holdFor.given {
			hold = time.Duration(flags.holdFor.n) * time.Millisecond
		}
		s.printTo(printer.New(s.waiting.stdout(), printer.Options{Null: flags.null, Eager: terminal, Hold: hold, Style: style}))
	}
	return nil
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
	if f.separator == "" && os.Getenv("MSYSTEM") == "" { // Unix's shells on Windows have slashes
		f.separator = string(os.PathSeparator)
	}
	style := printer.Style{
		Separator: f.separator,
		Slash:     map[string]printer.Slash{"always": printer.SlashAlways, "never": printer.SlashNever}[f.slash.value],
		Escape:    terminal,
	}
	if f.color.value == "always" || f.color.value == "auto" && terminal && coloursWanted() {
		colours, ok := os.LookupEnv("LS_COLORS")
		if !ok {
			colours = printer.DefaultColours
		}
		style.Palette = printer.NewPalette(colours)
	}
	return style
}

// coloursWanted heeds no-color.org, and terminals that have none.
func coloursWanted() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && enableColours(os.Stdout)
}

func (s *search) setCommands(flag string, commands [][]string, parse func([]string) (*spawn.Command, error)) error {
	s.walk.Waiting = nil // the commands have the terminal
	opt := spawn.Options{
		Separator: s.flags.separator,
		Workers:   workers(s.flags.threads),
		Null:      s.flags.null,

		Descriptors: s.spareDescriptors(),

		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Report: tell,
	}
	for _, args := range commands {
		c, err := parse(args)
		if err != nil {
			return usagef("%s: %v", flag, err)
		}
		opt.Commands = append(opt.Commands, c)
	}
	if len(s.flags.exec) > 0 {
		s.runOn(spawn.NewRunner(opt))
	} else {
		s.batchOn(spawn.NewBatch(opt, s.flags.batchSize.n))
	}
	return nil
}

// spareDescriptors returns how many file descriptors commands may take, so that the walk
// never lacks one: it would lose directories. It keeps up to half of all for directories,
// and two for each Reader; a few are the program's own.
func (s *search) spareDescriptors() int {
	const own = 10
	limit := descriptorLimit()
	return max(1, limit-limit/2-2*min(s.walk.Workers, dir.MaxReaders())-own)
}
