package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ldx/internal/catalogue"
	"ldx/internal/command"
	"ldx/internal/measure"
)

// storeBench is what ldx bench store works with: nothing of the user's.
type storeBench struct {
	records command.Count
	dir     string // temporary
}

func addStore(f *benchFlags, set *command.Flags) {
	f.store.records.Min = 1000
	set.Add(&f.store.records, "records", "", "write `N` hashes; default: 100000")
}

// prepare makes the temporary directory: below a path, for its disk.
func (b *storeBench) prepare(_ context.Context, paths []string) (_ []string, done func(), err error) {
	done = func() {}
	if len(paths) > 1 {
		return nil, done, command.Usagef("ldx bench store takes one path, on the disk to measure")
	}
	if b.dir, err = os.MkdirTemp(append(paths, "")[0], "ldx-bench-"); err != nil {
		return nil, done, err
	}
	return []string{b.dir}, func() { _ = os.RemoveAll(b.dir) }, nil
}

// casesOfStore returns what is done with a store, in the order in which it must be.
func casesOfStore(f *benchFlags, ldx measure.Tool, place measure.Place) (cases []*measure.Case, err error) {
	path, n := filepath.Join(place.Path, "store"), f.store.records.Or(100_000)
	t := catalogue.NewTrial(path, n)
	add := func(phase, sync string, ops int, before, do func() error) {
		c := &measure.Case{
			Group: fmt.Sprint(phase, sync, ops), Tool: ldx, Place: place, Database: path, Phase: phase, Sync: sync, Ops: int64(ops), Quiet: true,
			Before: func(context.Context, int) error { return before() }, Do: func(context.Context) error { return do() },
		}
		cases = append(cases, c)
	}
	nothing := func() error { return nil }
	for _, perCommit := range []int{1, 100, 10_000} {
		for when, sync := range []string{"always", "each second", "at the end"} { // as the constants
			some := catalogue.NewTrial(path, min(n, 1000*perCommit))
			commit := func() error { return some.Commit(perCommit, catalogue.Sync(when)) }
			add(fmt.Sprint("commits of ", perCommit), sync, some.Len(), some.Clear, commit)
		}
	}
	whole := func() error {
		if err := t.Clear(); err != nil {
			return err
		}
		if err := t.Commit(10_000, catalogue.SyncAtEnd); err != nil {
			return err
		}
		return t.Merge()
	}
	add("look-ups by inode", "", n, whole, func() error { return t.LookUp(n, false) })
	add("look-ups by path", "", n, nothing, func() error { return t.LookUp(n, true) })
	add("ordered scan", "", n, nothing, t.Scan)
	add("merge", "at the end", n, func() error {
		if err := t.Clear(); err != nil {
			return err
		}
		return t.Commit(10_000, catalogue.SyncAtEnd)
	}, t.Merge)
	add("recovery of a torn log", "", n, func() error {
		if err := t.Clear(); err != nil {
			return err
		}
		if err := t.Commit(1000, catalogue.SyncAtEnd); err != nil {
			return err
		}
		return t.Tear()
	}, func() error {
		found, err := t.Recover()
		if err == nil && found != n-(n-1)%1000-1 { // but for the last commit
			err = fmt.Errorf("%d of %d hashes are left in a torn log", found, n)
		}
		return err
	})
	return cases, nil
}
