package cli

import (
	"errors"
	"fmt"
	"os"

	"ldx/internal/command"
	"ldx/internal/index"
	"ldx/internal/search"
	"ldx/internal/walk"
)

// indexFlags say whether recordings are used.
type indexFlags struct{ noIndex, unverified bool }

func (f *indexFlags) addTo(set *command.Flags) {
	set.Section(sectionSearch)
	set.Bool(&f.noIndex, "no-index", "", "read every directory, whatever ldx index has recorded; so does LDX_NO_INDEX=1")
	set.Bool(&f.unverified, "unverified", "", "take names from what is recorded alone, without looking whether directories have changed")
}

func (*indexFlags) conflicts(*command.Flags) [][2]string {
	return command.Pairs("no-index", "unverified")
}

// use has a walk take what is recorded of its roots. The caller must call done after the walk.
func (f *indexFlags) use(roots []walk.Root, w *walk.Options) (done func(), err error) {
	done = func() {}
	if f.noIndex || !f.unverified && os.Getenv("LDX_NO_INDEX") != "" {
		return done, nil
	}
	store, err := index.DefaultStore()
	if err != nil || !store.Exists() {
		if f.unverified {
			err = nothingRecorded(roots[0].Path)
		} else {
			err = nil
		}
		return done, err
	}
	if err := search.MakeAbsolute(roots); err != nil {
		if f.unverified {
			return done, err
		}
		return done, nil // the current directory was removed
	}
	use, errs := store.Use(roots, f.unverified)
	for _, err := range errs {
		unusable, ok := errors.AsType[*index.UnusableError](err)
		switch {
		case ok && errors.Is(err, index.ErrDamaged):
			report(fmt.Errorf("%w; run: ldx index %s", err, command.Quote(unusable.Root)))
		case f.unverified:
			use.Close()
			return done, err
		}
	}
	for i := range roots {
		if f.unverified && roots[i].Recording == nil {
			use.Close()
			return done, nothingRecorded(roots[i].Path)
		}
	}
	if use.None() {
		return done, nil
	}
	if !f.unverified {
		w.Recorder = use.Recorder
	}
	return func() {
		for _, err := range use.Close() {
			report(err)
		}
	}, nil
}

func nothingRecorded(path string) error {
	return fmt.Errorf("--unverified: nothing is recorded of %s; run: ldx index %[1]s", command.Quote(path))
}
