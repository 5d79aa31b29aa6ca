package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/filter"
	"ldx/internal/format"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// duFlags is ldx du as it was typed.
type duFlags struct {
	find findFlags // what it shares with the search

	apparent, eachLink, followRoots bool
	countDirs                       word

	all, summarize, total, null bool
	depth, top, topFiles        count
	threshold                   threshold
	by, time, timeStyle         word

	unit unit

	tree, lines, json, csv bool
	svg                    string
}

// The groups of its own flags. Those that it shares are in the groups of the search.
const (
	groupCounts = "What counts"
	groupShown  = "What is shown"
	groupUnits  = "How sizes are shown"
	groupForm   = "In which form"
)

func duCommand(status *int) *cobra.Command {
	var flags duFlags
	cmd := newCommand("du [flags] [path ...]")
	cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "ldx du"}
	flags.addTo(cmd.Flags())
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, err := os.Stdout.Write(duPage().help(cmd.Flags()))
		*status = exitStatus(err)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		*status, err = flags.run(cmd.Context(), cmd.Flags(), args)
		return err
	}
	return cmd
}

func (f *duFlags) addTo(set *pflag.FlagSet) {
	set.SortFlags = false
	f.addCounts(set)
	f.addShown(set)
	choice(set, &f.unit.unit, format.Human, "human-readable", "h", "show sizes as 999, 1.1K, 12M, of 1024 (as on a terminal)")
	choice(set, &f.unit.unit, format.SI, "si", "", "show sizes as 999, 1.1k, 12M, of 1000")
	choice(set, &f.unit.unit, format.Blocks(1<<10), "kibibytes", "k", "show sizes in units of 1024 bytes (as in a pipe)")
	choice(set, &f.unit.unit, format.Blocks(1<<20), "mebibytes", "m", "show sizes in units of 1024 KiB")
	set.VarP(&f.unit, "block-size", "B", "show sizes in units of `SIZE`: 512, K, MB, human-readable, ...")
	group(set, groupUnits)
	f.addForm(set)
	set.Bool("help", false, "print this help")
	group(set, groupOther)
	f.addSearch(set)
}

func (f *duFlags) addCounts(set *pflag.FlagSet) {
	f.countDirs = word{value: "auto", of: []string{"auto", "always", "never"}}
	set.BoolVarP(&f.apparent, "apparent-size", "A", false, "count the bytes of the content, not what the disk keeps for them")
	set.VarPF(bytesOnly{f}, "bytes", "b", "the same, shown in bytes: -A -B 1").NoOptDefVal = "true"
	set.BoolVarP(&f.eachLink, "count-links", "l", false, "count a file as often as it has names; by default it counts once")
	set.Var(&f.countDirs, "count-dirs", "count what directories take themselves `WHEN`: auto (but for -A and -b, as du does since 9.2), always, never")
	set.BoolVarP(&f.followRoots, "dereference-args", "D", false, "follow links among the paths (also: -H)")
	group(set, groupCounts)
	alias(set, "dereference-args", "dereference-command-line", "H")
}

func (f *duFlags) addShown(set *pflag.FlagSet) {
	f.by = word{of: []string{"ext", "type", "user", "age"}}
	f.time = word{of: []string{"modified", "accessed", "status", "atime", "access", "use", "ctime"}}
	f.timeStyle = word{value: "long-iso", of: []string{"full-iso", "long-iso", "iso"}}
	f.top.least, f.topFiles.least = 1, 1
	set.BoolVarP(&f.all, "all", "a", false, "show all files too; on a terminal the biggest are shown anyway")
	set.VarP(&f.depth, "max-depth", "d", "show only what is at most `N` directories down; everything counts")
	set.BoolVarP(&f.summarize, "summarize", "s", false, "show the paths only: -d 0")
	set.BoolVarP(&f.total, "total", "c", false, "show at the end what all paths take together")
	set.VarP(&f.threshold, "threshold", "t", "show only what takes at least `SIZE`, or with a - before it at most that")
	set.Var(&f.top, "top", "show only the `N` biggest directories, the biggest first")
	set.Var(&f.topFiles, "top-files", "show only the `N` biggest files, the biggest first")
	set.Var(&f.by, "by", "show instead what takes how much by `WHAT`: ext, type, user, age")
	set.VarPF(&f.time, "time", "", "show when what is in a directory changed last, or =`WORD`: accessed (atime), status (ctime)").NoOptDefVal = "modified"
	set.Var(&f.timeStyle, "time-style", "show that time as `STYLE`: full-iso, long-iso (the default), iso")
	group(set, groupShown)
}

func (f *duFlags) addForm(set *pflag.FlagSet) {
	set.BoolVar(&f.tree, "tree", false, "show what is in a directory below it")
	set.BoolVar(&f.lines, "lines", false, "show sizes and paths, as du does, on a terminal too")
	set.BoolVarP(&f.null, "null", "0", false, "the same, with a NUL at the end of each line")
	set.BoolVar(&f.json, "json", false, "print an object a line: path, type, depth, size in bytes, entries")
	set.BoolVar(&f.csv, "csv", false, "print the same as CSV")
	set.StringVar(&f.svg, "svg", "", "draw a picture of it into `FILE`, a treemap for a browser")
	group(set, groupForm)
}

// addSearch adds the flags of the search that have a meaning here. A letter that both
// have is du's.
func (f *duFlags) addSearch(set *pflag.FlagSet) {
	search := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.find.addTo(search)
	f.find.hidden, f.find.noIgnore = true, true
	for name, usage := range map[string]string{
		"ignore":        "leave out what .gitignore, .ignore, .fdignore, .ldxignore and the user's own rules do",
		"no-hidden":     "leave out names that begin with a dot",
		"and":           "count only names that match `PATTERN`; repeatable, all must match",
		"not":           "count only names that do not match `PATTERN`; repeatable",
		"glob":          "the patterns of --and and --not are globs for the whole name: * ? [a-z] [!a-z] {a,b}, and with -p also **",
		"fixed-strings": "they are texts, found anywhere",
		"exact":         "they are whole names",
		"type-group":    "only names with an extension of that `KIND`: image, video, audio, ... (see ldx --type-list); repeatable",
		"extension":     "only names that end in .`EXT`, in any case unless --case-sensitive is given; repeatable",
		"threads":       "use at most `N` workers; default: the processors, at most 64, and on Linux up to 16 while these wait for a disk or a network",
	} {
		flag := search.Lookup(name)
		flag.Hidden, flag.Usage = false, usage
		if flag.Annotations[groupKey][0] == groupOther {
			flag.Annotations = map[string][]string{groupKey: {groupSearch}}
		}
	}
	search.Lookup("one-file-system").Shorthand = "x"
	search.Lookup("no-follow").Shorthand = "P" // as it is, unless -L is given
	share(set, search, "ignore", "no-hidden", "no-ignore-vcs", "no-require-git", "no-ignore-parent", "no-global-ignore-file",
		"ignore-file", "ignore-contain", "exclude", "follow", "no-follow", "one-file-system", "cloud", "base-directory", "threads", "buffer-size",
		"and", "not", "glob", "fixed-strings", "exact", "case-sensitive", "ignore-case", "full-path",
		"type", "extension", "type-group", "size", "changed-within", "changed-before", "accessed-within", "accessed-before",
		"status-changed-within", "status-changed-before", "created-within", "created-before", "newer-than",
		"owner", "perm", "links", "inode", "same-file", "color")
}

// share adds flags of another set, with their other names, but without letters that are
// taken.
func share(set, from *pflag.FlagSet, names ...string) {
	shared := make(map[pflag.Value]bool)
	add := func(f pflag.Flag) {
		if set.Lookup(f.Name) != nil {
			return
		}
		if f.Shorthand != "" && set.ShorthandLookup(f.Shorthand) != nil {
			f.Shorthand = ""
		}
		set.AddFlag(&f)
		shared[f.Value] = true
	}
	for _, name := range names {
		add(*from.Lookup(name))
	}
	from.VisitAll(func(f *pflag.Flag) {
		if f.Hidden && shared[f.Value] {
			add(*f)
		}
	})
}

// conflict returns an error if flags have been given that exclude each other.
func (f *duFlags) conflict(set *pflag.FlagSet) error {
	given := givenIn(set)
	for _, pair := range [][2]string{
		{"summarize", "all"},
		{"json", "csv"},
		{"json", "tree"},
		{"csv", "tree"},
		{"lines", "json"},
		{"lines", "csv"},
		{"lines", "tree"},
		{"null", "json"},
		{"null", "csv"},
		{"null", "tree"},
		{"by", "top"},
		{"by", "top-files"},
		{"by", "tree"},
		{"by", "time"},
		{"by", "all"},
		{"by", "max-depth"},
		{"by", "summarize"},
		{"top", "tree"},
		{"top-files", "tree"},
		{"top", "all"},
		{"svg", "top"},
		{"svg", "top-files"},
		{"svg", "by"},
	} {
		if given(pair[0]) && given(pair[1]) {
			return exclude(set, pair[0], pair[1])
		}
	}
	switch {
	case f.summarize && f.depth.given && f.depth.n > 0:
		return usagef("-s/--summarize is -d 0, and excludes -d %d; leave one out", f.depth.n)
	case given("time-style") && f.time.value == "":
		return usagef("--time-style is for --time, which is not given")
	case given("svg") && (f.svg == "" || f.svg == "-"):
		return usagef("--svg needs the name of a file")
	}
	return nil
}

func (f *duFlags) run(ctx context.Context, set *pflag.FlagSet, args []string) (int, error) {
	if err := f.conflict(set); err != nil {
		return statusUsage, err
	}
	s, err := f.newSearch(args)
	if err != nil {
		return statusError, err
	}
	if f.svg != "" { // said now, not when all has been counted
		if _, err := os.Stat(filepath.Dir(f.svg)); err != nil {
			return statusError, fmt.Errorf("--svg: %w", err)
		}
	}
	opt := f.options(s.Filter)
	result := s.count(ctx, opt)

	paths := f.find.style(term.IsTerminal(os.Stdout))
	style := f.style(paths, !s.Filter.All())
	err = f.print(os.Stdout, result, opt, style, paths.Palette != nil)
	if f.svg != "" && len(result.Roots) > 0 {
		paths.Palette, paths.Escape = nil, false
		err = errors.Join(err, f.draw(result, du.Style{Unit: format.Human, Matching: style.Matching, Path: paths.AppendPath}))
	}
	if err != nil || s.errors.n > 0 {
		return statusError, err
	}
	return statusOK, nil
}

// count counts, and shows how far it has come.
func (f *find) count(ctx context.Context, opt du.Options) *du.Result {
	var done du.Progress
	var waiting atomic.Value // what is waited for, a string
	waiting.Store("")
	status := term.NewStatusArea(os.Stderr)
	opt.Progress = &done
	f.Walk.Report = func(err error) { status.Do(func() { f.errors.report(err) }) }
	f.Walk.Waiting = func(path []byte, since time.Duration) {
		text := ""
		if path != nil {
			text = ", " + waitingText(path, since)
		}
		waiting.Store(text)
	}
	defer status.Refresh(func(int) string {
		return fmt.Sprintf("%s entries, %s%s", grouped(int64(done.Entries.Load())), format.Human.Append(nil, done.Bytes.Load()), waiting.Load())
	}, func(s os.Signal) { process.EndBy(s, statusInterrupted) })()
	return du.Count(ctx, f.Roots, f.Walk, opt)
}

// draw writes the picture.
func (f *duFlags) draw(r *du.Result, style du.Style) error {
	m := du.Treemap{Style: style, Width: 1200, Height: 800}
	var b bytes.Buffer
	err := m.Write(&b, r)
	if err == nil {
		err = os.WriteFile(f.svg, b.Bytes(), 0o666)
	}
	if err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	return nil
}

// newSearch returns what is to be walked, and what of it counts.
func (f *duFlags) newSearch(paths []string) (*find, error) {
	s := &find{errors: &reporter{show: true}}
	if err := f.find.changeDirectory(); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := checkPaths(paths); err != nil {
		return nil, err
	}
	for _, path := range paths {
		label := filepath.ToSlash(path)
		for len(label) > 1 && strings.HasSuffix(label, "//") { // as du does
			label = label[:len(label)-1]
		}
		s.Roots = append(s.Roots, walk.Root{Path: path, Label: label})
	}
	patterns, _, err := f.find.readPatterns(nil)
	if err != nil {
		return nil, err
	}
	if s.Filter, err = newFilter(&f.find, patterns, paths); err != nil {
		return nil, err
	}
	if s.Walk, err = f.find.walkOptions(paths, s.errors.report); err != nil {
		return nil, err
	}
	s.Walk.Want = s.Filter.Needs()
	if s.Walk.Ignore.Empty() {
		s.Walk.Ignore = nil
	}
	return s, nil
}

// The most files that a view or a picture may want to show.
const mostFiles = 2000

// options says what is to be counted.
func (f *duFlags) options(matching *filter.Filter) du.Options {
	opt := du.Options{
		Apparent:    f.apparent,
		CountDirs:   f.countDirs.value == "always" || f.countDirs.value == "auto" && !f.apparent,
		EachLink:    f.eachLink,
		FollowRoots: f.followRoots,
		Depth:       walk.Unlimited,
		Files:       f.all,
		Top:         f.topFiles.n,
	}
	switch {
	case f.depth.given:
		opt.Depth = f.depth.n
	case f.summarize:
		opt.Depth = 0
	}
	switch f.time.value {
	case "":
	case "accessed", "atime", "access", "use":
		opt.Time = dir.AccessTime
	case "status", "ctime":
		opt.Time = dir.ChangeTime
	default:
		opt.Time = dir.ModTime
	}
	switch f.by.value {
	case "":
		looked := f.inView() && term.IsTerminal(os.Stdout) && !f.summarize && !f.depth.given && !f.top.given && !f.topFiles.given
		if f.svg != "" || looked {
			opt.Top = mostFiles
		}
	case "ext":
		opt.Group = du.ByExtension()
	case "type":
		opt.Group = du.ByType()
	case "user":
		opt.Group = du.ByUser()
	case "age":
		opt.Group = du.ByAge(time.Now())
	}
	if !matching.All() {
		opt.MatchFields = matching.Needs()
		matching.Along(opt.Fields())
		opt.Match = func() func(*dir.Entry) (bool, error) { return matching.Clone().Match }
	}
	return opt
}

// inView reports whether the result is shown to people, not as du shows it.
func (f *duFlags) inView() bool {
	return f.tree || term.IsTerminal(os.Stdout) && !f.lines && !f.null && !f.json && !f.csv
}

// style says how sizes and paths are shown; of a search that has filters, only what
// matches.
func (f *duFlags) style(paths printer.Style, matching bool) du.Style {
	unit := f.unit.unit
	if unit == (format.Unit{}) {
		unit = usualUnit(f.inView())
	}
	style := du.Style{
		Unit:     unit,
		Least:    f.threshold.least,
		Most:     f.threshold.most,
		Matching: matching,
		Total:    f.total,
		Path:     paths.AppendPath,
	}
	if f.inView() { // the output of du keeps its ./
		style.Path = func(b, path []byte, kind fs.FileMode) []byte {
			if short := bytes.TrimPrefix(path, []byte("./")); len(short) > 0 {
				path = short
			}
			return paths.AppendPath(b, path, kind)
		}
	}
	if f.time.value != "" {
		style.Time = map[string]string{"full-iso": "2006-01-02 15:04:05.000000000 -0700", "long-iso": "2006-01-02 15:04", "iso": "2006-01-02"}[f.timeStyle.value]
	}
	return style
}

// usualUnit heeds what du heeds in a pipe (coreutils manual, "Block size").
func usualUnit(inView bool) format.Unit {
	if inView {
		return format.Human
	}
	for _, name := range []string{"DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"} {
		if value, ok := os.LookupEnv(name); ok {
			if unit, err := format.ParseUnit(value); err == nil {
				return unit
			}
			break
		}
	}
	if _, ok := os.LookupEnv("POSIXLY_CORRECT"); ok {
		return format.Blocks(512)
	}
	return format.Blocks(1024)
}

// print writes the result in the form that was asked for.
func (f *duFlags) print(to *os.File, r *du.Result, opt du.Options, style du.Style, colours bool) error {
	terminal := term.IsTerminal(to)
	timeName := map[dir.Fields]string{dir.AccessTime: "atime", dir.ChangeTime: "ctime"}[opt.Time]
	if f.top.given {
		style.Only = style.Biggest(r, f.top.n)
	}
	if f.topFiles.given {
		style.Only = append(style.Only, r.Files...)
	}
	switch {
	case f.json && opt.Group != nil:
		return du.WriteGroupsJSON(to, r, opt.Group)
	case f.csv && opt.Group != nil:
		return du.WriteGroupsCSV(to, r, opt.Group, terminal)
	case f.json:
		return (&du.Records{Style: style, TimeName: timeName}).WriteJSON(to, r)
	case f.csv:
		return (&du.Records{Style: style, TimeName: timeName, Escape: terminal}).WriteCSV(to, r)
	case f.inView():
		height, width := term.Size(to)
		view := du.View{
			Style:   style,
			Tree:    f.tree,
			Width:   width,
			Deep:    f.depth.given || f.summarize || f.all || f.threshold != (threshold{}) || !terminal,
			Colours: colours,
			ASCII:   !term.ShowsUTF8(),
		}
		if terminal {
			const prompts = 3 // the command and what comes after it
			view.Lines = max(1, height-prompts)
		}
		if opt.Group != nil {
			return view.WriteGroups(to, r, opt.Group)
		}
		return view.Write(to, r)
	}
	lines := du.Lines{Style: style, Null: f.null}
	if opt.Group != nil {
		return lines.WriteGroups(to, r, opt.Group)
	}
	return lines.Write(to, r)
}

// A unit is the value of --block-size.
type unit struct{ unit format.Unit }

func (u *unit) Set(s string) (err error) {
	u.unit, err = format.ParseUnit(s)
	return err
}

func (*unit) String() string { return "" }
func (*unit) Type() string   { return "SIZE" }

// A threshold is the value of --threshold.
type threshold struct{ least, most uint64 }

func (t *threshold) Set(s string) (err error) {
	digits, atMost := strings.CutPrefix(s, "-")
	n, err := format.ParseBytes(digits)
	if err == nil && atMost && n == 0 {
		err = errors.New("nothing takes less than 0")
	}
	*t = threshold{least: n}
	if atMost {
		*t = threshold{most: n}
	}
	return err
}

func (*threshold) String() string { return "" }
func (*threshold) Type() string   { return "SIZE" }

// bytesOnly is --bytes.
type bytesOnly struct{ of *duFlags }

func (b bytesOnly) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if v {
		b.of.apparent, b.of.unit.unit = true, format.Blocks(1)
	}
	return err
}

func (bytesOnly) String() string { return "" }
func (bytesOnly) Type() string   { return "bool" }
