package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A UsageError is a command line that cannot be understood. Its text says what is wrong and
// what to do, in one line.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// Usagef returns a *UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// New returns a command that users call name; "": it is a subcommand of another. It prints no
// errors, and those of its flags say in one line what to do.
func New(use, name string) *cobra.Command {
	cmd := &cobra.Command{
		Use:               use,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	if name != "" {
		cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return explain(cmd.CommandPath(), cmd.Flags(), err) })
	return cmd
}

// explain returns what is wrong with a flag of the command, and what would be right.
func explain(command string, set *pflag.FlagSet, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return Usagef("there is no flag -%s (in -%s); %s --help lists all", name, short, command)
		}
		if like := nearest(set, name); like != "" {
			return Usagef("there is no flag --%s; did you mean --%s?", name, like)
		}
		return Usagef("there is no flag --%s; %s --help lists all", name, command)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Usagef("%s", missingValue(missing.GetFlag()))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		if takesRest(f) {
			return Usagef("%s", missingValue(f))
		}
		if f.Value.Type() == "bool" {
			return Usagef("%s %q: give true or false, or nothing", spelling(f), invalid.GetValue())
		}
		return Usagef("%s %q: %v", spelling(f), invalid.GetValue(), invalid.Unwrap())
	}
	if syntax, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return Usagef("%q is not a flag; to search for it, put -- before", syntax.GetSpecifiedFlag())
	}
	return Usagef("%v", err)
}

// missingValue says that a flag needs a value, with two of them.
func missingValue(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Hidden && f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	kind, _ := pflag.UnquoteUsage(f)
	first, second := examples(f, kind)
	if first == "" {
		return fmt.Sprintf("%s needs a value: %s %s", spelling(f), name, kind)
	}
	return fmt.Sprintf("%s needs a value, such as %s %s or %s %s", spelling(f), name, first, name, second)
}

// examples returns two values of a flag, as for a shell, by what its help calls the value; "":
// there are none.
func examples(f *pflag.Flag, kind string) (first, second string) {
	if value, ok := f.Value.(suggester); ok && kind != "CMD ..." {
		if words, _ := value.suggest(""); len(words) > 1 {
			first, _, _ = strings.Cut(words[0], "\t")
			second, _, _ = strings.Cut(words[1], "\t")
			return ShellWord(first), ShellWord(second)
		}
	}
	switch kind {
	case "N":
		if count, ok := f.Value.(*Count); ok {
			return strconv.Itoa(max(count.Min, 1)), strconv.Itoa(count.Min + 3)
		}
		return "1", "+2"
	case "CMD ...":
		return "wc -l", "cp {} /tmp"
	case "FILE", "PATH":
		return "notes.txt", "../notes.txt"
	case "DIR":
		return "src", "/tmp"
	case "GLOB":
		return "'*.o'", "build"
	case "PATTERN", "NAME":
		return "test", "README"
	case "EXPR":
		return "'size > 1M'", "'ext in (go, c)'"
	case "EXT":
		return "txt", "tar.gz"
	case "MODE":
		return "644", "u=rw,go=r"
	case "USER:GROUP":
		return "0", "0:0"
	case "TEMPLATE":
		return "'{/}'", "'{size} {}'"
	case "SEP":
		return "/", ":"
	case "TYPE":
		return "overlay", "fuse"
	case "A,B", "NAME,NAME":
		return "a", "a,b"
	case "N,N":
		return "1", "1,2"
	}
	return "", ""
}

// nearest returns the flag that a mistyped name may have meant, or "".
func nearest(set *pflag.FlagSet, name string) (best string) {
	changes := 3 // more make another word
	set.VisitAll(func(f *pflag.Flag) {
		if d := distance(name, f.Name); d < changes && !f.Hidden && d < len(name) {
			best, changes = f.Name, d
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
