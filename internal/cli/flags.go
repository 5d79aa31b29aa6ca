package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"ldx/internal/filter"
	"ldx/internal/match"
)

// findFlags is a search as it was typed.
type findFlags struct {
	hidden, follow, oneFileSystem                bool
	noIgnore, noIgnoreVCS, noRequireGit          bool
	noIgnoreParent, noGlobalIgnore               bool
	ignoreFiles, ignoreContain, excludes, reason []string

	maxDepth, threads count
	baseDirectory     string
	searchPaths       []string

	types      types
	extensions []string

	syntax       match.Syntax
	letters      letters
	ands, ors    []string
	nots         []string
	patternsFrom []string
	fullPath     bool

	absolute, null, quiet, count, stats bool
	one                                 bool
	maxResults                          count
	showErrors, strict                  bool
}

// The groups of flags, in the order in which --help shows them.
const (
	groupSearch  = "What is searched"
	groupPattern = "What the pattern means"
	groupFilter  = "What is found"
	groupOutput  = "What is printed"
	groupErrors  = "What goes wrong"
	groupOther   = "The rest"
)

var groups = []string{groupSearch, groupPattern, groupFilter, groupOutput, groupErrors, groupOther}

// addTo defines the flags. A word in backquotes names a flag's value.
func (f *findFlags) addTo(set *pflag.FlagSet) {
	set.SortFlags = false

	set.BoolVarP(&f.hidden, "hidden", "H", false, "include names that begin with a dot")
	set.BoolVarP(&f.noIgnore, "no-ignore", "I", false, "include what .gitignore, .ignore, .fdignore, .ldxignore and the user's own rules leave out")
	set.VarPF(setAll{&f.hidden, &f.noIgnore}, "unrestricted", "u", "leave nothing out: -H and -I").NoOptDefVal = "true"
	set.BoolVar(&f.noIgnoreVCS, "no-ignore-vcs", false, "include what git's rules leave out")
	set.BoolVar(&f.noRequireGit, "no-require-git", false, "heed .gitignore outside of git repositories too")
	set.BoolVar(&f.noIgnoreParent, "no-ignore-parent", false, "heed no rules of the directories above a path")
	set.BoolVar(&f.noGlobalIgnore, "no-global-ignore-file", false, "do not heed the user's own rules in ldx/ignore and fd/ignore, below ~/.config")
	set.StringArrayVar(&f.ignoreFiles, "ignore-file", nil, "heed the rules in `PATH` too, where no others decide; repeatable, the last is the strongest")
	set.StringArrayVar(&f.ignoreContain, "ignore-contain", nil, "leave out directories that have an entry called `NAME`, such as CACHEDIR.TAG; repeatable")
	set.StringArrayVarP(&f.excludes, "exclude", "E", nil, "leave out what `GLOB` matches, written as in .gitignore, with {a,b} as well; above all other rules; repeatable")
	set.StringArrayVar(&f.reason, "why", nil, "search nothing, but tell which rule leaves out `PATH` or a directory above it; repeatable")
	set.BoolVarP(&f.follow, "follow", "L", false, "follow symbolic links; each directory is entered once")
	set.BoolVar(&f.oneFileSystem, "one-file-system", false, "do not enter other file systems (also: --mount, --xdev)")
	set.VarP(&f.maxDepth, "max-depth", "d", "go at most `N` directories down; 1 is the paths' own entries")
	set.StringVarP(&f.baseDirectory, "base-directory", "C", "", "search as if started in `DIR`")
	set.StringArrayVar(&f.searchPaths, "search-path", nil, "search `PATH`, so that the pattern may be left out; repeatable")
	f.threads.least = 1
	set.VarP(&f.threads, "threads", "j", "use at most `N` workers (also: -t); default: the processors, at most 64")
	group(set, groupSearch)

	choice(set, &f.syntax, match.Glob, "glob", "g", "the pattern is a glob for the whole name: * ? [a-z] [!a-z] {a,b}, and with -p also **")
	choice(set, &f.syntax, match.Regexp, "regex", "", "the pattern is a regular expression, found anywhere (the default); with look-around and back-references too")
	choice(set, &f.syntax, match.Fixed, "fixed-strings", "F", "the pattern is a text, found anywhere")
	choice(set, &f.syntax, match.Exact, "exact", "", "the pattern is the whole name")
	choice(set, &f.letters, asWritten, "case-sensitive", "s", "heed upper and lower case")
	choice(set, &f.letters, anyCase, "ignore-case", "i", "ignore upper and lower case; by default it is heeded if a pattern has an uppercase letter")
	set.BoolVarP(&f.fullPath, "full-path", "p", false, "match the absolute path instead of the name")
	set.StringArrayVar(&f.ands, "and", nil, "the name must match `PATTERN` too; repeatable")
	set.StringArrayVar(&f.ors, "or", nil, "the name may match `PATTERN` instead; repeatable")
	set.StringArrayVar(&f.nots, "not", nil, "the name must not match `PATTERN`; repeatable")
	set.StringArrayVar(&f.patternsFrom, "patterns-from", nil, "the name may match any line of `FILE` (-: standard input); all arguments are paths then; repeatable")
	group(set, groupPattern)

	set.StringArrayVarP(&f.extensions, "extension", "e", nil, "only names that end in .`EXT`, in any case unless -s is given; repeatable")
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

	opposite(set, "hidden", "no-hidden", &f.hidden)
	opposite(set, "no-ignore", "ignore", &f.noIgnore)
	opposite(set, "no-ignore-vcs", "ignore-vcs", &f.noIgnoreVCS)
	opposite(set, "no-require-git", "require-git", &f.noRequireGit)
	opposite(set, "no-ignore-parent", "ignore-parent", &f.noIgnoreParent)
	opposite(set, "no-global-ignore-file", "global-ignore-file", &f.noGlobalIgnore)
	opposite(set, "follow", "no-follow", &f.follow)

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

// opposite defines the flag that takes another back; of the two, the last on the
// command line counts. --help does not list it.
func opposite(set *pflag.FlagSet, of, name string, value *bool) {
	f := set.VarPF(setNone{value}, name, "", "take --"+of+" back")
	f.NoOptDefVal, f.Hidden, f.Annotations = "true", true, map[string][]string{groupKey: {groupOther}}
}

// setAll is a flag that sets several.
type setAll []*bool

func (all setAll) Set(s string) error {
	v, err := strconv.ParseBool(s)
	for _, b := range all {
		*b = v
	}
	return err
}

func (setAll) String() string { return "" }
func (setAll) Type() string   { return "bool" }

// setNone is a flag that takes another back.
type setNone struct{ value *bool }

func (none setNone) Set(s string) error {
	v, err := strconv.ParseBool(s)
	*none.value = !v
	return err
}

func (setNone) String() string { return "" }
func (setNone) Type() string   { return "bool" }

// letters says whether upper and lower case are the same.
type letters uint8

const (
	smart     letters = iota // not if a pattern has an uppercase letter
	asWritten                // no
	anyCase                  // yes
)

// choice defines a flag that stands for one of several values; of all that are
// given, the last on the command line counts.
func choice[T comparable](set *pflag.FlagSet, to *T, value T, name, short, usage string) {
	set.VarPF(&chosen[T]{to, value}, name, short, usage).NoOptDefVal = "true"
}

type chosen[T comparable] struct {
	to    *T
	value T
}

func (c *chosen[T]) Set(s string) error {
	v, err := strconv.ParseBool(s)
	var otherwise T
	if v {
		*c.to = c.value
	} else if *c.to == c.value {
		*c.to = otherwise
	}
	return err
}

func (*chosen[T]) String() string { return "" }
func (*chosen[T]) Type() string   { return "bool" }

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
		if f.Value.Type() == "bool" {
			return usagef("%s %q: give true or false, or nothing", spelling(f), invalid.GetValue())
		}
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
-g, -F and --exact take the pattern for a glob, a text or the whole name.

Left out are names that begin with a dot (unless -H) and what ignore files name
(unless -I): .gitignore and what else git heeds in a repository, .ignore,
.fdignore and .ldxignore. ldx --why PATH tells why something is not found. Flags
can be taken back: --no-hidden, --ignore, --ignore-vcs, ...

Examples:
  ldx readme                  names with "readme" in the working directory
  ldx '\.go$' cmd internal    names that end in .go, in two directories
  ldx -u passwd /etc          hidden and ignored names too
  ldx -g '*.{c,h}' src        a glob, for the whole name
  ldx -e go test --not util   an extension; a word, and not another
  ldx -E '*.min.js' '\.js$'   without those that a glob matches
  ldx -T d -d 2 . ~           directories, at most two levels down
  ldx -0 '\.o$' | xargs -0 rm paths safe for any name
`

const helpTail = `
Exit status: 0 success, also when nothing is found; 1 an error, such as a wrong
pattern, or -q has found nothing; 2 a wrong flag. A shell shows 130 for an
interrupted search, and 143 for a terminated one.
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
