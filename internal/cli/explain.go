package cli

import (
	"errors"

	"github.com/spf13/pflag"
)

// explain says what is wrong with a command's flag, and what would be right.
func explain(command string, set *pflag.FlagSet, err error) error {
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
			return usagef("there is no flag -%s (in -%s); %s --help lists all", name, short, command)
		}
		if like := nearest(set, name); like != "" {
			return usagef("there is no flag --%s; did you mean --%s?", name, like)
		}
		return usagef("there is no flag --%s; %s --help lists all", name, command)
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
