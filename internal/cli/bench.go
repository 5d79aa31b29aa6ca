package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/measure"
	"ldx/internal/process"
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

	out, markdown, svg command.File
}

// A bench is a subcommand of ldx bench: what it runs in each place, and what that shows.
type bench struct {
	use, short string
	addTo      func(*benchFlags, *command.Flags)
	cases      func(*benchFlags, measure.Tool, measure.Place) ([]*measure.Case, error)
	report     func([]*measure.Case) measure.Report
	caches     bool // it runs cold and warm by itself
}

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
	}
}

func benchCommand(status *int) *cobra.Command {
	cmd := command.New("bench", "ldx bench")
	cmd.SetHelpCommand(&cobra.Command{Use: "no help", Hidden: true}) // --help is enough
	cmd.Long = `Measure how fast ldx lists directories on this machine, hidden and ignored files
included. Each run is a process of its own, timed as a whole, that writes to a pipe.
Runs of different settings take turns.

The numbers do not identify you: directories are called dir1, dir2 (or by --label),
and nothing names the machine.

To search for something called bench: ldx -- bench
`
	cmd.Example = `  ldx bench threads                       the working directory, with 1, 2, 4, ... threads
  ldx bench threads --cold --warm /usr ~  both caches, two directories
  ldx bench threads --out usr.csv /usr    a row for each run, and usr.summary.csv
  ldx bench compare --svg usr.svg /usr    against fd, fdf, bfs, find, du`
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return command.Usagef("ldx bench does not know %s; give one of %s; to search for bench: ldx -- bench ...", command.Quote(args[0]), benchNames())
		}
		return cmd.Help()
	}
	for _, b := range benches() {
		cmd.AddCommand(b.command(status))
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

func (b bench) command(status *int) *cobra.Command {
	var flags benchFlags
	cmd := command.New(b.use+" [flags] [path ...]", "")
	cmd.Short = b.short
	set := command.NewFlags(cmd.Flags())
	set.Section(sectionOther)
	flags.runs.Min = 1
	set.Add(&flags.runs, "runs", "", "count `N` runs of each; default: 10 warm ones, 5 cold ones")
	if !b.caches {
		set.Bool(&flags.cold, "cold", "", "measure with a cold cache: empty the system's cache before each run; takes root on Linux and macOS, not possible elsewhere")
		set.Bool(&flags.warm, "warm", "", "measure with a warm cache, after a run that does not count (default); with --cold: both")
	}
	b.addTo(&flags, set)
	set.Add(&flags.dirs, "dirs", "", "directories `A,B`, besides those given as arguments")
	set.Add(&flags.labels, "label", "", "call the directories `NAME,NAME`; default: dir1, dir2")
	set.Bool(&flags.showPaths, "show-paths", "", "call the directories by their paths, in files too")
	set.Add(&flags.out, "out", "", "write a row for each run to `FILE`.csv")
	set.Add(&flags.markdown, "markdown", "", "write the tables to `FILE`.md")
	set.Add(&flags.svg, "svg", "", "write the charts to `FILE`.svg")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		*status, err = b.run(cmd.Context(), &flags, args)
		return err
	}
	return cmd
}

func addThreads(f *benchFlags, set *command.Flags) {
	set.Add(&f.threads, "threads", "", "measure with these numbers of threads, `1,2,4`; default: up to 16 or twice the processors; ldx starts more than processors only where it waits for directories")
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

// run measures, shows and writes what was asked for. An interrupt ends the measuring,
// and what was measured by then is shown.
func (b bench) run(ctx context.Context, f *benchFlags, paths []string) (status int, err error) {
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
	files, err := f.create()
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
			report(errors.New("the system cannot be told to forget the disk here (as root it may be): runs that should be cold are marked unknown"))
		}
		screen.Show(func(width int) string {
			return b.report(cases).Text(width) + fmt.Sprintf("\nrun %d of %d, %s left\n", p.Done, p.All, roundly(p.Left))
		})
		if p.Counts {
			return files.add(c)
		}
		return nil
	}
	interruptible, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
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
	text := result.Text(width)
	if f.hyperfine {
		text = measure.Hyperfine(cases)
	}
	_, printErr := fmt.Print(text)
	return status, errors.Join(err, printErr, files.finish(result, cases))
}

// allCases returns what to run. Each place and cache is a group, whose cases take turns.
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
				c.Group, c.Scenario, c.Cold, c.Place = fmt.Sprint(place.Label, cold), b.use, cold, place
			}
			all = append(all, cases...)
		}
	}
	return all, nil
}

func casesOfThreads(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	threads := f.threads
	if threads == nil {
		n := process.Processors()
		for t := 1; t <= max(16, 2*n); t *= 2 {
			threads = append(threads, t)
		}
		threads = append(threads, n, 2*n)
	}
	slices.Sort(threads)
	for _, n := range slices.Compact(threads) {
		cases = append(cases, &measure.Case{Tool: ldx, Threads: n, Args: countArgs(place, n)})
	}
	return cases, nil
}

func casesOfBuffers(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	if len(f.threads) != 1 {
		return nil, command.Usagef("--threads: give one number; for several: ldx bench threads")
	}
	for _, size := range f.buffers {
		args := append([]string{"--buffer-size", fmt.Sprint(size, "b")}, countArgs(place, f.threads[0])...)
		cases = append(cases, &measure.Case{Tool: ldx, Threads: f.threads[0], Buffer: size, Args: args})
	}
	return cases, nil
}

func countArgs(place measure.Place, threads int) []string {
	return []string{"-u", "--count", "--stats", "--threads", strconv.Itoa(threads), ".", place.Path}
}

// casesOfTools has ldx first.
func casesOfTools(f *benchFlags, ldx measure.Tool, place measure.Place) ([]*measure.Case, error) {
	cases := []*measure.Case{{Tool: ldx, Args: []string{"-u", ".", place.Path}}}
	if f.other != "" {
		other, err := measure.FindTool(string(f.other))
		if err != nil {
			return nil, fmt.Errorf("--with: %w", err)
		}
		other.Name = "the other ldx"
		cases = append(cases, &measure.Case{Tool: other, Args: cases[0].Args})
	}
	wanted := f.tools.Texts
	for _, peer := range []struct {
		name, other string
		args        []string
		quiet       bool
	}{
		{name: "fd", other: "fdfind", args: []string{"-uu", ".", place.Path}},
		{name: "fdf", args: []string{".", place.Path, "-HI"}},
		{name: "bfs", args: []string{place.Path, "-mindepth", "1"}},
		{name: "find", args: []string{place.Path, "-mindepth", "1"}},
		{name: "du", args: []string{"-s", place.Path}, quiet: true},
	} {
		if f.tools.Texts != nil && !slices.Contains(f.tools.Texts, peer.name) {
			continue
		}
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return name == peer.name })
		tool, err := measure.FindTool(peer.name, peer.other)
		if err != nil || os.PathSeparator == '\\' && peer.name == "find" { // which has that name for a search in texts
			if !slices.Contains(f.missing, peer.name) { // of another directory
				f.missing = append(f.missing, peer.name)
				report(fmt.Errorf("%s is not installed, and left out", peer.name))
			}
			continue
		}
		cases = append(cases, &measure.Case{Tool: tool, Args: peer.args, Quiet: peer.quiet})
	}
	if len(wanted) > 0 {
		return nil, command.Usagef("--tools: ldx does not know how to run %s; give some of fd, fdf, bfs, find, du", command.Quote(wanted[0]))
	}
	return cases, nil
}

// places returns the directories, by labels that tell nothing unless the user says so.
func (f *benchFlags) places(paths []string) (places []measure.Place, err error) {
	paths = append(paths, f.dirs.Texts...)
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if f.showPaths && len(f.labels.Texts) > 0 {
		return nil, command.Usagef("--show-paths and --label exclude each other; leave one out")
	}
	if len(f.labels.Texts) > len(paths) {
		return nil, command.Usagef("--label: there are more labels than directories")
	}
	for i, path := range paths {
		label := fmt.Sprint("dir", i+1)
		if i < len(f.labels.Texts) {
			label = f.labels.Texts[i]
		}
		if path == "" {
			return nil, command.Usagef("a directory has no name; leave it out, or give . for the working directory")
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if f.showPaths {
			label = term.Escape(absolute)
		} else if term.Escape(label) != label {
			return nil, command.Usagef("--label: %s has what is no text", command.Quote(label))
		}
		place, err := measure.NewPlace(absolute, label)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(places, func(p measure.Place) bool { return p.Label == label }) {
			return nil, command.Usagef("two directories are called %s; give each a --label of its own", command.Quote(label))
		}
		places = append(places, place)
		if !f.showPaths {
			fmt.Fprintf(os.Stderr, "%s is %s\n", label, term.Escape(absolute))
		}
	}
	return places, nil
}

// selfTool returns the program that runs, with what it was built from.
func selfTool() (measure.Tool, error) {
	path, err := os.Executable()
	tool := measure.Tool{Name: "ldx", Path: path, Version: version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				tool.Commit = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return tool, err
}

// benchFiles is what ldx bench writes besides its output. What is not asked for is nil.
type benchFiles struct {
	out, summary, markdown, svg *os.File
	rows                        *measure.Rows
}

// create opens all of them before anything is measured.
func (f *benchFlags) create() (files *benchFiles, err error) {
	files = &benchFiles{}
	open := func(to **os.File, file command.File, ending string) {
		name := string(file)
		if name == "" || err != nil {
			return
		}
		if os.IsPathSeparator(name[len(name)-1]) {
			err = command.Usagef("%s is not the name of a file", command.Quote(name))
			return
		}
		*to, err = os.Create(strings.TrimSuffix(name, ending) + ending)
	}
	open(&files.out, f.out, ".csv")
	if f.out != "" {
		open(&files.summary, command.File(strings.TrimSuffix(string(f.out), ".csv")), ".summary.csv")
	}
	open(&files.markdown, f.markdown, ".md")
	open(&files.svg, f.svg, ".svg")
	if err == nil && files.out != nil {
		files.rows, err = measure.NewRows(files.out, measure.ThisHost())
	}
	if err != nil {
		files.close()
	}
	return files, err
}

func (f *benchFiles) all() []*os.File { return []*os.File{f.out, f.summary, f.markdown, f.svg} }

func (f *benchFiles) close() {
	for _, file := range f.all() {
		if file != nil {
			_ = file.Close()
		}
	}
}

func (f *benchFiles) add(c *measure.Case) error {
	if f.rows == nil {
		return nil
	}
	return f.rows.Add(c)
}

// finish writes what needs all runs, and says what is where.
func (f *benchFiles) finish(result measure.Report, cases []*measure.Case) error {
	var errs []error
	if f.summary != nil {
		errs = append(errs, measure.WriteSummary(f.summary, cases))
	}
	if f.markdown != nil {
		_, err := fmt.Fprintf(f.markdown, "# ldx bench\n\n%s\n\n%s", measure.ThisHost(), result.Markdown())
		errs = append(errs, err)
	}
	if f.svg != nil {
		_, err := f.svg.WriteString(result.SVG())
		errs = append(errs, err)
	}
	for _, file := range f.all() {
		if file != nil {
			report(fmt.Errorf("%s is written", file.Name()))
		}
	}
	return errors.Join(errs...)
}
