// Ldx finds files, fast.
//
//	ldx [flags] [pattern] [path ...]
//
// A search goes through these packages:
//
//	cli      the commands: flags, paths, errors and the exit status
//	command  what all commands share: flags and their values, help
//	config   the user's configuration file
//	search   results: limits, counting, and where they go
//	walk     all entries below the roots, by many workers with queues
//	ignore   the entries that rule files leave out, git's and others
//	glob     globs on bytes, thousands at a time
//	dir      the entries of a directory, by the system's own call
//	filter   whether an entry was asked for, cheapest test first
//	trash    the trash of the desktop
//	where    expressions that join tests by and, or and not
//	match    whether a name matches the pattern, by the fastest method
//	printer  results in whole lines, soon; colours, escapes, listings
//	spawn    commands for the results
//	format   parts of a path, for lines and commands
//	term     what a terminal can show
//	process  what the system gives this process
//	du       disk usage by directory, for ldx du
//	measure  timing of whole programs, for ldx bench
//
// Imports go downwards only; see internal/layers_test.go.
package main

import (
	"os"

	"ldx/internal/cli"
)

func main() { os.Exit(cli.Main()) }
