package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
)

const (
	sectionBenches = "Every bench"

	benchAbout = `Measure how fast ldx lists directories on this machine, hidden and ignored files
included. Each run is a process of its own, timed as a whole, that writes to a
pipe. Runs of different settings take turns.

%s
The numbers do not identify you: directories are called dir1, dir2 (or by
--label), and nothing names the machine.

What ldx index has recorded is not used. ldx bench index makes recordings of its
own in $TMPDIR; without a path, of a tree that it makes there. So does ldx bench
hash with a catalogue of hashes.

To search for something called bench: ldx -- bench
`
	benchExamples = `  ldx bench threads             here, with 1, 2, 4, ... threads
  ldx bench threads --cold --warm /usr ~
                                both caches, two directories
  ldx bench threads --out usr.csv /usr
                                a row for each run, and usr.summary.csv
  ldx bench buffers /usr        which buffer size is fastest
  ldx bench cache /usr          how much slower a cold cache is
  ldx bench compare --svg usr.svg /usr
                                against fd, fdf, bfs, find, du
  ldx bench index /usr          a recording, beside plocate if there is one
  ldx bench hash                ldx hash, beside sha256sum
  ldx bench store /mnt/disk     commits, look-ups and scans on a disk
`
	benchStatus = `0 success; 1 an error; 2 a wrong flag; 130 interrupted, after the results so far
have been printed.
`
)

func benchPage() command.Page {
	list := ""
	for _, b := range benches() {
		list += fmt.Sprintf("  %-8s %s\n", b.use, b.short)
	}
	return command.Page{
		Name: "ldx bench", Title: "measure searches on this machine",
		Usage: []string{"threads|buffers|cache|compare|index|hash|store [flags] [path ...]"},
		About: fmt.Sprintf(benchAbout, list), Examples: benchExamples, Status: benchStatus,
		Sections: benchSections, SeeAlso: []string{"ldx(1)", "ldx-du(1)", "ldx-index(1)", "hyperfine(1)"},
	}
}

// page is what the help of one of the benches says.
func (b bench) page() command.Page {
	examples := ""
	for example := range strings.SplitSeq(benchExamples, "\n  ldx ") {
		example = "  ldx " + strings.TrimPrefix(strings.TrimSuffix(example, "\n"), "  ldx ")
		if strings.Contains(example, "bench "+b.use) {
			examples += example + "\n"
		}
	}
	return command.Page{
		Name: "ldx bench " + b.use, Title: b.short, Usage: []string{"[flags] [path ...]"},
		About: "ldx bench --help says how it measures.\n", Examples: examples, Status: benchStatus,
	}
}

// benchFlagSets returns the flags of all benches.
func benchFlagSets() (sets []*command.Flags) {
	for _, b := range benches() {
		_, set := b.command(new(int))
		sets = append(sets, set)
	}
	return sets
}

// benchHelpCommand returns ldx bench help.
func benchHelpCommand(bench *cobra.Command) *cobra.Command {
	cmd := command.New("help [command]", "")
	cmd.Short = "the help of one of them"
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		of, rest, err := bench.Find(args)
		if err != nil || len(rest) > 0 {
			return command.Usagef("ldx bench does not know %s; give one of %s", command.Quote(strings.Join(args, " ")), benchNames())
		}
		return of.Help()
	}
	return cmd
}
