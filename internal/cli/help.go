package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// The parts of the help and of the manual. In the former PROGRAM is what ldx is
// called as.
const (
	helpAbout = `The pattern is a regular expression; it may match anywhere in a file's name. It
ignores case unless it has an uppercase letter. Without a pattern, or with ".",
everything is found; without a path, the working directory is searched.
-g, -F and --exact take the pattern for a glob, a text or the whole name.

Left out are names that begin with a dot (unless -H) and what ignore files name
(unless -I): .gitignore and what else git heeds in a repository, .ignore,
.fdignore and .ldxignore. PROGRAM --why PATH tells why something is not found. Flags
can be taken back: --no-hidden, --ignore, --ignore-vcs, ...

All filters must hold, and of -TYPE and -e any one of those given. A ! before a
value asks for the opposite: -TYPE '!d' is all but directories, -e '!bak' all but
.bak.
`

	helpExamples = `  PROGRAM readme                    names with "readme" in the working directory
  PROGRAM '\.go$' cmd internal      names that end in .go, in two directories
  PROGRAM -u passwd /etc            hidden and ignored names too
  PROGRAM -g '*.{c,h}' src          a glob, for the whole name
  PROGRAM -e go test --not util     an extension; a word, and not another
  PROGRAM -E '*.min.js' '\.js$'     without those that a glob matches
  PROGRAM -TYPE d -d 2 . ~             directories, at most two levels down
  PROGRAM -S +10m --newer 1week     large files, changed of late
  PROGRAM -e jpg -x convert {} {.}.png
                                a command for each
  PROGRAM -g '*.py' -X wc -l        one command for all
  PROGRAM -0 '\.o$' | xargs -0 rm   paths safe for any name
`

	duAbout = `What files take on the disk is summed up for each directory, with all below it:
everything, also what a search would leave out (see --ignore and --no-hidden).
A file with several names counts once, in the directory where du would count it,
and what is below two of the paths counts once too, unless -l is given.

In a pipe the output is that of GNU du: size and path, in the same order. On a
terminal the biggest come first, with the biggest files, as deep as the screen
has room for, and down to a hundredth of the whole; -d and -a show all.

Filters are those of the search: they say what counts.

To search for something called du: ldx -- du
`

	duExamples = `  ldx du                            the working directory
  ldx du --tree ~                   what is in what
  ldx du -s * | sort -n             as du: sizes in KiB
  ldx du --top-files 20 /           the biggest files
  ldx du --by ext src               which kinds of files take how much
  ldx du -e log --changed-before 30d /var
                                old logs only
  ldx du --svg map.svg ~            a treemap for the browser
`

	duStatus = `0 success; 1 an error, such as a directory that cannot be read; 2 a wrong flag.
`

	helpStatus = `0 success, also when nothing is found; 1 an error, such as a wrong pattern or a
command that failed, or -q has found nothing; 2 a wrong flag. A shell shows 130
for an interrupted search, and 143 for a terminated one.
`
)

// called puts in what ldx is called as, and its letter for --type.
func called(text string) string {
	letter := "T"
	if asFd() {
		letter = "t"
	}
	return strings.NewReplacer("PROGRAM", program, "TYPE", letter).Replace(text)
}

// A page is what is told of a command besides its flags.
type page struct {
	name, title     string
	usage           []string
	about, examples string
	status          string
	groups          []string // of flags
}

func findPage() page {
	p := page{name: program, title: "find files, fast", usage: []string{"[flags] [pattern] [path ...]"}, about: called(helpAbout), examples: called(helpExamples), status: helpStatus, groups: groups}
	if !asFd() {
		p.usage = append(p.usage, "du [flags] [path ...]", "bench threads|buffers|cache|compare [flags] [path ...]", "completion bash|zsh|fish|powershell", "man [du]")
	}
	return p
}

func duPage() page {
	return page{
		name: "ldx du", title: "how much files take", usage: []string{"[flags] [path ...]"}, about: duAbout, examples: duExamples, status: duStatus,
		groups: []string{groupCounts, groupShown, groupUnits, groupForm, groupSearch, groupPattern, groupFilter, groupOutput, groupOther},
	}
}

// help tells of the flags by groups.
func (p page) help(set *pflag.FlagSet) []byte {
	w := bytes.NewBufferString(strings.ToUpper(p.name[:1]) + p.name[1:] + ": " + p.title + ".\n\nUsage:\n")
	for _, usage := range p.usage {
		w.WriteString("  " + p.name + " " + usage + "\n")
	}
	w.WriteString("\n" + p.about + "\nExamples:\n" + p.examples)
	for _, name := range p.groups {
		fmt.Fprintf(w, "\n%s:\n", name)
		eachFlag(set, name, func(f *pflag.Flag) { writeFlag(w, f) })
	}
	w.WriteString("\nExit status:\n" + p.status)
	return w.Bytes()
}

// eachFlag calls do for each flag of a group that is not hidden.
func eachFlag(set *pflag.FlagSet, group string, do func(*pflag.Flag)) {
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Annotations[groupKey][0] == group {
			do(f)
		}
	})
}

// signature returns what a flag is called and its value, which must be attached if
// it may be left out.
func signature(f *pflag.Flag) (names, value string) {
	names = "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	switch value, _ = pflag.UnquoteUsage(f); {
	case value == "":
	case f.NoOptDefVal != "":
		value = "[=" + value + "]"
	default:
		value = " " + value
	}
	return names, value
}

// writeFlag prints a flag and what it does, folded beside it.
func writeFlag(w *bytes.Buffer, f *pflag.Flag) {
	const column, width = 28, 80
	_, text := pflag.UnquoteUsage(f)
	names, value := signature(f)
	left := "  " + names + value
	if f.Shorthand == "" {
		left = "    " + left
	}
	if len(left) < column-1 {
		fmt.Fprintf(w, "%-*s", column-1, left)
	} else {
		fmt.Fprintf(w, "%s\n%*s", left, column-1, "")
	}
	at := column - 1
	for word := range strings.FieldsSeq(text) {
		if at+1+len(word) > width {
			fmt.Fprintf(w, "\n%*s", column-1, "")
			at = column - 1
		}
		fmt.Fprint(w, " ", word)
		at += 1 + len(word)
	}
	fmt.Fprintln(w)
}
