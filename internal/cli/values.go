package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"ldx/internal/filter"
)

// setNone is a flag that takes others back.
type setNone struct{ of []*bool }

func (none *setNone) Set(s string) error {
	v, err := strconv.ParseBool(s)
	for _, b := range none.of {
		*b = *b && !v
	}
	return err
}

func (*setNone) String() string { return "" }
func (*setNone) Type() string   { return "bool" }

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

// A bufferSize is a flag's value: so many bytes.
type bufferSize int

func (b *bufferSize) Set(s string) error {
	const least, most = 4 << 10, 16 << 20 // no record is longer, and hardly a directory
	how, n, err := filter.ParseSize(s)
	if err != nil || how != filter.Equal || n < least || n > most {
		return errors.New("give a size from 4ki to 16mi, such as 64ki")
	}
	*b = bufferSize(n)
	return nil
}

func (*bufferSize) String() string { return "" }
func (*bufferSize) Type() string   { return "SIZE" }

// commas is a flag's value: words with commas between them, of all times it is given.
type commas []string

func (c *commas) Set(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		if word == "" {
			return errors.New("there is nothing between two commas")
		}
		*c = append(*c, word)
	}
	return nil
}

func (*commas) String() string { return "" }
func (*commas) Type() string   { return "A,B" }

// numbers is a flag's value: numbers from 1 with commas between them. The last time it
// is given counts.
type numbers []int

func (n *numbers) Set(s string) error {
	*n = nil
	for word := range strings.SplitSeq(s, ",") {
		one := count{least: 1}
		if err := one.Set(word); err != nil {
			return errors.New("give whole numbers of at least 1, with commas between them")
		}
		*n = append(*n, one.n)
	}
	return nil
}

func (*numbers) String() string { return "" }
func (*numbers) Type() string   { return "N,N" }

// sizes is a flag's value as numbers is: of buffers, in bytes.
type sizes []int

func (n *sizes) Set(s string) error {
	*n = nil
	for word := range strings.SplitSeq(s, ",") {
		var one bufferSize
		if err := one.Set(word); err != nil {
			return err
		}
		*n = append(*n, int(one))
	}
	return nil
}

func (*sizes) String() string { return "" }
func (*sizes) Type() string   { return "SIZE,SIZE" }

// setCount is a flag that stands for a number.
type setCount struct {
	to *count
	n  int
}

func (c setCount) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if v {
		c.to.n, c.to.given = c.n, true
	}
	return err
}

func (setCount) String() string { return "" }
func (setCount) Type() string   { return "bool" }

// types is the value of --type.
type types struct{ any, none []filter.Type }

func (t *types) Set(s string) error {
	name, not := filter.Negated(s)
	parsed, err := filter.ParseType(name)
	if not {
		t.none = append(t.none, parsed)
	} else {
		t.any = append(t.any, parsed)
	}
	return err
}

func (t *types) String() string { return "" }
func (t *types) Type() string   { return "T" }

// A word is a flag's value: one of some.
type word struct {
	value string
	of    []string
}

func (w *word) Set(s string) error {
	if !slices.Contains(w.of, s) {
		return fmt.Errorf("give one of %s", strings.Join(w.of, ", "))
	}
	w.value = s
	return nil
}

func (w *word) String() string { return "" }
func (w *word) Type() string   { return "WHEN" }

// A list is the values of a flag that may be repeated.
type list []string

func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

func (l *list) String() string { return "" }
func (l *list) Type() string   { return "string" }

// A text is a flag's value that may be empty.
type text struct {
	text  string
	given bool
}

func (t *text) Set(s string) error {
	t.text, t.given = s, true
	return nil
}

func (t *text) String() string { return "" }
func (t *text) Type() string   { return "string" }

// An attributeValue is the value of a flag that asks for an Attribute, or with a !
// for its opposite; all that are given must hold.
type attributeValue struct {
	to    *[]filter.Attribute
	parse func(string) (filter.Attribute, error)
}

func attribute(set *pflag.FlagSet, to *[]filter.Attribute, name, short, usage string, parse func(string) (filter.Attribute, error)) {
	set.VarP(&attributeValue{to, parse}, name, short, usage)
}

func (v *attributeValue) Set(s string) error {
	value, not := filter.Negated(s)
	a, err := v.parse(value)
	if not {
		a = a.Not()
	}
	*v.to = append(*v.to, a)
	return err
}

func (*attributeValue) String() string { return "" }
func (*attributeValue) Type() string   { return "string" }

func parseSize(value string) (filter.Attribute, error) {
	how, n, err := filter.ParseSize(value)
	return filter.Size(how, n), err
}

func parsePerm(value string) (filter.Attribute, error) {
	how, bits, err := filter.ParseMode(value)
	return filter.Permissions(how, bits), err
}

func parseLinks(value string) (filter.Attribute, error) {
	how, n, err := filter.ParseNumber(value)
	return filter.Links(how, n), err
}

func parseInode(value string) (filter.Attribute, error) {
	how, n, err := filter.ParseNumber(value)
	return filter.Inode(how, n), err
}

// owner is the value of --owner, of which the last counts.
type owner struct{ attributes []filter.Attribute }

func (o *owner) Set(s string) (err error) {
	o.attributes, err = filter.ParseOwner(s)
	return err
}

func (o *owner) String() string { return "" }
func (o *owner) Type() string   { return "USER:GROUP" }

// commands is the value of --exec and --exec-batch, each as joinCommands has left
// it.
type commands [][]string

func (c *commands) Set(s string) error {
	args := strings.Split(s, commandSeparator)
	if args[0] == "" {
		return errors.New("give a command")
	}
	*c = append(*c, args)
	return nil
}

func (c *commands) String() string { return "" }
func (c *commands) Type() string   { return "CMD" }

// commandSeparator is in no argument.
const commandSeparator = "\x00"

// joinCommands makes one argument of a command and all that belongs to it, as pflag
// wants it: "-x", "echo", "{}", ";" becomes "--exec=echo\x00{}".
func joinCommands(set *pflag.FlagSet, args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, flags, takesNext := flagIn(set, arg)
		switch {
		case arg == "--":
			return append(joined, args[i:]...)
		case name == "":
			joined = append(joined, arg)
			if takesNext && i+1 < len(args) {
				i++
				joined = append(joined, args[i])
			}
			continue
		}
		if flags != "" {
			joined = append(joined, flags)
		}
		end := i + 1
		for end < len(args) && args[end] != ";" {
			end++
		}
		joined = append(joined, "--"+name+"="+strings.Join(args[i+1:end], commandSeparator))
		i = end
	}
	return joined
}

// runsCommands reports whether joined arguments have a command.
func runsCommands(joined []string) bool {
	for _, arg := range joined {
		switch {
		case arg == "--":
			return false
		case strings.HasPrefix(arg, "--exec="), strings.HasPrefix(arg, "--exec-batch="):
			return true
		}
	}
	return false
}

// flagIn looks for --exec or --exec-batch, without its value, in an argument. It
// returns its name, and the short flags before it; or else whether the argument
// ends in a flag whose value is the next argument.
func flagIn(set *pflag.FlagSet, arg string) (name, before string, takesNext bool) {
	isCommand := func(f *pflag.Flag) bool { return f.Name == "exec" || f.Name == "exec-batch" }
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		f := set.Lookup(long)
		if f == nil || f.NoOptDefVal != "" {
			return "", "", false
		}
		if isCommand(f) {
			return f.Name, "", false
		}
		return "", "", true
	}
	if len(arg) < 2 || arg[0] != '-' {
		return "", "", false
	}
	for i := 1; i < len(arg); i++ {
		f := set.ShorthandLookup(arg[i : i+1])
		if f == nil || f.NoOptDefVal != "" {
			continue
		}
		if i+1 < len(arg) { // its value
			return "", "", false
		}
		if isCommand(f) {
			return f.Name, strings.TrimSuffix(arg[:i], "-"), false
		}
		return "", "", true
	}
	return "", "", false
}
