package cli

import (
	"os"
	"slices"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/spawn"
)

// runFlags say which commands are run on results.
type runFlags struct {
	exec, execBatch [][]string
	batchSize       command.Count
}

func (f *runFlags) addTo(set *command.Flags) {
	set.Section(sectionRun)
	set.Rest(&f.exec, "exec", "x", "run `CMD ...` for each result, up to --threads at a time; a ; ends its arguments; "+
		"placeholders as in --format, {} is added if there is none; repeatable")
	set.Rest(&f.execBatch, "exec-batch", "X", "run `CMD ...` once with all results, or more often if they are too many; repeatable")
	set.Add(&f.batchSize, "batch-size", "", "pass at most `N` results to each command of -X")
}

func (*runFlags) conflicts(*command.Flags) [][2]string {
	return slices.Concat(
		command.Pairs("exec", "exec-batch"),
		command.Pairs("list-details", "exec", "exec-batch"),
		command.Pairs("columns", "exec", "exec-batch"),
		command.Pairs("count", "exec", "exec-batch"),
		command.Pairs("quiet", "exec", "exec-batch"),
	)
}

func (f *runFlags) given() bool { return len(f.exec)+len(f.execBatch) > 0 }

// output returns the commands that results go to, beside a walk with walkers workers.
func (f *runFlags) output(out *outputFlags, threads command.Count, walkers int) (search.Output, error) {
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
	}
	fields := &printer.Fields{}
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

// spareDescriptors returns how many file descriptors commands may take. A walk never lacks one
// then, which would lose directories: it keeps up to half of all for directories, and two for
// each Reader; a few are the program's own.
func spareDescriptors(walkers int) int {
	const own = 10
	limit := process.MaxDescriptors()
	return max(1, limit-limit/2-2*min(walkers, dir.MaxReaders())-own)
}
