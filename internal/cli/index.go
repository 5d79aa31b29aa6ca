package cli

import (
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

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/index"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/term"
	"ldx/internal/walk"
)

const (
	sectionRecorded = "What is recorded"

	indexAbout = `Record the names in every directory below the paths, or bring up to date what
was recorded. A search of a recorded directory takes its names from there, and
asks the system only whether it has changed: so it finds the very same, in less
time. What has changed is read, and recorded by the search itself: there is no
need to run this command again.

Without a path, all that is recorded is brought up to date; if there is nothing,
the current directory is recorded.

Recordings are in ~/.local/state/ldx ($XDG_STATE_HOME/ldx), for this user alone.
They have names and types, and the times of directories, nothing else. On file
systems that others may change (networks, FUSE, overlay), and on Windows,
directories are always read; --unverified uses their recordings too.

  list           what is recorded
  check          read all directories, and compare
  drop           remove what is recorded of the paths, or all with --all

To search for something called index: ldx -- index
`
	indexExamples = `  ldx index ~                       record the home directory
  ldx index                         bring up to date all that is recorded
  ldx index list                    what is recorded, and how large it is
  ldx index check ~                 compare with what is there
  ldx index drop ~                  remove the recording
`
	indexStatus = `0 success; 1 an error, or check has found a difference; 2 a wrong flag.
`
)

func indexPage() command.Page {
	return command.Page{
		Name: "ldx index", Title: "record directories, for faster searches",
		Usage: []string{"[flags] [path ...]", "list [--json]", "check [path ...]", "drop path ... | --all"},
		About: indexAbout, Examples: indexExamples, Status: indexStatus,
		Sections: indexSections, SeeAlso: []string{"ldx(1)", "ldx-du(1)", "locate(1)"},
	}
}

// indexCommandFlags are the flags of ldx index.
type indexCommandFlags struct {
	walk      walkFlags
	ignore    ignoreFlags
	trusts    command.Texts
	json, all bool
}

func indexCommand(status *int) (*cobra.Command, *command.Flags) {
	f := &indexCommandFlags{walk: walkFlags{threadsLetter: "t"}, ignore: ignoreFlags{hidden: true, noIgnore: true}}
	cmd := command.New("index [flags] [path ...]", "ldx index")
	command.SuggestFirst(cmd, []string{"list\twhat is recorded", "check\tread all, and compare", "drop\tremove what is recorded"}, true)
	set := command.NewFlags(cmd.Flags())
	set.Section(sectionRecorded)
	f.walk.addOneFileSystem(set, "x")
	f.ignore.addExclude(set)
	f.walk.addThreads(set)
	set.Add(&f.trusts, "trust-fs", "", "trust the times of directories on file systems of `TYPE` too, such as overlay; repeatable")
	set.Bool(&f.json, "json", "", "list: print JSON Lines")
	set.Bool(&f.all, "all", "", "drop: remove all recordings")
	set.Section(sectionOther)
	help := false // cobra looks for the flag
	set.Bool(&help, "help", "h", "print this help")
	setHelp(cmd, indexPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		*status, err = f.run(cmd.Context(), set, args)
		return err
	}
	return cmd, set
}

// run does what the arguments ask for, and returns the exit status.
func (f *indexCommandFlags) run(ctx context.Context, set *command.Flags, args []string) (int, error) {
	verb := ""
	if len(args) > 0 {
		switch args[0] {
		case "list", "check", "drop":
			verb, args = args[0], args[1:]
		}
	}
	for name, of := range map[string]string{"json": "list", "all": "drop"} {
		if set.Given(name) && verb != of {
			return statusUsage, command.Usagef("--%s is for ldx index %s", name, of)
		}
	}
	for _, name := range f.trusts {
		if name == "" || strings.Contains(name, ",") {
			return statusUsage, command.Usagef("--trust-fs takes one file system, such as overlay, and not %s", command.Quote(name))
		}
	}
	store, err := index.DefaultStore()
	if err != nil {
		return statusError, err
	}
	switch verb {
	case "list":
		if len(args) > 0 {
			return statusUsage, command.Usagef("ldx index list takes no path")
		}
		return f.list(store)
	case "drop":
		return f.drop(store, args)
	}
	roots, err := f.roots(store, args, verb == "")
	if err != nil {
		return statusError, err
	}
	status := statusOK
	for _, root := range roots {
		task := f.record
		if verb == "check" {
			task = f.check
		}
		done, err := task(ctx, store, root)
		if err != nil {
			report(err)
			done = statusError
		}
		status = max(status, done)
	}
	return status, nil
}

// roots returns the absolute paths to work on: those given, else what is recorded, else the
// current directory.
func (f *indexCommandFlags) roots(store index.Store, paths []string, orCurrent bool) ([]string, error) {
	if len(paths) == 0 {
		recorded, errs := store.Roots()
		reportUnusable(errs)
		switch {
		case len(recorded) > 0:
			return recorded, nil
		case !orCurrent:
			return nil, errors.New("nothing is recorded; run: ldx index PATH")
		}
		paths = []string{"."}
	}
	if err := checkPaths(paths); err != nil {
		return nil, err
	}
	list := make([]walk.Root, len(paths))
	for i, path := range paths {
		list[i].Path = path
	}
	if err := search.MakeAbsolute(list); err != nil {
		return nil, err
	}
	roots := make([]string, len(paths))
	for i := range list {
		root, err := index.RealPath(list[i].Absolute)
		if err != nil { // what is gone may be dropped
			root = filepath.Clean(filepath.FromSlash(list[i].Absolute))
		}
		roots[i] = root
	}
	return roots, nil
}

// options returns how to walk a root, with errors to errs.
func (f *indexCommandFlags) options(root string, report func(error)) (roots []walk.Root, w walk.Options, err error) {
	roots = []walk.Root{{Path: root, Label: filepath.ToSlash(root), Absolute: filepath.ToSlash(root)}}
	if w, err = f.walk.options(roots, report); err == nil {
		err = f.ignore.apply(&w)
	}
	return roots, w, err
}

// record records a root, or brings up to date what is recorded of it, and says what it did.
func (f *indexCommandFlags) record(ctx context.Context, store index.Store, root string) (status int, err error) {
	started := time.Now()
	errs := &reporter{show: true}
	shown := term.NewStatusArea(os.Stderr)
	roots, w, err := f.options(root, func(err error) { shown.Do(func() { errs.report(err) }) })
	if err != nil {
		return statusError, err
	}
	update, err := store.Update(root, f.trusts)
	if err != nil {
		return statusError, err
	}
	defer update.Close()
	update.Set(&roots[0])
	w.Recorder = update.Recorder
	stats := walkAll(ctx, shown, roots, w)
	if stats.Dirs == 0 {
		if errs.n == 0 {
			err = fmt.Errorf("%s is not a directory", command.Quote(root))
		}
		return statusError, err
	}
	info, err := update.Write(errs.serious == 0)
	if err != nil {
		return statusError, err
	}
	fmt.Printf("%s: %s in %s, %s read, %.2f s, %s\n", term.Escape(root), counted(stats.Entries, "entry", "entries"),
		counted(stats.Dirs, "directory", "directories"), grouped(stats.Dirs-stats.Recalled), time.Since(started).Seconds(),
		format.Human.Append(nil, uint64(info.Size+info.LogSize)))
	if errs.serious > 0 {
		status = statusError
	}
	return status, nil
}

// walkAll walks, and shows how far it has come.
func walkAll(ctx context.Context, shown *term.StatusArea, roots []walk.Root, w walk.Options) walk.Stats {
	var entries atomic.Int64
	defer shown.Refresh(func(int) string {
		return grouped(entries.Load()) + " entries"
	}, func(s os.Signal) { process.EndBy(s, statusInterrupted) })()
	return walk.Walk(ctx, roots, w, func() walk.Visitor {
		n := int64(0)
		return walk.Visitor{
			Visit: func(*dir.Entry) walk.Action {
				n++
				return walk.Continue
			},
			Absent: func([]byte, bool) bool { return true },
			Pause: func(bool) walk.Action {
				entries.Add(n)
				n = 0
				return walk.Continue
			},
		}
	})
}

// check reads a root and compares it with what is recorded.
func (f *indexCommandFlags) check(ctx context.Context, store index.Store, root string) (status int, err error) {
	errs := &reporter{show: true}
	shown := term.NewStatusArea(os.Stderr)
	roots, w, err := f.options(root, func(err error) { shown.Do(func() { errs.report(err) }) })
	if err != nil {
		return statusError, err
	}
	c, err := store.Check(root, func(text string) { shown.Do(func() { fmt.Println(term.Escape(text)) }) })
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("nothing is recorded of %s; run: ldx index %[1]s", command.Quote(root))
	}
	if err != nil {
		return statusError, err
	}
	defer c.Close()
	c.Set(&roots[0])
	w.Recorder = c.Recorder
	walkAll(ctx, shown, roots, w)
	r := c.Result()
	fmt.Printf("%s: of the directories %s are as recorded, %s are read by searches, %s differ\n", term.Escape(root),
		grouped(r.Same), grouped(r.Changed), grouped(r.Wrong))
	if r.Wrong > 0 || errs.serious > 0 {
		status = statusError
	}
	return status, nil
}

// list prints what is recorded.
func (f *indexCommandFlags) list(store index.Store) (status int, err error) {
	roots, errs := store.Roots()
	if reportUnusable(errs) {
		status = statusError
	}
	for _, root := range roots {
		rec, err := store.Open(root)
		if err != nil {
			report(err)
			status = statusError
			continue
		}
		info := rec.Info()
		young, untrusted := rec.Unproved()
		rec.Close() //nolint:errcheck // it was only read
		if f.json {
			line := term.AppendJSON([]byte("{"), "root", []byte(info.Root))
			fmt.Printf("%s,\"created\":%s,\"entries\":%d,\"directories\":%d,\"bytes\":%d,\"log_bytes\":%d,\"young\":%d,\"untrusted\":%d}\n", line,
				strconv.Quote(info.Created.UTC().Format(time.RFC3339)), info.Entries, info.Directories, info.Size, info.LogSize, young, untrusted)
			continue
		}
		fmt.Printf("%s: %s in %s, %s, recorded %s\n", term.Escape(info.Root), counted(int64(info.Entries), "entry", "entries"),
			counted(int64(info.Directories), "directory", "directories"),
			format.Human.Append(nil, uint64(info.Size+info.LogSize)), info.Created.Format(longISO))
		if untrusted > 0 {
			fmt.Printf("  %s always read: their file system does not keep the times of directories, or others write it\n",
				counted(int64(untrusted), "directory is", "directories are"))
		}
		if young > 0 {
			fmt.Printf("  %s read again: just changed when recorded, or not readable\n", counted(int64(young), "directory is", "directories are"))
		}
	}
	if !dir.HasStamps && len(roots) > 0 && !f.json {
		fmt.Println("On this system searches use recordings with --unverified alone.")
	}
	return status, nil
}

// reportUnusable reports what cannot be used of a store, and whether that is anything.
func reportUnusable(errs []error) bool {
	for _, err := range errs {
		report(fmt.Errorf("%w; ldx index of its path makes it again, ldx index drop --all removes it", err))
	}
	return len(errs) > 0
}

// drop removes what is recorded of the paths, or all.
func (f *indexCommandFlags) drop(store index.Store, paths []string) (status int, err error) {
	switch {
	case f.all == (len(paths) > 0):
		return statusUsage, command.Usagef("ldx index drop takes paths, or --all")
	case f.all:
		return statusOK, store.DropAll()
	}
	roots, err := f.roots(store, paths, true)
	for _, root := range roots {
		if err := store.Drop(root); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("nothing is recorded of %s; see: ldx index list", command.Quote(root))
			}
			report(err)
			status = statusError
		}
	}
	return status, err
}
