// Ldx finds files, fast.
//
//	ldx [flags] [pattern] [path ...]
//
// The way of a search through the code:
//
//	cli      what was typed: flags, paths, the terminal; and the exit status
//	walk     every entry below the roots, by many workers around their queues
//	ignore   which entries rule files leave out, git's and others'
//	glob     globs on bytes, thousands at a time
//	dir      one directory's entries, from the system's own directory call
//	filter   whether the user asked for an entry, the cheapest test first
//	match    whether a name matches the pattern, the quickest way there is
//	printer  the results, in whole lines, soon; colours, escapes, listings
//	spawn    commands on the results
//	format   parts of a path, for lines and commands
//	du       what files take, directory by directory, for ldx du
//	measure  whole programs, timed in turn, for ldx bench
//
// Imports go downwards only; internal/layers_test.go says which.
package main

import (
	"os"

	"ldx/internal/cli"
)

func main() { os.Exit(cli.Main()) }
