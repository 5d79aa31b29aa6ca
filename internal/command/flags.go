// Package command is what all commands share: flags in sections, values that know their words,
// help, the manual page, completions, and errors that say what to do. It knows nothing about
// searching.
//
//	flags.go       a set of flags, their opposites, aliases and conflicts
//	values.go      what the values of flags may be
//	page.go        help, made from the flags; summary.go has a short one
//	manual.go      the manual page, and the same as Markdown
//	prose.go       the prose of manual pages
//	completion.go  completions for shells; scripts.go has those that are not cobra's
//	explain.go     what is wrong with a command line
package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Flags is a set of flags in sections.
type Flags struct {
	*pflag.FlagSet
	sections []string
	others   [][2]string         // a flag, and another name for it
	section  map[string][]string // the annotations of the flags that are added: one for all
}

const sectionKey = "section"

// NewFlags returns Flags that add to set.
func NewFlags(set *pflag.FlagSet) *Flags {
	set.SortFlags = false
	return &Flags{FlagSet: set}
}

// Section puts the flags that are added from now on into a section of the help. Sections are
// shown in the order in which they were named first.
func (f *Flags) Section(title string) {
	if !slices.Contains(f.sections, title) {
		f.sections = append(f.sections, title)
	}
	f.section = map[string][]string{sectionKey: {title}}
}

// Add adds a flag. A letter that another flag has already is left to that one. Usage says what
// the flag does, and names its value in backquotes.
func (f *Flags) Add(value pflag.Value, name, letter, usage string) *pflag.Flag {
	if letter != "" && f.ShorthandLookup(letter) != nil {
		letter = ""
	}
	flag := &pflag.Flag{Name: name, Shorthand: letter, Usage: usage, Value: value, Annotations: f.section}
	if value.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	f.AddFlag(flag)
	return flag
}

// Bool adds a flag that sets *to.
func (f *Flags) Bool(to *bool, name, letter, usage string) {
	f.Add((*boolean)(to), name, letter, usage)
}

// Func adds a flag whose values are given to parse. words, which may be nil, returns what is
// suggested for it.
func (f *Flags) Func(name, letter, usage string, parse func(string) error, words func() []string) {
	f.Add(&parsed{parse, words}, name, letter, usage)
}

// Words returns a function that returns words.
func Words(words ...string) func() []string { return func() []string { return words } }

// Switch adds a flag without a value, which calls do.
func (f *Flags) Switch(name, letter, usage string, do func()) {
	f.Add(&switched{do}, name, letter, usage)
}

// Choice adds a flag that stands for one of several values of *to; of all that are given, the
// last one counts.
func Choice[T comparable](f *Flags, to *T, value T, name, letter, usage string) {
	f.Add(&choice[T]{to, value}, name, letter, usage)
}

// Toggle adds a flag that sets *to, and its opposite, which resets *to and all of also. Of the
// two, the last on the command line counts. Help lists the one that changes the default.
func (f *Flags) Toggle(to *bool, name, letter, usage, opposite, oppositeUsage string, also ...*bool) {
	on := f.Add((*boolean)(to), name, letter, usage)
	off := f.Add(&reset{append(also, to)}, opposite, "", oppositeUsage)
	on.Hidden, off.Hidden = *to, !*to
}

// Alias adds other names for a flag, which help lists beside it.
func (f *Flags) Alias(name string, others ...string) {
	for _, other := range others {
		f.alias(name, other, "")
	}
}

// AliasLetter adds another letter for a flag, with a name. A letter that another flag has
// already is left to that one.
func (f *Flags) AliasLetter(name, letter, other string) {
	if f.ShorthandLookup(letter) == nil {
		f.alias(name, other, letter)
	}
}

// Also makes help list another way to write a flag.
func (f *Flags) Also(name, spelled string) { f.others = append(f.others, [2]string{name, spelled}) }

func (f *Flags) alias(name, other, letter string) {
	flag := *f.Lookup(name)
	flag.Name, flag.Shorthand, flag.Hidden = other, letter, true
	f.AddFlag(&flag)
}

// AddHidden adds a flag that help does not list.
func (f *Flags) AddHidden(value pflag.Value, name string) *pflag.Flag {
	flag := f.Add(value, name, "", "")
	flag.Hidden = true
	return flag
}

// Given reports whether a flag was given, by any of its names.
func (f *Flags) Given(name string) (given bool) {
	value := f.Lookup(name).Value // which all names share
	f.Visit(func(flag *pflag.Flag) { given = given || flag.Value == value })
	return given
}

// Conflict returns an error if both flags of a pair were given.
func (f *Flags) Conflict(pairs [][2]string) error {
	given := make(map[pflag.Value]*pflag.Flag)
	f.Visit(func(flag *pflag.Flag) { given[flag.Value] = flag })
	for _, pair := range pairs {
		a, b := given[f.Lookup(pair[0]).Value], given[f.Lookup(pair[1]).Value]
		if a != nil && b != nil {
			return Usagef("%s and %s exclude each other; leave one out", spelling(a), spelling(b))
		}
	}
	return nil
}

// Typed returns a flag as the user has written it: by another of its names, if that was given.
func (f *Flags) Typed(name string) string {
	flag := f.Lookup(name)
	f.Visit(func(given *pflag.Flag) {
		if given.Value == flag.Value {
			flag = given
		}
	})
	return spelling(flag)
}

// Pairs returns a with each of the others, for Conflict.
func Pairs(a string, others ...string) (pairs [][2]string) {
	for _, b := range others {
		pairs = append(pairs, [2]string{a, b})
	}
	return pairs
}

// listed calls do for each flag of a section that help lists.
func (f *Flags) listed(section string, do func(*pflag.Flag)) {
	f.VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden && flag.Annotations[sectionKey][0] == section {
			do(flag)
		}
	})
}

// description returns what a flag does, with its other names.
func (f *Flags) description(flag *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(flag)
	sep := " (also: "
	f.VisitAll(func(other *pflag.Flag) {
		if other.Value != flag.Value || other.Name == flag.Name {
			return
		}
		name := "--" + other.Name
		if other.Shorthand != "" {
			name = "-" + other.Shorthand
		}
		text += sep + name
		sep = ", "
	})
	for _, also := range f.others {
		if also[0] == flag.Name {
			text += sep + also[1]
			sep = ", "
		}
	}
	if sep == ", " {
		text += ")"
	}
	return text
}

// signature returns the names of a flag and that of its value, which must be attached if it
// may be omitted.
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

// Quote returns a text as a shell takes it for one word.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// ShellWord returns a text as a shell takes it for one word, in quotes only if it needs them.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./:,+@%=", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 && text[0] != '=' { // =word is zsh's
		return text
	}
	return Quote(text)
}
