package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/measure"
	"ldx/internal/search"
	"ldx/internal/term"
)

// benchFlags is ldx bench as it was typed.
type benchFlags struct {
	runs         command.Count
	cold, warm   bool
	threads      command.Numbers
	buffers      []int
	dirs, labels command.Commas
	showPaths    bool
	tools        command.Commas
	missing      []string // tools that are not installed, which was reported
	other        command.File
	hyperfine    bool
	index        indexBench
	hash         hashBench
	store        storeBench

	out, markdown, svg command.File
}

// A bench is a subcommand of ldx bench: what it runs in each place, and how that is shown.
type bench struct {
	use, short string
	addTo      func(*benchFlags, *command.Flags)
	cases      func(*benchFlags, measure.Tool, measure.Place) ([]*measure.Case, error)
	report     func([]*measure.Case) measure.Report
	caches     bool // it runs cold and warm by itself
	index      bool // it runs cold and warm unless one is asked for

	prepare func(*benchFlags) preparer // if set, called first
}

// A preparer makes what is measured, below the paths or without them. It returns the paths to
// measure. The caller must call done, whatever the error.
type preparer func(ctx context.Context, paths []string) (_ []string, done func(), err error)

func benches() []bench {
	return []bench{
		{
			use: "threads", short: "how many threads are fastest for each directory",
			addTo: addThreads, cases: casesOfThreads, report: measure.ThreadsReport,
		},
		{
			use: "buffers", short: "which buffer size is fastest",
			addTo: addBuffers, cases: casesOfBuffers, report: measure.BuffersReport,
		},
		{
			use: "cache", short: "how much slower a cold cache is",
			addTo: addThread, cases: casesOfThreads, report: measure.CacheReport, caches: true,
		},
		{
			use: "compare", short: "other programs that are installed, on the same directories",
			addTo: addCompare, cases: casesOfTools, report: measure.CompareReport,
		},
		{
			use: "index", short: "recording directories, and searching what is recorded",
			addTo: addIndex, cases: casesOfIndex, report: measure.IndexReport, index: true,
			prepare: func(f *benchFlags) preparer { return f.index.prepare },
		},
		{
			use: "hash", short: "hashing files the first time and again",
			addTo: addHash, cases: casesOfHash, report: measure.HashReport,
			prepare: func(f *benchFlags) preparer { return f.hash.prepare },
		},
		{
			use: "store", short: "how fast the catalogue of hashes is",
			addTo: addStore, cases: casesOfStore, report: measure.StoreReport,
			prepare: func(f *benchFlags) preparer { return f.store.prepare },
		},
	}
}

func benchCommand(status *int) *cobra.Command {
	cmd := command.New("bench", "ldx bench")
	setHelp(cmd, benchPage, benchFlagSets()...)
	cmd.SetHelpCommand(benchHelpCommand(cmd))
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return command.Usagef("ldx bench does not know %s; give one of %s; to search for bench: ldx -- bench ...",
				command.Quote(args[0]), benchNames())
		}
		return cmd.Help()
	}
	for _, b := range benches() {
		sub, _ := b.command(status)
		cmd.AddCommand(sub)
	}
	return cmd
}

func benchNames() string {
	var names []string
	for _, b := range benches() {
		names = append(names, b.use)
	}
	return strings.Join(names, ", ")
}

func (b bench) command(status *int) (*cobra.Command, *command.Flags) {
	var flags benchFlags
	cmd := command.New(b.use+" [flags] [path ...]", "")
	cmd.Short = b.short
	set := command.NewFlags(cmd.Flags())
	set.Section(sectionBenches)
	flags.runs.Min = 1
	set.Add(&flags.runs, "runs", "", "count `N` runs of each; default: 10 warm ones, 5 cold ones")
	if !b.caches {
		warm := "begin with a run that does not count: a warm cache (default); with --cold: both"
		if b.index {
			warm = "begin with a run that does not count: a warm cache; default: both, where the cache can be emptied"
		}
		set.Bool(&flags.cold, "cold", "", "empty the system's cache before each run: a cold cache; only on Linux and macOS, as root")
		set.Bool(&flags.warm, "warm", "", warm)
	}
	set.Add(&flags.dirs, "dirs", "", "directories `A,B`, besides those given as arguments")
	set.Add(&flags.labels, "label", "", "call the directories `NAME,NAME`; default: dir1, dir2")
	set.Bool(&flags.showPaths, "show-paths", "", "call the directories by their paths, in files too")
	set.Add(&flags.out, "out", "", "write a row for each run to `FILE`.csv")
	set.Add(&flags.markdown, "markdown", "", "write the tables to `FILE`.md")
	set.Add(&flags.svg, "svg", "", "write the charts to `FILE`.svg")
	help := false // cobra looks for the flag
	set.Bool(&help, "help", "h", "print this help")
	set.Section("ldx bench " + b.use)
	b.addTo(&flags, set)
	setHelp(cmd, b.page, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		*status, err = b.run(cmd.Context(), &flags, args)
		return err
	}
	return cmd, set
}

func addThreads(f *benchFlags, set *command.Flags) {
	set.Add(&f.threads, "threads", "", "measure with these numbers of threads, `1,2,4`; default: up to 16 or twice the processors")
}

func addThread(f *benchFlags, set *command.Flags) {
	f.threads = command.Numbers{search.Workers()}
	set.Add(&f.threads, "threads", "", "search with `N` threads; default: as many as a search without -j")
}

func addBuffers(f *benchFlags, set *command.Flags) {
	addThread(f, set)
	f.buffers = []int{4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20}
	set.Func("buffers", "", "measure with these buffers, `4ki,64ki,1mi`; default: eight of them", func(s string) error {
		f.buffers = nil
		for word := range strings.SplitSeq(s, ",") {
			n, err := parseBuffer(word)
			if err != nil {
				return err
			}
			f.buffers = append(f.buffers, n)
		}
		return nil
	}, nil)
}

func addCompare(f *benchFlags, set *command.Flags) {
	set.Add(&f.tools, "tools", "", "compare only with `A,B`; default: fd,fdf,bfs,find,du, those that are installed")
	set.Add(&f.other, "with", "", "compare with the ldx in `FILE` too")
	set.Bool(&f.hyperfine, "hyperfine", "", "print what hyperfine would print")
}

// roundly returns a duration as exactly as it can be estimated.
func roundly(d time.Duration) time.Duration {
	if d > 10*time.Second {
		return d.Round(5 * time.Second)
	}
	return d.Round(time.Second)
}

// run measures, shows the result and writes the files. After an interrupt it shows what has
// been measured so far.
func (b bench) run(ctx context.Context, f *benchFlags, paths []string) (status int, err error) {
	interruptible, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if b.prepare != nil {
		var done func()
		paths, done, err = b.prepare(f)(interruptible, slices.Concat(paths, f.dirs.Texts))
		defer done()
		switch {
		case interruptible.Err() != nil:
			return statusInterrupted, nil
		case err != nil:
			return statusError, err
		}
		f.dirs.Texts = nil // they are in paths
	}
	if b.index {
		f.bothCaches()
	}
	places, err := f.places(paths)
	if err != nil {
		return statusError, err
	}
	ldx, err := selfTool()
	if err != nil {
		return statusError, err
	}
	cases, err := b.allCases(f, ldx, places)
	if err != nil {
		return statusError, err
	}
	files, err := f.create(b.prepare == nil)
	if err != nil {
		return statusError, err
	}
	defer files.close()
	sweep := measure.Sweep{Cases: cases, Warm: 10, Cold: 5}
	if f.runs.Given {
		sweep.Warm, sweep.Cold = f.runs.N, f.runs.N
	}
	screen, reported := term.NewStatusArea(os.Stderr), false
	sweep.OnRun = func(c *measure.Case, p measure.Progress) error {
		if p.Counts && c.Runs[len(c.Runs)-1].Cache == measure.Unknown && !reported {
			reported = true
			screen.Clear()
			report(errors.New("the system's cache cannot be emptied here (perhaps it can as root): runs that should be cold are marked unknown"))
		}
		screen.Show(func(width int) string {
			screen := measure.Screen{Width: width, ASCII: !term.ShowsUTF8()}
			return b.report(cases).Text(screen) + fmt.Sprintf("\nrun %d of %d, %s left\n", p.Done, p.All, roundly(p.Left))
		})
		if p.Counts {
			return files.add(c)
		}
		return nil
	}
	err = sweep.Run(interruptible)
	screen.Clear()
	status = statusOK
	switch {
	case interruptible.Err() != nil:
		status, err = statusInterrupted, nil
	case err != nil:
		status = statusError
	}
	result := b.report(cases)
	_, width := term.Size(os.Stdout)
	shown := measure.Screen{Width: width, ASCII: !term.ShowsUTF8()}
	text := result.Text(shown)
	if f.hyperfine {
		text = measure.Hyperfine(cases, shown)
	}
	_, printErr := fmt.Print(text)
	return status, errors.Join(err, printErr, files.finish(result, cases))
}

// bothCaches makes it cold and warm runs, if neither is asked for and the cache can be emptied.
func (f *benchFlags) bothCaches() {
	if f.cold || f.warm {
		return
	}
	f.warm = true
	if f.cold = measure.DropCaches() == nil; !f.cold {
		report(errors.New("the system's cache cannot be emptied here (perhaps it can as root): all runs are warm"))
	}
}

// allCases returns what to run. The cases of a place with a cold or warm cache take turns.
func (b bench) allCases(f *benchFlags, ldx measure.Tool, places []measure.Place) (all []*measure.Case, err error) {
	caches := []bool{false}
	switch {
	case b.caches, f.cold && f.warm:
		caches = []bool{true, false}
	case f.cold:
		caches = []bool{true}
	}
	for _, place := range places {
		for _, cold := range caches {
			cases, err := b.cases(f, ldx, place)
			if err != nil {
				return nil, err
			}
			for _, c := range cases {
				c.Group, c.Scenario = fmt.Sprint(place.Label, cold, c.Group), cmp.Or(c.Scenario, b.use)
				c.Cold, c.Place = cold, place
				if c.Env == nil {
					c.Env = []string{"LDX_NO_INDEX=1"} // whatever the user has recorded of the place
				}
			}
			all = append(all, cases...)
		}
	}
	return all, nil
}
