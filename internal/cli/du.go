package cli

import (
	"context"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/format"
	"ldx/internal/walk"
)

// duFlags is ldx du as it was typed.
type duFlags struct {
	find findFlags // what it has in common with the search

	apparent, eachLink bool
	countDirs          word
	followRoots        bool
	all, summarize     bool
	total, null        bool
	depth              count
	threshold          threshold
	unit               unit
	time               word
	timeStyle          word
}

// The groups of its flags; what it shares with the search comes after them.
const (
	groupCounts = "What counts"
	groupShown  = "What is shown"
	groupUnits  = "How sizes are shown"
)

func (f *duFlags) addTo(set *pflag.FlagSet) {
	set.SortFlags = false
	f.countDirs = word{value: "auto", of: []string{"auto", "always", "never"}}
	f.time = word{of: []string{"modified", "accessed", "status", "mtime", "atime", "access", "use", "ctime"}}
	f.timeStyle = word{value: "long-iso", of: []string{"full-iso", "long-iso", "iso"}}
	set.BoolVarP(&f.apparent, "apparent-size", "A", false, "count the bytes of the content, not what the disk keeps for them")
	set.VarPF(bytesOnly{f}, "bytes", "b", "the same, shown in bytes").NoOptDefVal = "true"
	set.BoolVarP(&f.eachLink, "count-links", "l", false, "count a file as often as it has names; by default it counts once")
	set.Var(&f.countDirs, "count-dirs", "count directories themselves `WHEN`: auto (but with -A and -b, as du does since 9.2), always, never")
	set.BoolVarP(&f.followRoots, "dereference-args", "D", false, "follow links among the paths (also: -H)")
	group(set, groupCounts)
	set.BoolVarP(&f.all, "all", "a", false, "show files too")
	set.VarP(&f.depth, "max-depth", "d", "show only what is at most `N` directories down; all counts")
	set.BoolVarP(&f.summarize, "summarize", "s", false, "show the paths only: -d 0")
	set.BoolVarP(&f.total, "total", "c", false, "show at the end what all paths take")
	set.VarP(&f.threshold, "threshold", "t", "show only what takes at least `SIZE`, or with a - before it at most that")
	set.VarPF(&f.time, "time", "", "show when what is in a directory changed last, or =`WORD`: accessed, status").NoOptDefVal = "modified"
	set.Var(&f.timeStyle, "time-style", "show such times as `STYLE`: full-iso, long-iso, iso")
	set.BoolVarP(&f.null, "null", "0", false, "end each line with a NUL")
	group(set, groupShown)
	choice(set, &f.unit.unit, format.Human, "human-readable", "h", "show sizes as 999, 1.1K, 12M, of 1024")
	choice(set, &f.unit.unit, format.SI, "si", "", "show sizes so, but of 1000")
	choice(set, &f.unit.unit, format.Blocks(1<<10), "kibibytes", "k", "show sizes in KiB")
	choice(set, &f.unit.unit, format.Blocks(1<<20), "mebibytes", "m", "show sizes in MiB")
	set.VarP(&f.unit, "block-size", "B", "show sizes in units of `SIZE`: 512, K, MB, human-readable, ...")
	group(set, groupUnits)
	set.Bool("help", false, "print this help")
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

func (t *threshold) Set(s string) (err error) { return nil }

func (*threshold) String() string { return "" }
func (*threshold) Type() string   { return "SIZE" }

// bytesOnly is --bytes.
type bytesOnly struct{ of *duFlags }

func (b bytesOnly) Set(string) error {
	b.of.apparent, b.of.unit.unit = true, format.Blocks(1)
	return nil
}

func (bytesOnly) String() string { return "" }
func (bytesOnly) Type() string   { return "bool" }

func duCommand(status *int) *cobra.Command {
	var flags duFlags
	cmd := newCommand("du [flags] [path ...]")
	flags.addTo(cmd.Flags())
	cmd.Flags().BoolVarP(&flags.find.follow, "follow", "L", false, "")
	cmd.Flags().BoolVarP(&flags.find.oneFileSystem, "one-file-system", "x", false, "")
	cmd.Flags().VarP(&flags.find.threads, "threads", "j", "")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		*status, err = flags.run(cmd.Context(), args)
		return err
	}
	return cmd
}

func (f *duFlags) run(ctx context.Context, paths []string) (int, error) {
	s := &search{flags: f.find}
	s.flags.hidden, s.flags.noIgnore = true, true
	s.errors.show = true
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var err error
	if s.filter, err = newFilter(&s.flags, patterns{flags: &s.flags}, paths); err != nil {
		return statusError, err
	}
	if err = s.setWalk(paths); err != nil {
		return statusError, err
	}
	var roots []walk.Root
	for _, p := range paths {
		roots = append(roots, walk.Root{Path: p, Label: p})
	}
	opt := du.Options{
		Apparent: f.apparent, CountDirs: f.countDirs.value == "always" || f.countDirs.value == "auto" && !f.apparent,
		EachLink: f.eachLink, FollowRoots: f.followRoots, Depth: walk.Unlimited, Files: f.all,
	}
	if f.depth.given {
		opt.Depth = f.depth.n
	}
	if f.summarize {
		opt.Depth = 0
	}
	if f.time.value != "" {
		opt.Time = dir.ModTime
	}
	r := du.Count(ctx, roots, s.walk, opt)
	u := f.unit.unit
	if u == (format.Unit{}) {
		u = format.Blocks(1024)
	}
	l := du.Lines{Style: du.Style{Unit: u, Total: f.total, Path: func(b, p []byte, _ fs.FileMode) []byte { return append(b, p...) }}, Null: f.null}
	if f.time.value != "" {
		l.Time = "2006-01-02 15:04"
	}
	err = l.Write(os.Stdout, r)
	if s.errors.n > 0 {
		return statusError, err
	}
	return statusOK, err
}
