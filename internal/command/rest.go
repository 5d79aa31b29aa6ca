package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A rest is the value of a flag that takes all arguments up to a ; or the end, as find's -exec.
type rest struct {
	to *[][]string
}

// restSeparator is in no argument.
const restSeparator = "\x00"

// Rest adds a flag that appends to *to the command after it: arguments up to a ; or the end.
func (f *Flags) Rest(to *[][]string, name, letter, usage string) {
	f.Add(&rest{to}, name, letter, usage)
}

func (r *rest) Set(s string) error {
	args := strings.Split(s, restSeparator)
	if args[0] == "" {
		return errors.New("give a command")
	}
	*r.to = append(*r.to, args)
	return nil
}

func (*rest) String() string { return "" }
func (*rest) Type() string   { return "string" }

// suggest returns programs. If there is none, it is a path that is typed.
func (*rest) suggest(typed string) ([]string, cobra.ShellCompDirective) {
	if names := programs(typed); len(names) > 0 {
		return only(names...)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// JoinRest makes one argument of each flag of Rest and the arguments that it takes, as pflag
// wants it: "-x", "echo", "{}", ";" becomes "--exec=echo\x00{}". It reports whether there was
// one. What a shell asks for is made a question about the last argument.
func JoinRest(set *pflag.FlagSet, args []string) (joined []string, some bool) {
	if len(args) > 0 && IsCompletion(args[0]) {
		return append(args[:1:1], beforeLast(set, args[1:])...), false
	}
	joined = make([]string, 0, len(args)) // not nil, which is os.Args to cobra
	var end int
	for i := 0; i < len(args); i = end {
		if args[i] == "--" {
			return append(joined, args[i:]...), some
		}
		name, flags, _ := restFlag(set, args[i])
		end = i + max(1, OptionLen(set, args[i:]))
		if name == "" {
			some = some || isRest(set, args[i])
			joined = append(joined, args[i:end]...)
			continue
		}
		if flags != "" {
			joined = append(joined, flags)
		}
		command := args[i+1 : end]
		if n := len(command) - 1; n >= 0 && command[n] == ";" {
			command = command[:n]
		}
		joined, some = append(joined, "--"+name+"="+strings.Join(command, restSeparator)), true
	}
	return joined, some
}

// beforeLast returns the arguments that matter to the last one, which a shell asks to complete:
// those without the commands that have ended. In a command the last one is a file.
func beforeLast(set *pflag.FlagSet, args []string) (rest []string) {
	last := len(args) - 1
	var end int
	for i := 0; i < last; i = end {
		if args[i] == "--" {
			return append(rest, args[i:]...)
		}
		name, flags, _ := restFlag(set, args[i])
		end = i + max(1, OptionLen(set, args[i:last]))
		if name == "" {
			rest = append(rest, args[i:end]...)
			continue
		}
		if flags != "" {
			rest = append(rest, flags)
		}
		switch {
		case args[end-1] == ";": // the command has ended
		case end == i+1:
			rest = append(rest, "--"+name)
		default:
			return []string{"--", args[last]}
		}
	}
	return append(rest, args[max(last, 0):]...)
}

// IsOption reports whether args[i] is where a flag may be: it is no value of the flag before it,
// in no command that a flag of Rest takes, and not after --.
func IsOption(set *pflag.FlagSet, args []string, i int) bool {
	at := 0
	for at < i && args[at] != "--" {
		at += max(1, OptionLen(set, args[at:]))
	}
	return at == i
}

// OptionLen returns how many arguments at the beginning of args are one flag, or several
// letters, with the value; 0: there is no flag.
func OptionLen(set *pflag.FlagSet, args []string) int {
	if len(args[0]) < 2 || args[0][0] != '-' {
		return 0
	}
	name, _, takesNext := restFlag(set, args[0])
	switch {
	case name != "":
		if end := slices.Index(args, ";"); end >= 0 {
			return end + 1
		}
		return len(args)
	case takesNext:
		return min(2, len(args))
	}
	return 1
}

// isRest reports whether an argument is a flag of Rest with its value.
func isRest(set *pflag.FlagSet, arg string) bool {
	long, ok := strings.CutPrefix(arg, "--")
	name, _, hasValue := strings.Cut(long, "=")
	if !ok || !hasValue {
		return false
	}
	f := set.Lookup(name)
	return f != nil && takesRest(f)
}

func takesRest(f *pflag.Flag) bool {
	_, ok := f.Value.(*rest)
	return ok
}

// restFlag looks for a flag of Rest, without its value, in an argument. It returns its name and
// the short flags before it; or else whether the argument ends in a flag whose value is the
// next argument.
func restFlag(set *pflag.FlagSet, arg string) (name, before string, takesNext bool) {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		switch f := set.Lookup(long); {
		case f == nil || f.NoOptDefVal != "":
			return "", "", false
		case takesRest(f):
			return f.Name, "", false
		}
		return "", "", true
	}
	if len(arg) < 2 || arg[0] != '-' {
		return "", "", false
	}
	for i := 1; i < len(arg); i++ {
		f := set.ShorthandLookup(arg[i : i+1])
		switch {
		case f == nil || f.NoOptDefVal != "":
			continue
		case i+1 < len(arg): // its value
			return "", "", false
		case takesRest(f):
			return f.Name, strings.TrimSuffix(arg[:i], "-"), false
		}
		return "", "", true
	}
	return "", "", false
}
