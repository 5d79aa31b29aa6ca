package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/spawn"
)

// runFlags say which commands are run on results.
type runFlags struct {
	exec, execBatch, tests [][]string
	batchSize              command.Count
	inDir, ordered, labels bool
	confirm                bool
	noInput                bool // standard input is for something else
}

func (f *runFlags) addTo(set *command.Flags) {
	set.Section(sectionRun)
	set.Rest(&f.exec, "exec", "x", "run `CMD ...` for each result, up to --threads at a time; a ; ends its arguments; "+
		"placeholders as in --format, {} is added if there is none; repeatable")
	set.Rest(&f.execBatch, "exec-batch", "X", "run `CMD ...` once with all results, or more often if they are too many; repeatable")
	set.Add(&f.batchSize, "batch-size", "", "pass at most `N` results to each command of -X")
	set.Section(sectionFilter)
	set.Rest(&f.tests, "filter", "", "only entries for which `CMD ...` succeeds, after all other filters; a ; ends its arguments; "+
		"placeholders as for -x; repeatable")
	set.Section(sectionRun)
	set.Bool(&f.inDir, "exec-dir", "", "run the commands of -x in the directory of the result; {} is ./NAME there")
	set.Bool(&f.ordered, "ordered", "", "write the outputs of -x in the order of the results")
	set.Bool(&f.labels, "label", "", "write a line with the path before the output for each result of -x")
	set.Bool(&f.confirm, "confirm", "", "ask on the terminal before each command; one runs at a time")
}

func (*runFlags) conflicts(*command.Flags) [][2]string {
	return slices.Concat(
		command.Pairs("exec", "exec-batch"),
		command.Pairs("list-details", "exec", "exec-batch"),
		command.Pairs("columns", "exec", "exec-batch"),
		command.Pairs("count", "exec", "exec-batch"),
		command.Pairs("quiet", "exec", "exec-batch"),
		command.Pairs("confirm", "dry-run"),
	)
}

// check returns an error if flags were given for commands, and no command.
func (f *runFlags) check(set *command.Flags) error {
	switch {
	case len(f.exec) == 0 && (f.inDir || f.ordered || f.labels):
		return command.Usagef("%s is for -x/--exec, which is not given", set.FirstGiven("exec-dir", "ordered", "label"))
	case !f.given() && f.confirm:
		return command.Usagef("--confirm is for -x/--exec and -X/--exec-batch, which are not given")
	}
	return nil
}

func (f *runFlags) given() bool { return len(f.exec)+len(f.execBatch) > 0 }

// output returns the commands that results go to, beside a walk with walkers workers. With dryRun
// they are printed and not run.
func (f *runFlags) output(out *outputFlags, threads command.Count, walkers int, dryRun bool) (search.Output, error) {
	flag, commands, parse := "-x/--exec", f.exec, spawn.NewCommand
	if len(f.execBatch) > 0 {
		flag, commands, parse = "-X/--exec-batch", f.execBatch, spawn.NewBatchCommand
	}
	opt := spawn.Options{
		Separator:   out.pathSeparator(),
		Workers:     threads.Or(process.Processors()),
		Null:        out.null,
		Descriptors: spareDescriptors(walkers),
		Stdin:       os.Stdin,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		Report:      func(err error) { report(separateWords(err, flag[:2])) },
		InDir:       f.inDir,
		Ordered:     f.ordered,
	}
	if f.noInput {
		opt.Stdin = nil
	}
	if self.habits {
		opt.Dashed = dashWarning()
	}
	if f.labels && !dryRun {
		opt.Label = label(opt.Separator)
	}
	switch {
	case dryRun:
		opt.Workers, opt.Before = 1, printCommand // in the order of the results
	case f.confirm && !isAskable():
		return nil, errors.New("--confirm: there is no terminal to ask on; --dry-run prints the commands")
	case f.confirm:
		opt.Workers, opt.Before = 1, (&confirmation{}).ask
	}
	fields := printer.NewFields(out.groups)
	for _, args := range commands {
		c, err := parse(args, self.arguments(fields))
		if err != nil {
			return nil, command.Usagef("%s: %v", flag, err)
		}
		opt.Commands = append(opt.Commands, c)
	}
	opt.Fields = fields.Len()
	render := printer.NewArguments(fields, report)
	if len(f.execBatch) > 0 {
		return search.ExecBatch(spawn.NewBatch(opt, f.batchSize.N), render), nil
	}
	return search.Exec(spawn.NewRunner(opt), render), nil
}

// dashWarning returns a spawn.Options.Dashed that reports the first such argument.
func dashWarning() func(program, arg string) {
	var once sync.Once
	return func(program, arg string) {
		once.Do(func() {
			report(fmt.Errorf("%s may take the name %s for a flag; give {} or ./{/} instead, or -- before it", program, command.Quote(arg)))
		})
	}
}

// filter has a search keep only what the commands of --filter succeed for.
func (f *runFlags) filter(o *search.Options, out *outputFlags, threads command.Count) error {
	if len(f.tests) == 0 {
		return nil
	}
	opt := spawn.Options{Separator: out.pathSeparator(), Workers: threads.Or(process.Processors()), Stderr: os.Stderr, Report: o.Walk.Report}
	fields := printer.NewFields(out.groups)
	for _, args := range f.tests {
		c, err := spawn.NewCommand(args, self.arguments(fields))
		if err != nil {
			return command.Usagef("--filter: %v", err)
		}
		opt.Commands = append(opt.Commands, c)
	}
	opt.Fields = fields.Len()
	o.Keep, o.KeepAs, o.KeepAtOnce = spawn.NewTest(opt).Passes, printer.NewArguments(fields, o.Walk.Report), opt.Workers
	return nil
}

// spareDescriptors returns how many file descriptors commands may take. A walk never lacks one
// then, which would lose directories: it keeps up to half of all for directories, and two for
// each Reader; a few are the program's own.
func spareDescriptors(walkers int) int {
	const own = 10
	limit := process.MaxDescriptors()
	return max(1, limit-limit/2-2*min(walkers, dir.MaxReaders())-own)
}
