package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ldx/internal/search"
)

// findCommand returns the search, which is what ldx does without a subcommand. Its exit status
// goes into *status.
func findCommand(status *int) *cobra.Command {
	var flags findFlags
	cmd := newCommand(program + " [flags] [pattern] [path ...]")
	flags.addTo(cmd.Flags())
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, err := os.Stdout.Write(findPage().help(cmd.Flags()))
		*status = exitStatus(err)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			_, err := fmt.Println(program, version())
			return err
		}
		if asked, _ := cmd.Flags().GetBool("type-list"); asked {
			return writeGroups(os.Stdout)
		}
		if shell := cmd.Flags().Lookup("gen-completions"); shell.Changed {
			return writeCompletion(os.Stdout, shell.Value.String())
		}
		f, err := newFind(cmd.Flags(), flags, args)
		if err != nil {
			return err
		}
		if len(flags.reason) > 0 {
			*status, err = f.why(os.Stdout)
			return err
		}
		*status, err = f.run(cmd.Context())
		return err
	}
	return cmd
}

// A find is the search that flags and arguments ask for.
type find struct {
	search.Options
	flags   findFlags
	pattern string // the first
	errors  *reporter
}

// run searches, prints, and returns the exit status.
func (f *find) run(ctx context.Context) (status int, err error) {
	r, err := search.Run(ctx, f.Options)
	if err == nil && f.flags.count && !f.flags.quiet {
		_, err = fmt.Println(r.Matches)
	}
	f.errors.sumUp()
	if r.Matches == 0 && !f.flags.quiet {
		hint(f.pattern, r.Stats)
	}
	if f.flags.stats {
		writeStats(r, f.errors.n)
	}
	switch {
	case err != nil:
		return statusError, err
	case f.flags.quiet && r.Matches > 0:
		return statusOK, nil
	case !r.OK, f.flags.quiet, f.errors.serious > 0, f.flags.strict && f.errors.n > 0:
		return statusError, nil
	}
	return statusOK, nil
}

// why prints, for each path of --why and each directory above it, which rule leaves it out or
// in, and returns the exit status.
func (f *find) why(w *os.File) (status int, err error) {
	var rows []search.Verdict
	for _, path := range f.flags.reason {
		way, err := f.Why(path)
		rows = append(rows, way...)
		if err != nil {
			report(err)
			status = statusError
		}
	}
	return status, writeVerdicts(w, rows)
}
