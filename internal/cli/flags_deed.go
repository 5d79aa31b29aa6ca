package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/dupes"
	"ldx/internal/match"
	"ldx/internal/process"
	"ldx/internal/term"
	"ldx/internal/walk"
)

const sectionDeeds = "What is done with copies"

// deedFlags say what is done with copies.
type deedFlags struct {
	link                      command.OneOf[dupes.Deed]
	delete                    bool
	keep                      []dupes.Keep
	protect                   []*dupes.Glob
	ignoreMetadata, trustHash bool
	dryRun, yes               bool
	log, save, from           command.File
}

func (f *deedFlags) addTo(set *command.Flags) {
	set.Section(sectionDeeds)
	f.link.Words = []command.Word[dupes.Deed]{{Name: "hard", Value: dupes.HardLink}, {Name: "reflink", Value: dupes.Reflink}}
	set.Add(&f.link, "link", "", "replace copies by hard links to the one that is kept, or let them share its blocks; `HOW`: "+
		f.link.Names()+" (Linux: btrfs, xfs, ...)")
	set.Bool(&f.delete, "delete", "", "delete copies but for the one that is kept")
	set.Func("keep", "", "which copy of a group is kept; `WHICH`: "+strings.Join(dupes.KeepWords(), ", ")+
		", or a glob of paths; repeatable, the next one decides where the last did not", func(s string) error {
		k, err := dupes.ParseKeep(s)
		f.keep = append(f.keep, k)
		return globError(err)
	}, command.Words(dupes.KeepWords()...))
	set.Func("protect", "", "never change what `GLOB` matches, nor what is below it; repeatable", func(s string) error {
		g, err := dupes.ParseGlob(s)
		f.protect = append(f.protect, g)
		return globError(err)
	}, nil)
	set.Bool(&f.dryRun, "dry-run", "", "print what would be done, and do nothing")
	set.Bool(&f.yes, "yes", "", "do not ask before; needed where there is no terminal")
	set.Bool(&f.ignoreMetadata, "ignore-metadata", "", "link files whose mode, owner, time or attributes differ too")
	set.Bool(&f.trustHash, "trust-hash", "", "do not compare files byte by byte again before they are changed")
	set.Add(&f.save, "save", "", "write what would be done to `PLAN`, and do nothing; -: standard output")
	set.Add(&f.from, "from", "", "do what is in `PLAN`, of --save, if all files are still what they were")
	set.Add(&f.log, "log", "", "append each change to `FILE`, as a JSON object a line")
}

// globError returns the error of a glob as one line.
func globError(err error) error {
	if wrong, ok := errors.AsType[*match.Error](err); ok {
		return &patternError{wrong: wrong}
	}
	return err
}

func (*deedFlags) conflicts(*command.Flags) [][2]string {
	return slices.Concat(
		command.Pairs("link", "delete", "csv", "print0", "follow"),
		command.Pairs("delete", "csv", "print0", "follow", "ignore-metadata"),
		command.Pairs("unverified", "link", "delete"),
		command.Pairs("dry-run", "yes", "log", "save"),
		command.Pairs("save", "yes", "log", "json", "csv", "print0"),
	)
}

// deed returns what is to be done; 0: nothing.
func (f *deedFlags) deed() dupes.Deed {
	if f.delete {
		return dupes.Delete
	}
	return f.link.Value
}

// check returns an error if flags were given that need others.
func (f *deedFlags) check(set *command.Flags) error {
	if f.from != "" {
		return checkFrom(set)
	}
	if f.deed() == 0 {
		given := set.FirstGiven("keep", "protect", "dry-run", "yes", "ignore-metadata", "trust-hash", "log", "save")
		if given != "" {
			return command.Usagef("%s is for --link and --delete, which are not given", given)
		}
		return nil
	}
	does := "--delete"
	if f.link.Given {
		does = "--link"
	}
	switch {
	case len(f.keep) == 0:
		return command.Usagef("%s: say which copy is kept: --keep first, newest, oldest, shortest, or a glob such as --keep '/home/**'", does)
	case !dir.HasFolders, f.deed() == dupes.Reflink && !dupes.HasReflinks:
		return command.Usagef("%s: this system cannot do it safely", does)
	}
	return nil
}

// checkFrom returns an error if flags were given that are of no use with a plan.
func checkFrom(set *command.Flags) (err error) {
	useful := []string{"from", "protect", "ignore-metadata", "dry-run", "yes", "log", "json", "base-directory", "color", "progress"}
	set.Visit(func(flag *pflag.Flag) {
		if err == nil && !slices.Contains(useful, flag.Name) {
			err = command.Usagef("--from takes all from the plan; leave out --%s", flag.Name)
		}
	})
	return err
}

// roots returns the roots of a search, as they are before it begins.
func (f *deedFlags) roots(roots []walk.Root) (list []dupes.Root) {
	for _, root := range roots {
		r := dupes.Root{Path: root.Path}
		if info, err := dir.Stat(root.Path, dir.Identity|dir.Mode); err == nil && info.Mode.IsDir() {
			r.ID = info.ID
		}
		r.Link = isLink(root.Path)
		list = append(list, r)
	}
	return list
}

// isLink reports whether a path is that of a symbolic link, with a slash after it or not.
func isLink(path string) bool {
	path = strings.TrimRight(path, "/")
	if path == "" {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// writePlan writes the plan of --save.
func (f *deedFlags) writePlan(rules *dupes.Rules, roots []walk.Root, planned iter.Seq[dupes.Planned]) error {
	absolute := slices.Clone(rules.Roots)
	for i := range absolute {
		absolute[i].Path = roots[i].Absolute
	}
	if f.save == "-" {
		return dupes.WritePlan(os.Stdout, rules.Deed, absolute, planned)
	}
	file, err := os.OpenFile(string(f.save), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		err = dupes.WritePlan(file, rules.Deed, absolute, planned)
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}
	if err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	return nil
}

// runPlan does what is in the plan of --from, and returns the exit status.
func (f *deedFlags) runPlan(args []string, json bool) (int, error) {
	if len(args) > 0 {
		return statusUsage, command.Usagef("--from takes all from the plan, and %s is left over", command.Quote(args[0]))
	}
	data, err := readInput(string(f.from))
	if err != nil {
		return statusError, fmt.Errorf("--from: %w", err)
	}
	plan, err := dupes.ParsePlan(data)
	if err != nil {
		return statusError, fmt.Errorf("--from %s: %w", f.from, err)
	}
	for i := range plan.Roots {
		plan.Roots[i].Link = isLink(plan.Roots[i].Path)
	}
	errs := &reporter{show: true}
	rules := &dupes.Rules{Deed: plan.Deed, Protect: f.protect, Roots: plan.Roots}
	planned := onceReported(func(report func(error)) iter.Seq[dupes.Planned] { return plan.Planned(rules, report) }, errs.report)
	if err = f.do(planned, f.doer(rules, errs.report), json); err != nil || errs.n > 0 {
		return statusError, err
	}
	return statusOK, nil
}

// onceReported returns groups that may be asked for several times, with what is reported only the
// first time.
func onceReported(groups func(report func(error)) iter.Seq[dupes.Planned], report func(error)) iter.Seq[dupes.Planned] {
	return func(yield func(dupes.Planned) bool) {
		to := report
		report = func(error) {}
		groups(to)(yield)
	}
}

// doer returns what changes files.
func (f *deedFlags) doer(rules *dupes.Rules, report func(error)) *dupes.Doer {
	return &dupes.Doer{
		Deed: rules.Deed, Roots: rules.Roots, IgnoreMetadata: f.ignoreMetadata, TrustHash: f.trustHash, Report: report,
	}
}

// errNoQuestion means that there is no terminal to ask on.
var errNoQuestion = errors.New("there is no terminal to ask on; --yes changes files without a question, " +
	"--dry-run prints what would be done")

// errNothingDone means that the user said no.
var errNothingDone = errors.New("nothing was changed")

// do asks, and does what is planned. Errors and what is passed over go to report.
func (f *deedFlags) do(planned iter.Seq[dupes.Planned], doer *dupes.Doer, json bool) error {
	names, saved, groups := 0, int64(0), 0
	for p := range planned {
		for _, i := range p.Change {
			names += len(p.Copies[i].Names)
		}
		saved += p.Saved()
		groups++
	}
	if groups == 0 {
		return nil
	}
	out := &changes{Writer: bufio.NewWriterSize(os.Stdout, 32<<10), terminal: term.IsTerminal(os.Stdout), json: json, dry: f.dryRun}
	if f.dryRun {
		for p := range planned {
			if err := doer.Preview(&p, out.write); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	if !f.yes {
		if !isAskable() {
			return errNoQuestion
		}
		if !asks(os.Stdin, deedQuestion(doer.Deed, names, groups, saved)) {
			return errNothingDone
		}
	}
	if f.log != "" {
		log, err := os.OpenFile(string(f.log), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return fmt.Errorf("--log: %w", err)
		}
		defer func() { _ = log.Close() }()
		out.log = log
	}
	doer.Each = out.write
	defer process.BeforeSignals(func() func() {
		resume := doer.Pause()
		_ = out.Flush()
		return resume
	})()
	for p := range planned {
		if err := doer.Do(&p); err != nil {
			return err
		}
	}
	defer doer.Pause()() // a signal writes the rest too
	return out.Flush()
}

// deedQuestion says how much would be changed.
func deedQuestion(deed dupes.Deed, names, groups int, saved int64) string {
	files := counted(int64(names), "file", "files")
	switch deed {
	case dupes.Delete:
		files = "Delete " + files
	case dupes.HardLink:
		files = "Replace " + files + " by hard links"
	case dupes.Reflink:
		files = "Let " + files + " share the blocks of others"
	}
	return fmt.Sprintf("%s, in %s, to save %s?", files, counted(int64(groups), "group", "groups"), readableSize(saved))
}

// changes writes a line for each change, to the output and to the log.
type changes struct {
	*bufio.Writer
	log            io.Writer // nil: none
	terminal, json bool
	dry            bool
}

func (w *changes) write(c dupes.Change) error {
	if w.log != nil {
		if _, err := w.log.Write(c.AppendJSON(nil, time.Now())); err != nil {
			return fmt.Errorf("--log: %w", err)
		}
	}
	line := []byte(c.Text(w.dry) + "\n")
	if w.terminal {
		line = append(term.AppendEscaped(nil, line[:len(line)-1]), '\n')
	}
	if w.json {
		line = c.AppendJSON(nil, time.Time{})
	}
	_, err := w.Write(line)
	if err == nil && w.terminal {
		err = w.Flush()
	}
	return err
}
