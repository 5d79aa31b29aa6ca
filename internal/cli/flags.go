package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"ldx/internal/filter"
)

// findFlags is a search as it was typed.
type findFlags struct {
	hidden, unrestricted, follow, oneFileSystem bool

	maxDepth, threads count
	baseDirectory     string
	searchPaths       []string

	types types

	absolute, null, quiet, count, stats bool
	one                                 bool
	maxResults                          count
	showErrors, strict                  bool
}

// The groups of flags, in the order in which --help shows them.
const (
	groupSearch = "What is searched"
	groupFilter = "What is found"
	groupOutput = "What is printed"
	groupErrors = "What goes wrong"
	groupOther  = "The rest"
)

var groups = []string{groupSearch, groupFilter, groupOutput, groupErrors, groupOther}

// addTo defines the flags. A word in backquotes names a flag's value.
func (f *findFlags) addTo(set *pflag.FlagSet) {
	set.SortFlags = false

	set.BoolVarP(&f.hidden, "hidden", "H", false, "include names that begin with a dot")
	set.BoolVarP(&f.unrestricted, "unrestricted", "u", false, "leave nothing out: implies --hidden")
	set.BoolVarP(&f.follow, "follow", "L", false, "follow symbolic links; each directory is entered once")
	set.BoolVar(&f.oneFileSystem, "one-file-system", false, "do not enter other file systems (also: --mount, --xdev)")
	set.VarP(&f.maxDepth, "max-depth", "d", "go at most `N` directories down; 1 is the paths' own entries")
	set.StringVarP(&f.baseDirectory, "base-directory", "C", "", "search as if started in `DIR`")
	set.StringArrayVar(&f.searchPaths, "search-path", nil, "search `PATH`, so that the pattern may be left out; repeatable")
	f.threads.least = 1
	set.VarP(&f.threads, "threads", "j", "use at most `N` workers (also: -t); default: the processors, at most 64")
	group(set, groupSearch)

	set.VarP(&f.types, "type", "T", "only the type `T`, repeatable: "+strings.Join(filter.TypeNames(), ", "))
	group(set, groupFilter)

	set.BoolVarP(&f.absolute, "absolute-path", "a", false, "print absolute paths")
	set.BoolVarP(&f.null, "print0", "0", false, "end each path with a NUL, for xargs -0")
	f.maxResults.least = 1
	set.Var(&f.maxResults, "max-results", "stop after `N` results")
	set.BoolVarP(&f.one, "max-one-result", "1", false, "stop after the first result")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing; the exit status is 0 if there is a result, else 1")
	set.BoolVar(&f.count, "count", false, "print only how many results there are")
	set.BoolVar(&f.stats, "stats", false, "at the end, say on stderr what was searched and how fast")
	group(set, groupOutput)

	set.BoolVar(&f.showErrors, "show-errors", false, "print each error, such as a directory that cannot be read")
	set.BoolVar(&f.strict, "strict", false, "exit with status 1 if there was an error")
	group(set, groupErrors)

	set.BoolP("help", "h", false, "print this help")
	set.BoolP("version", "V", false, "print the version")
	group(set, groupOther)

	alias(set, "threads", "jobs", "t")
	alias(set, "one-file-system", "mount", "")
	alias(set, "one-file-system", "xdev", "")
}

const groupKey = "group"

// group puts the flags that are in no group yet into one.
func group(set *pflag.FlagSet, name string) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{groupKey: {name}}
		}
	})
}

// alias defines another name for a flag, which --help does not list.
func alias(set *pflag.FlagSet, name, other, short string) {
	f := *set.Lookup(name)
	f.Name, f.Shorthand, f.Hidden = other, short, true
	set.AddFlag(&f)
}

// A count is a flag's value: a whole number.
type count struct {
	n     int
	given bool
	least int
}

func (c *count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < c.least {
		return fmt.Errorf("give a whole number of at least %d", c.least)
	}
	c.n, c.given = n, true
	return nil
}

func (c *count) String() string { return "" }
func (c *count) Type() string   { return "N" }

// types is the value of --type.
type types filter.Types

func (t *types) Set(s string) error {
	parsed, err := filter.ParseType(s)
	*t |= types(parsed)
	return err
}

func (t *types) String() string { return "" }
func (t *types) Type() string   { return "T" }

// explain says what is wrong with a flag, and what would be right.
func explain(set *pflag.FlagSet, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return usagef("there is no flag -%s (in -%s); ldx --help lists all", name, short)
		}
		if like := nearest(set, name); like != "" {
			return usagef("there is no flag --%s; did you mean --%s?", name, like)
		}
		return usagef("there is no flag --%s; ldx --help lists all", name)
	case errors.As(err, &missing):
		f := missing.GetFlag()
		return usagef("%s needs a value: %s", spelling(f), example(f))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usagef("%s %q: %v", spelling(f), invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &syntax):
		return usagef("%q is not a flag; to search for it, put -- before", syntax.GetSpecifiedFlag())
	}
	return usagef("%v", err)
}

// spelling returns a flag as a user knows it.
func spelling(f *pflag.Flag) string {
	if f.Hidden && f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	if f.Shorthand != "" {
		return "-" + f.Shorthand + "/--" + f.Name
	}
	return "--" + f.Name
}

func example(f *pflag.Flag) string {
	value, _ := pflag.UnquoteUsage(f)
	if f.Hidden && f.Shorthand != "" {
		return "-" + f.Shorthand + " " + value
	}
	return "--" + f.Name + " " + value
}

// nearest returns the flag that a mistyped name may have meant, or "".
func nearest(set *pflag.FlagSet, name string) (best string) {
	least := 3 // more changes make another word
	set.VisitAll(func(f *pflag.Flag) {
		if d := distance(name, f.Name); d < least && !f.Hidden && d < len(name) {
			best, least = f.Name, d
		}
	})
	return best
}

// distance is that of Levenshtein: how many letters must be put in, taken out or
// changed to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

const helpHead = `Ldx finds files, fast.

Usage:
  ldx [flags] [pattern] [path ...]

The pattern is a regular expression; it may match anywhere in a file's name. It
ignores case unless it has an uppercase letter. Without a pattern, or with ".",
everything is found; without a path, the working directory is searched.

Examples:
  ldx readme                  names with "readme" in the working directory
  ldx '\.go$' cmd internal    names that end in .go, in two directories
  ldx -u passwd /etc          hidden names too
  ldx -T d -d 2 . ~           directories, at most two levels down
  ldx -0 '\.o$' | xargs -0 rm paths safe for any name
`

const helpTail = `
Exit status: 0 success, also when nothing is found; 1 an error, or -q has found
nothing; 2 a command line that is wrong. A shell shows 130 for an interrupted
search, and 143 for a terminated one.
`

// helpText tells of the flags by groups.
func helpText(set *pflag.FlagSet) []byte {
	w := bytes.NewBufferString(helpHead)
	for _, name := range groups {
		fmt.Fprintf(w, "\n%s:\n", name)
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Annotations[groupKey][0] == name {
				writeFlag(w, f)
			}
		})
	}
	w.WriteString(helpTail)
	return w.Bytes()
}

// writeFlag prints a flag and what it does, folded beside it.
func writeFlag(w *bytes.Buffer, f *pflag.Flag) {
	const column, width = 28, 80
	value, text := pflag.UnquoteUsage(f)
	left := "      --" + f.Name
	if f.Shorthand != "" {
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		left += " " + value
	}
	fmt.Fprintf(w, "%-*s", column-1, left)
	at := max(column-1, len(left))
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
