package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/ignore"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/walk"
)

// findCommand returns the search, which is what ldx does unless told otherwise.
// What the search finds goes into *status.
func findCommand(status *int) *cobra.Command {
	var flags findFlags
	cmd := newCommand("ldx [flags] [pattern] [path ...]")
	flags.addTo(cmd.Flags())
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, err := os.Stdout.Write(helpText(cmd.Flags()))
		*status = exitStatus(err)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			_, err := fmt.Println("ldx", version())
			return err
		}
		s, err := newSearch(flags, args)
		if err != nil {
			return err
		}
		if len(flags.reason) > 0 {
			*status, err = s.why(os.Stdout)
			return err
		}
		*status, err = s.run(cmd.Context())
		return err
	}
	return cmd
}

// A search is the flags as they are meant.
type search struct {
	roots   []walk.Root
	ignorer *ignore.Ignorer
	walk    walk.Options
	filter  *filter.Filter
	printer *printer.Printer // nil: results are counted, not printed
	most    int64            // results; 0: all
	pattern string           // the first
	flags   findFlags

	errors  reporter
	matches atomic.Int64
}

// newSearch makes out what the flags and arguments mean. It changes the working
// directory if they say so.
func newSearch(flags findFlags, args []string) (*search, error) {
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
	if len(args) > 0 && patterns.lines == nil {
		s.pattern = args[0]
	}
	paths = append(paths, flags.searchPaths...)
	if s.roots, err = findRoots(paths, flags.absolute); err != nil {
		return nil, err
	}
	if s.filter, err = newFilter(&flags, patterns, paths); err != nil {
		return nil, err
	}

	s.walk = walk.Options{
		Workers:       workers(flags.threads),
		MaxDepth:      walk.Unlimited,
		Hidden:        flags.hidden,
		Follow:        flags.follow,
		OneFileSystem: flags.oneFileSystem,
		Report:        s.errors.report,
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
		if file := (*fs.PathError)(nil); !errors.As(err, &file) {
			err = usagef("-E/--exclude: %v", err)
		}
		return nil, err
	}
	if !s.ignorer.Empty() {
		s.walk.Ignore = s.ignorer
	}
	if flags.maxDepth.given {
		s.walk.MaxDepth = flags.maxDepth.n
	}
	switch {
	case flags.one || flags.quiet:
		s.most = 1
	case flags.maxResults.given:
		s.most = int64(flags.maxResults.n)
	}
	if !flags.quiet && !flags.count {
		s.printer = printer.New(os.Stdout, printer.Options{Null: flags.null, Eager: isTerminal(os.Stdout)})
	}
	s.errors.show = flags.showErrors
	return s, nil
}

// newFilter makes out what an entry must be like.
func newFilter(flags *findFlags, patterns patterns, paths []string) (*filter.Filter, error) {
	opt := filter.Options{Types: filter.Types(flags.types)}
	if err := patterns.addTo(&opt); err != nil {
		return nil, err
	}
	if len(flags.extensions) > 0 {
		var endings []string
		for _, ext := range flags.extensions {
			endings = append(endings, "."+strings.TrimPrefix(ext, "."))
		}
		var err error
		opt.Extension, err = match.New(endings, match.Options{Syntax: match.Suffix, Fold: flags.letters != asWritten})
		if err != nil {
			return nil, usagef("-e/--extension: %v", err)
		}
	}
	if flags.fullPath {
		roots, err := findRoots(paths, true)
		if err != nil {
			return nil, err
		}
		for _, root := range roots {
			label := root.Label
			if !strings.Contains(label, "..") { // which may be behind a link
				label = filepath.ToSlash(filepath.Clean(label))
			}
			opt.Roots = append(opt.Roots, label)
		}
	}
	return filter.New(opt), nil
}

// findRoots returns where the search starts, and how each path is printed: as it
// was typed, or absolute.
func findRoots(paths []string, absolute bool) ([]walk.Root, error) {
	label := func(path string) string { return path }
	if absolute {
		cwd, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		label = func(path string) string {
			if filepath.IsAbs(path) {
				return path
			}
			for path == "." || strings.HasPrefix(path, "./") {
				path = strings.TrimLeft(path[1:], "/")
			}
			if path == "" {
				return cwd
			}
			return strings.TrimSuffix(cwd, "/") + "/" + path
		}
	}
	if len(paths) == 0 {
		root := walk.Root{Path: "."}
		if absolute {
			root.Label = label(".")
		}
		return []walk.Root{root}, nil
	}
	roots := make([]walk.Root, len(paths))
	for i, path := range paths {
		if path == "" {
			return nil, usagef(`a path is empty; give "." for the working directory`)
		}
		roots[i] = walk.Root{Path: path, Label: label(path)}
	}
	return roots, nil
}

// workers returns how many there may be: as many as the process has processors
// to use (Go heeds affinity and cgroups), for more than 64 only wait for each
// other.
func workers(asked count) int {
	if asked.given {
		return asked.n
	}
	return min(runtime.GOMAXPROCS(0), 64)
}

// run searches, prints, and returns the exit status.
func (s *search) run(ctx context.Context) (status int, err error) {
	started := time.Now()
	stats := walk.Walk(ctx, s.roots, s.walk, s.newVisitor)
	if s.printer != nil {
		err = s.printer.Err()
	}
	matches := s.matches.Load()
	if s.most > 0 {
		matches = min(matches, s.most)
	}
	if err == nil && s.flags.count && !s.flags.quiet {
		_, err = fmt.Println(matches)
	}
	s.errors.sumUp()
	if matches == 0 && !s.flags.quiet {
		hint(s.pattern, stats)
	}
	if s.flags.stats {
		writeStats(stats, matches, s.errors.n, time.Since(started))
	}
	switch {
	case err != nil:
		return statusError, err
	case s.flags.quiet && matches > 0:
		return statusOK, nil
	case s.flags.quiet, s.errors.serious > 0, s.flags.strict && s.errors.n > 0:
		return statusError, nil
	}
	return statusOK, nil
}

// newVisitor returns one worker's share of the search. Its matches are counted
// on its own, and added up when it pauses, unless it must know how many the
// others have.
func (s *search) newVisitor() walk.Visitor {
	var buffer *printer.Buffer
	if s.printer != nil {
		buffer = s.printer.NewBuffer()
	}
	matches, filter := int64(0), s.filter.Clone()
	visit := func(e *dir.Entry) walk.Action {
		ok, err := filter.Match(e)
		if err != nil && !dir.Vanished(err) {
			s.errors.report(err)
			if slow := (*match.SlowError)(nil); errors.As(err, &slow) && slow.GivenUp {
				return walk.Stop
			}
		}
		if !ok {
			return walk.Continue
		}
		n := int64(0)
		if s.most > 0 {
			if n = s.matches.Add(1); n > s.most {
				return walk.Stop
			}
		} else {
			matches++
		}
		if buffer != nil && buffer.Print(e) != nil || n == s.most && n > 0 {
			return walk.Stop
		}
		return walk.Continue
	}
	pause := func(idle bool) walk.Action {
		if matches > 0 {
			s.matches.Add(matches)
			matches = 0
		}
		if buffer == nil {
			return walk.Continue
		}
		write := buffer.Pause
		if idle {
			write = buffer.Flush
		}
		if write() != nil {
			return walk.Stop
		}
		return walk.Continue
	}
	return walk.Visitor{Visit: visit, Pause: pause}
}
