package cli

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ldx/internal/command"
	"ldx/internal/measure"
	"ldx/internal/process"
	"ldx/internal/state"
)

// hashBench is what ldx bench hash works with: nothing of the user's.
type hashBench struct {
	files command.Count
	dir   string // temporary
	tree  *changingFiles
}

func addHash(f *benchFlags, set *command.Flags) {
	f.hash.files.Min = 100
	set.Add(&f.hash.files, "files", "", "without a path: make a tree of `N` files of 52 kB on average; default: 10000")
	set.Add(&f.threads, "threads", "", "hash with these numbers of threads, `1,2,4`; default: 1 and as many as there are processors")
}

// prepare makes the temporary directory, and without paths a tree in it; see indexBench.prepare.
func (b *hashBench) prepare(ctx context.Context, paths []string) (_ []string, done func(), err error) {
	if b.dir, err = os.MkdirTemp("", "ldx-bench-"); err != nil {
		return nil, func() {}, err
	}
	done = func() { _ = os.RemoveAll(b.dir) }
	if len(paths) > 0 {
		if b.files.Given {
			return nil, done, command.Usagef("--files is for the tree that ldx bench hash makes without a path")
		}
		return paths, done, nil
	}
	path := filepath.Join(b.dir, "tree")
	files, err := measure.MakeFiles(ctx, path, 1, b.files.Or(10_000), 104_000)
	b.tree = &changingFiles{files: files, last: time.Now()}
	return []string{path}, done, err
}

// changingFiles are files whose content changes for a bench.
type changingFiles struct {
	files []string // in random order
	next  int
	last  time.Time
}

// change changes a byte of some percent of the files.
func (c *changingFiles) change(percent int) error {
	for range max(1, len(c.files)*percent/100) {
		f, err := os.OpenFile(c.files[c.next%len(c.files)], os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt([]byte{byte(rand.Uint32())}, 0)
		if err := cmp.Or(err, f.Close()); err != nil {
			return err
		}
		c.next++
	}
	c.last = time.Now()
	return nil
}

// settle waits until the last change is so long ago that hashes are stored.
func (c *changingFiles) settle(ctx context.Context) error {
	if c == nil {
		return nil
	}
	wait := time.NewTimer(state.Slack + 100*time.Millisecond - time.Since(c.last))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// casesOfHash returns the phases in the order in which they must run.
func casesOfHash(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	home, err := os.MkdirTemp(f.hash.dir, "state-")
	if err != nil {
		return nil, err
	}
	h := &hashings{tree: f.hash.tree, store: filepath.Join(home, "ldx"), threads: process.Processors()}
	h.ldx = measure.Case{
		Tool: ldx, Place: place, Args: []string{"hash", "-u", ".", place.Path}, Database: h.store,
		Env: []string{"XDG_STATE_HOME=" + home, "LOCALAPPDATA=" + home, "LDX_NO_INDEX=1"},
	}
	threads := slices.Clone(f.threads)
	if threads == nil {
		threads = append(threads, 1, h.threads)
	}
	slices.Sort(threads)
	cases = h.first(slices.Compact(threads))
	cases = append(cases, h.rescan(0, 0))
	if h.tree != nil {
		cases = append(cases, h.rescan(1, 1), h.rescan(10, 9))
	}
	cases = append(cases, h.tenRescans(0))
	if h.tree != nil {
		cases = append(cases, h.tenRescans(1))
	}
	return cases, nil
}

// hashings are the cases of one place.
type hashings struct {
	tree    *changingFiles // nil: it does not change
	ldx     measure.Case
	store   string
	threads int
}

// first is the phase in which nothing is in the catalogue, with several numbers of threads, beside
// sha256sum.
func (h *hashings) first(threads []int) (cases []*measure.Case) {
	for _, n := range threads {
		c := h.ldx
		c.Group, c.Phase, c.Threads = measure.PhaseFirst, measure.PhaseFirst, n
		c.Args = append([]string{"hash", "-j", strconv.Itoa(n)}, c.Args[1:]...)
		c.Before = func(ctx context.Context, _ int) error { return cmp.Or(emptyDir(h.store), h.tree.settle(ctx)) }
		cases = append(cases, &c)
	}
	for _, name := range []string{"find", "xargs", "sha256sum"} {
		if _, err := measure.FindTool(name); err != nil {
			report(fmt.Errorf("%w, and sha256sum by xargs is left out", err))
			return cases
		}
	}
	sh, err := measure.FindTool("sh")
	if err != nil {
		return cases
	}
	sh.Name, sh.Version = "sha256sum", ""
	for _, n := range threads {
		script := fmt.Sprintf(`find "$1" -type f -print0 | xargs -0 -P%d -n100 sha256sum`, n)
		cases = append(cases, &measure.Case{
			Group: measure.PhaseFirst, Phase: measure.PhaseFirst, Tool: sh, Place: h.ldx.Place, Threads: n,
			Args: []string{"-c", script, "sh", h.ldx.Place.Path}, Env: h.ldx.Env,
		})
	}
	return cases
}

// rescan is a phase in which some percent of the files have another content than when they were
// hashed. Each run begins with that catalogue. more is what is changed besides the changes of the
// phase before.
func (h *hashings) rescan(percent, more int) *measure.Case {
	c, kept := h.ldx, h.store+"-kept"
	c.Phase, c.Changed = measure.PhaseRescan, strconv.Itoa(percent)
	c.Group = c.Phase + c.Changed
	c.Before = func(ctx context.Context, round int) error {
		if round == 0 && percent == 0 {
			if err := cmp.Or(emptyDir(h.store), h.tree.settle(ctx)); err != nil {
				return err
			}
			if _, err := h.ldx.Run(ctx); err != nil {
				return err
			}
			if err := copyFiles(kept, h.store); err != nil {
				return err
			}
		}
		if round == 0 && more > 0 {
			if err := cmp.Or(h.tree.change(more), h.tree.settle(ctx)); err != nil {
				return err
			}
		}
		return copyFiles(h.store, kept)
	}
	return &c
}

// tenRescans is a phase of ten scans one after the other, with some percent of the files changed
// before each. The run that does not count makes the catalogue.
func (h *hashings) tenRescans(percent int) *measure.Case {
	c := h.ldx
	c.Phase, c.Changed, c.Times = measure.PhaseRescans, strconv.Itoa(percent), 10
	c.Group = c.Phase + c.Changed
	c.Before = func(ctx context.Context, round int) error {
		var err error
		switch {
		case round == 0:
			err = emptyDir(h.store)
		case percent > 0:
			err = h.tree.change(percent)
		}
		return cmp.Or(err, h.tree.settle(ctx))
	}
	return &c
}
