package command

import (
	"errors"
	"fmt"

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
		f := missing.GetFlag()
		return Usagef("%s needs a value: %s", spelling(f), example(f))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
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

func example(f *pflag.Flag) string {
	value, _ := pflag.UnquoteUsage(f)
	if f.Hidden && f.Shorthand != "" {
		return "-" + f.Shorthand + " " + value
	}
	return "--" + f.Name + " " + value
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
