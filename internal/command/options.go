package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// Options calls do for each flag that args name, with the index of the argument and the flag; nil:
// set has none of that name. What belongs to a flag of Rest, and what is after --, is none.
func Options(set *pflag.FlagSet, args []string, do func(i int, f *pflag.Flag)) {
	for i := 0; i < len(args) && args[i] != "--"; {
		n := OptionLen(set, args[i:])
		if long, ok := strings.CutPrefix(args[i], "--"); ok {
			name, _, _ := strings.Cut(long, "=")
			do(i, set.Lookup(name))
		} else if n > 0 {
			letters(set, args[i][1:], func(f *pflag.Flag) { do(i, f) })
		}
		i += max(1, n)
	}
}

// letters calls do for each flag of an argument such as -Hd3.
func letters(set *pflag.FlagSet, arg string, do func(*pflag.Flag)) {
	for i := range len(arg) {
		f := set.ShorthandLookup(arg[i : i+1])
		do(f)
		if f == nil || f.NoOptDefVal == "" { // the rest is its value
			return
		}
	}
}

// SectionOf returns the section of the help that a flag is in.
func SectionOf(f *pflag.Flag) string {
	if in := f.Annotations[sectionKey]; len(in) > 0 {
		return in[0]
	}
	return ""
}
