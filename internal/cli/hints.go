package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ldx/internal/match"
	"ldx/internal/search"
	"ldx/internal/spawn"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// hint says on a terminal why nothing may have been found: the most likely reason, in one line.
func (f *findFlags) hint(ctx context.Context, p patterns, paths []string, s walk.Stats) {
	if !term.IsTerminal(os.Stderr) {
		return
	}
	const patience = 500 * time.Millisecond // of somebody who waits for the prompt
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, reason := range []error{
		f.onlyFiles(p, paths),
		isDirectory(p.argument),
		f.otherwise(ctx, p, paths),
		leftOut(s),
	} {
		if reason != nil {
			report(reason)
			return
		}
	}
}

// onlyFiles returns a hint if all paths are files: a shell makes such arguments of a pattern.
func (f *findFlags) onlyFiles(p patterns, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	const maxNames = 3
	var names []string
	for i, path := range paths {
		if !isFile(path) {
			return nil
		}
		if i < maxNames {
			names = append(names, path)
		}
	}
	text := "searched only the file"
	if len(paths) > 1 {
		text += "s"
	}
	text += " " + strings.Join(names, ", ")
	if more := len(paths) - maxNames; more > 0 {
		text += fmt.Sprintf(" and %s", counted(int64(more), "other", "others"))
	}
	given := append([]string{p.argument}, f.filters.extensions...)
	for _, value := range append(given, f.ignore.exclude...) {
		if isFile(value) {
			return &advice{
				text:    text + "; did the shell expand a pattern? Quote it:",
				command: commandLine("-g", "*"+filepath.Ext(value)),
			}
		}
	}
	return errors.New(text)
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && !info.IsDir()
}

// isDirectory returns a hint if the pattern is the name of a directory.
func isDirectory(pattern string) error {
	if info, err := os.Stat(pattern); err != nil || !info.IsDir() || pattern == "." {
		return nil
	}
	return &advice{text: "nothing found; to search in that directory:", command: commandLine(".", pattern)}
}

// otherwise returns a hint if another search finds something: the first of those that users
// often mean.
func (f *findFlags) otherwise(ctx context.Context, p patterns, paths []string) error {
	if len(f.patterns.files) > 0 {
		return nil
	}
	count := func(change func(*findFlags, *string)) int64 { return f.count(ctx, p.argument, paths, change) }
	if !p.fold {
		n := count(func(f *findFlags, _ *string) { f.patterns.letterCase = ignoreCase })
		if n > 0 {
			return fmt.Errorf("nothing found, but -i would find %s", grouped(n))
		}
	}
	if glob := p.argument; strings.ContainsAny(glob, "*?") && f.patterns.syntax != match.Glob && !f.patterns.fullPath {
		n := count(func(f *findFlags, _ *string) { f.patterns.syntax = match.Glob })
		if n > 0 {
			return found(n, append([]string{"-g", glob}, paths...))
		}
	}
	if glob := strings.TrimPrefix(p.argument, "./"); f.patterns.fullPath && f.patterns.syntax == match.Glob && !strings.HasPrefix(glob, "/") {
		glob = "**/" + glob
		if n := count(func(_ *findFlags, pattern *string) { *pattern = glob }); n > 0 {
			return found(n, append([]string{"-p", "-g", glob}, paths...))
		}
	}
	if err := f.otherExtension(count); err != nil {
		return err
	}
	if f.maxDepth.Given && f.maxDepth.N > 0 {
		if n := count(func(f *findFlags, _ *string) { f.maxDepth.Given = false }); n > 0 {
			return fmt.Errorf("nothing found, but without -d %d there would be %s", f.maxDepth.N, grouped(n))
		}
	}
	return nil
}

func found(n int64, args []string) error {
	return &advice{text: fmt.Sprintf("nothing found; this finds %s:", grouped(n)), command: commandLine(args...)}
}

// otherExtension returns a hint if an extension was given as a glob.
func (f *findFlags) otherExtension(count func(func(*findFlags, *string)) int64) error {
	var extensions []string
	globs := false
	for _, ext := range f.filters.extensions {
		rest, is := strings.CutPrefix(ext, "*.")
		globs = globs || is
		extensions = append(extensions, rest)
	}
	if !globs {
		return nil
	}
	n := count(func(f *findFlags, _ *string) { f.filters.extensions = extensions })
	if n == 0 {
		return nil
	}
	return fmt.Errorf("nothing found, but -e %s would find %s", strings.Join(extensions, ","), grouped(n))
}

// count returns how many results the search has after a change; 0 if that takes too long.
func (f *findFlags) count(ctx context.Context, pattern string, paths []string, change func(*findFlags, *string)) int64 {
	changed := *f
	changed.output.quiet = true
	change(&changed, &pattern)
	args := append([]string{pattern}, paths...)
	if pattern == "" {
		args = paths
	}
	p, paths, err := changed.patterns.read(args)
	if err != nil {
		return 0
	}
	o, err := changed.options(p, paths, &reporter{silent: true}, &screen{status: &term.StatusArea{}})
	if err != nil {
		return 0
	}
	o.MaxResults = 0
	r, err := search.Run(ctx, o)
	if err != nil || ctx.Err() != nil {
		return 0
	}
	return r.Matches
}

// leftOut returns a hint if hidden or ignored entries were left out.
func leftOut(s walk.Stats) error {
	if s.Hidden+s.Ignored == 0 {
		return nil
	}
	var left []string
	if s.Hidden > 0 {
		left = append(left, grouped(s.Hidden)+" hidden")
	}
	if s.Ignored > 0 {
		left = append(left, grouped(s.Ignored)+" ignored")
	}
	return fmt.Errorf("nothing found, but %s left out; -u looks there too, --why PATH says why", strings.Join(left, " and "))
}

// secondPattern returns an error that says how to give two patterns, if err is that of a path
// that is probably one.
func secondPattern(err error, pattern string) error {
	failed, ok := errors.AsType[*fs.PathError](err)
	if _, root := errors.AsType[*walk.RootError](err); !root || !ok || pattern == "" || pattern == "." ||
		!errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(failed.Path, `/\`) {
		return err
	}
	return &advice{
		text:    plain(err) + "; if it is a second pattern, --or takes either, --and both:",
		command: commandLine(pattern, "--and", failed.Path),
	}
}

// separateWords returns an error that says how to give a command, if err is that of a whole
// command line given as its name.
func separateWords(err error, flag string) error {
	missing, ok := errors.AsType[*spawn.MissingError](err)
	if !ok || len(strings.Fields(missing.Name)) < 2 {
		return err
	}
	return &advice{
		text:    err.Error() + "; give its arguments separately:",
		command: commandLine(append([]string{flag}, strings.Fields(missing.Name)...)...),
	}
}
