package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ldx/internal/command"
	"ldx/internal/index"
	"ldx/internal/measure"
	"ldx/internal/state"
)

// indexBench is what ldx bench index works with: nothing of the user's.
type indexBench struct {
	entries command.Count
	settle  time.Duration // between a change of the tree and what is measured
	dir     string        // temporary
	tree    *changingTree // nil: paths were given
	known   bool          // other programs are looked up
	others  []measure.Tool
}

func addIndex(f *benchFlags, set *command.Flags) {
	f.index.entries.Min, f.index.settle = 1, state.Slack
	set.Add(&f.index.entries, "entries", "", "without a path: make a tree of `N` entries; default: 100000")
	set.Func("settle", "", "after a change of the tree wait for `3s` (default): a directory that has just changed is read twice",
		func(s string) (err error) {
			if f.index.settle, err = time.ParseDuration(s); err != nil || f.index.settle < 0 {
				return errors.New("give a time, such as 3s or 500ms")
			}
			return nil
		}, nil)
}

// prepare checks the flags, makes the temporary directory, and without paths a tree in it. It
// returns the paths to measure. The caller must call done, whatever the error.
func (b *indexBench) prepare(ctx context.Context, paths []string) (_ []string, done func(), err error) {
	done = func() {}
	if b.entries.Given && len(paths) > 0 {
		return nil, done, command.Usagef("--entries is for the tree that ldx bench index makes without a path")
	}
	if b.dir, err = os.MkdirTemp("", "ldx-bench-"); err != nil {
		return nil, done, err
	}
	done = func() { _ = os.RemoveAll(b.dir) }
	if len(paths) > 0 {
		report(errors.New("the phases update (1 %, 10 %) and updates10 change a tree, and are left out with a path"))
		return paths, done, nil
	}
	path := filepath.Join(b.dir, "tree")
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, done, err
	}
	const seed = 1
	dirs, err := measure.MakeTree(ctx, path, seed, b.entries.Or(100_000))
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	b.tree = &changingTree{dirs: dirs, last: time.Now()}
	return []string{path}, done, err
}

// tools returns the programs of plocate, if they are installed.
func (b *indexBench) tools() []measure.Tool {
	if b.known {
		return b.others
	}
	b.known = true
	updatedb, err := measure.FindTool("updatedb.plocate", "updatedb")
	plocate, searchErr := measure.FindTool("plocate")
	if err != nil || searchErr != nil {
		report(errors.New("plocate is not installed, and left out"))
		return nil
	}
	updatedb.Name = "updatedb"
	b.others = []measure.Tool{updatedb, plocate}
	return b.others
}

// A changingTree is a tree that changes for a bench.
type changingTree struct {
	dirs []string // in random order
	next int      // to change
	last time.Time
}

// change adds a file to some percent of the directories, or removes it where it is.
func (t *changingTree) change(percent int) error {
	for range max(1, len(t.dirs)*percent/100) {
		name := filepath.Join(t.dirs[t.next%len(t.dirs)], "changed")
		err := os.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.WriteFile(name, nil, 0o600)
		}
		if err != nil {
			return err
		}
		t.next++
	}
	t.last = time.Now()
	return nil
}

// recordings are the databases of one place with a cold or warm cache.
type recordings struct {
	bench      *indexBench
	ldx, other *database // other: nil if plocate is not installed
	recorded   bool      // for searches
}

// A database is what a program records of a place, in a directory of its own.
type database struct {
	measure.Case        // records
	dir          string // of the files
}

// casesOfIndex returns the phases in the order in which they must run.
func casesOfIndex(f *benchFlags, ldx measure.Tool, place measure.Place) ([]*measure.Case, error) {
	dir, err := os.MkdirTemp(f.index.dir, "recordings-")
	if err != nil {
		return nil, err
	}
	r := &recordings{bench: &f.index, ldx: &database{dir: filepath.Join(dir, "ldx")}}
	r.ldx.Case = measure.Case{
		Tool: ldx, Place: place, Args: []string{"index", place.Path}, Database: r.ldx.dir, Phase: "record", Quiet: true,
		Env: []string{"XDG_STATE_HOME=" + dir, "LOCALAPPDATA=" + dir, "LDX_NO_INDEX="},
	}
	if tools := f.index.tools(); tools != nil {
		r.other = &database{dir: filepath.Join(dir, "plocate")}
		file := filepath.Join(r.other.dir, "db")
		r.other.Case = measure.Case{
			Tool: tools[0], Place: place, Database: file, Phase: "updatedb", Quiet: true,
			Args: []string{
				"-U", place.Path, "-o", file, "--require-visibility", "no", "--prune-bind-mounts", "no",
				"--prunepaths", "", "--prunefs", "", "--prunenames", "",
			},
		}
	}
	cases := append(r.first(), r.update(0, nil)...)
	if tree := f.index.tree; tree != nil {
		cases = append(cases, r.update(1, func() error { return tree.change(1) })...)
		cases = append(cases, r.update(10, func() error { return tree.change(9) })...)
		cases = append(cases, r.tenUpdates(tree))
	}
	return append(cases, r.searches()...), nil
}

// countEntries sets what a run has recorded.
func (d *database) countEntries(run *measure.Run) error {
	rec, err := index.NewStore(d.dir).Open(d.Place.Path)
	if err != nil {
		return err
	}
	run.Entries = int64(rec.Info().Entries)
	return rec.Close()
}

// databases returns those there are, ldx's first.
func (r *recordings) databases() []*database {
	if r.other == nil {
		return []*database{r.ldx}
	}
	return []*database{r.ldx, r.other}
}

// first is the phase in which nothing is recorded yet.
func (r *recordings) first() (cases []*measure.Case) {
	for _, d := range r.databases() {
		c := d.Case
		if c.Group = "record"; d == r.ldx {
			c.Quiet, c.After = false, d.countEntries
		}
		c.Before = func(context.Context, int) error { return d.clear() }
		cases = append(cases, &c)
	}
	return cases
}

// update is the phase in which all that has changed is some percent of the directories, before
// each run. It makes a recording before the first of these phases, and each run begins with
// that. change makes the difference to the phase before.
func (r *recordings) update(percent int, change func() error) (cases []*measure.Case) {
	for _, d := range r.databases() {
		c := d.Case
		c.Group, c.Changed = fmt.Sprint("update ", percent), strconv.Itoa(percent)
		if d == r.ldx {
			c.Phase = "update"
		}
		c.Before = func(ctx context.Context, round int) error {
			if round == 0 {
				if d == r.ldx && change != nil {
					if err := change(); err != nil {
						return err
					}
				}
				if err := r.settle(ctx); err != nil {
					return err
				}
				if percent == 0 {
					if err := d.renew(ctx); err != nil {
						return err
					}
					return copyFiles(d.kept(), d.dir)
				}
			}
			return copyFiles(d.dir, d.kept())
		}
		cases = append(cases, &c)
	}
	return cases
}

// tenUpdates is the phase of ten updates one after the other. The run that does not count makes
// the recording.
func (r *recordings) tenUpdates(tree *changingTree) *measure.Case {
	c := r.ldx.Case
	c.Group, c.Phase, c.Changed, c.Times = measure.PhaseUpdates10, measure.PhaseUpdates10, "1", 10
	c.Before = func(ctx context.Context, round int) error {
		var err error
		if round == 0 {
			err = r.ldx.clear()
		} else {
			err = tree.change(1)
		}
		return cmp.Or(err, r.settle(ctx))
	}
	return &c
}

// searches are the phase of searches of what has not changed: of the system, of a recording that
// is compared with the system, of the recording alone, and of plocate's database.
func (r *recordings) searches() (cases []*measure.Case) {
	for _, search := range []struct {
		name         string
		ldx, plocate []string
	}{
		{"literal", []string{"-s", "-F", "zip"}, []string{"-b", "zip"}},
		{"expression", []string{"-s", `^[a-m].*[0-9]\.(c|h|py)$`}, []string{"-b", "--regex", `^[a-m].*[0-9]\.(c|h|py)$`}},
		{"extension", []string{"-e", "so", "."}, []string{"-b", "?*.so"}},
		{"directories", []string{"-T", "d", "."}, nil},
		{"everything", []string{"."}, []string{"-b", ""}},
	} {
		add := func(d *database, c measure.Case) {
			c.Group, c.Scenario, c.Place, c.Env = "search "+search.name, search.name, d.Place, d.Env
			c.Before = func(ctx context.Context, _ int) error { return r.record(ctx) }
			cases = append(cases, &c)
		}
		args := append(append([]string{"-u", "--stats"}, search.ldx...), r.ldx.Place.Path)
		for _, way := range []struct{ name, flag string }{
			{measure.Live, "--no-index"}, {"ldx", ""}, {"ldx --unverified", "--unverified"},
		} {
			c := measure.Case{Tool: r.ldx.Tool, Args: args, Phase: measure.PhaseSearch}
			if c.Tool.Name = way.name; way.flag != "" {
				c.Args = append([]string{way.flag}, args...)
			}
			if way.name != measure.Live {
				c.Database = r.ldx.dir
			}
			add(r.ldx, c)
		}
		if r.other != nil && search.plocate != nil {
			file := r.other.Database
			args := append([]string{"-d", file}, search.plocate...)
			add(r.other, measure.Case{Tool: r.bench.tools()[1], Args: args, Phase: "plocate", Database: file})
		}
	}
	return cases
}

// record records for searches, once.
func (r *recordings) record(ctx context.Context) error {
	if r.recorded {
		return nil
	}
	r.recorded = true
	if err := r.settle(ctx); err != nil {
		return err
	}
	for _, d := range r.databases() {
		if err := d.renew(ctx); err != nil {
			return err
		}
	}
	rec, err := index.NewStore(r.ldx.dir).Open(r.ldx.Place.Path)
	if err != nil {
		return err
	}
	if _, untrusted := rec.Unproved(); untrusted > 0 {
		report(fmt.Errorf("%s directories of %s are always read: on their file system others may change them",
			grouped(int64(untrusted)), r.ldx.Place.Label))
	}
	return rec.Close()
}

// settle waits until the last change of the tree is long enough ago.
func (r *recordings) settle(ctx context.Context) error {
	if r.bench.tree == nil {
		return nil
	}
	wait := time.NewTimer(r.bench.settle - time.Since(r.bench.tree.last))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// renew records the place from the beginning.
func (d *database) renew(ctx context.Context) error {
	if err := d.clear(); err != nil {
		return err
	}
	run, err := d.Run(ctx)
	if err == nil && run.Database == 0 {
		err = fmt.Errorf("%s has recorded nothing of %s, and ended with status %d", d.Tool.Name, d.Place.Path, run.Exit)
	}
	return err
}

// clear removes all that is recorded.
func (d *database) clear() error {
	return emptyDir(d.dir)
}

// kept returns the directory of the files to begin each update with.
func (d *database) kept() string { return d.dir + "-kept" }

// copyFiles replaces the directory to by a copy of the directory from, on the disk.
func copyFiles(to, from string) error {
	if err := emptyDir(to); err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := copyFile(filepath.Join(to, file.Name()), filepath.Join(from, file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// emptyDir makes a directory, or removes the files in it. (os.RemoveAll does not work in Wine.)
func emptyDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := os.Remove(filepath.Join(path, file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file to the disk: what is timed then must not wait for that.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
