package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ldx/internal/command"
	"ldx/internal/config"
	"ldx/internal/filter"
	"ldx/internal/ignore"
	"ldx/internal/term"
)

// optsVariable has flags, which come after those of the file.
const optsVariable = "LDX_OPTS"

// own is the user's configuration.
var own configuration

// A configuration is the user's own file and LDX_OPTS. The file is read when it is needed first:
// its flags on a terminal, an alias or a group where one is used.
type configuration struct {
	off  bool // neither is read
	read bool
	file *config.File
	err  error

	set map[pflag.Value]setFlag // flags that have a value from here
}

// A setFlag is a flag that the configuration has set.
type setFlag struct {
	name  string
	place config.Place
}

// load returns what the file says; nothing if there is none.
func (c *configuration) load() (*config.File, error) {
	if c.off || self.usages == nil {
		return &config.File{}, nil
	}
	if !c.read {
		c.read = true
		c.file, c.err = readConfig()
	}
	return c.file, c.err
}

func readConfig() (*config.File, error) {
	path, source := os.Getenv("LDX_CONFIG"), "LDX_CONFIG: "
	if path == "" {
		path, source = ignore.ConfigHome(os.Getenv)+"ldx/config", ""
	}
	file, err := config.Read(path)
	_, unread := errors.AsType[*fs.PathError](err)
	switch {
	case source == "" && errors.Is(err, fs.ErrNotExist):
		return &config.File{}, nil
	case unread:
		return nil, command.Usagef("%s%s; correct that, or set LDX_CONFIG to another file, such as %s", source, plain(err), os.DevNull)
	case err != nil:
		return nil, command.Usagef("%v", err)
	}
	for _, group := range file.Groups {
		if _, err := filter.KindExtensions(group.Name); err == nil {
			return nil, command.Usagef("%s: %s is a kind of files already; give the group another name", group.Place, group.Name)
		}
	}
	return file, nil
}

// apply sets the flags of the configuration, if stdout is a terminal, and returns the arguments of
// a command with the aliases in them replaced.
func (c *configuration) apply(cmd *cobra.Command, args []string) (_ []string, err error) {
	if self.usages == nil || cmd.Name() != self.name || len(args) > 0 && command.IsCompletion(args[0]) {
		return args, nil
	}
	set := cmd.Flags()
	unknown := false
	command.Options(set, args, func(i int, f *pflag.Flag) {
		unknown = unknown || f == nil
		c.off = c.off || args[i] == "--no-config"
	})
	if unknown {
		if args, err = c.expand(set, args, nil); err != nil {
			return nil, err
		}
	}
	if c.off || !term.IsTerminal(os.Stdout) {
		return args, nil
	}
	given := map[pflag.Value]bool{}
	command.Options(set, args, func(_ int, f *pflag.Flag) {
		if f != nil {
			given[f.Value] = true
		}
	})
	for _, name := range []string{"help", "summary", "version", "gen-completions", "no-config"} {
		if given[set.Lookup(name).Value] {
			return args, nil
		}
	}
	return args, c.setFlags(cmd, given)
}

// setFlags sets the flags of the file and those of LDX_OPTS. given are those of the command
// line, which are set after them.
func (c *configuration) setFlags(cmd *cobra.Command, given map[pflag.Value]bool) error {
	file, err := c.load()
	if err == nil {
		err = checkAliases(cmd.Flags(), file)
	}
	if err != nil {
		return err
	}
	lines := file.Flags
	if text := os.Getenv(optsVariable); text != "" {
		words, err := config.Words(text)
		if err != nil {
			return command.Usagef("%s: %v", optsVariable, err)
		}
		lines = append(slices.Clip(lines), config.Setting{Words: words, Place: config.Place{Source: optsVariable}})
	}
	if len(lines) == 0 {
		return nil
	}
	set := command.NewFlags(cmd.Flags())
	replaced := replacedBy(set, given)
	c.set = map[pflag.Value]setFlag{}
	for _, line := range lines {
		words, err := c.expand(cmd.Flags(), line.Words, nil)
		if err != nil {
			return err
		}
		words, _ = command.JoinRest(cmd.Flags(), words)
		err = set.ParseAll(words, func(f *pflag.Flag, value string) error {
			if err := settable(set, f); err != nil || replaced[f.Value] {
				return err
			}
			if !given[f.Value] {
				c.set[f.Value] = setFlag{f.Name, line.Place}
			}
			return set.Set(f.Name, value)
		})
		if err != nil {
			return command.Usagef("%s: %v", line.Place, cmd.FlagErrorFunc()(cmd, err))
		}
		if set.NArg() > 0 {
			return command.Usagef("%s: %s is not a flag; only flags can be set, patterns and paths in an alias",
				line.Place, command.Quote(set.Arg(0)))
		}
	}
	return nil
}

// settable returns an error if a flag may not be set for all searches.
func settable(set *command.Flags, f *pflag.Flag) error {
	const instead = "; give it on the command line, or in an alias"
	if command.SectionOf(f) == sectionRun || f.Name == "filter" {
		return command.Usagef("%s cannot be set for all searches, like all flags that run commands or change files"+instead, set.Typed(f.Name))
	}
	switch f.Name {
	case "help", "summary", "version", "type-list", "gen-completions", "no-config", "why",
		"search-path", "all-drives", "base-directory", "patterns-from", "files-from":
		return command.Usagef("%s cannot be set for all searches"+instead, set.Typed(f.Name))
	}
	return nil
}

// replacedBy returns the flags that exclude one on the command line, which counts instead. A limit
// is not lifted by a flag that deletes.
func replacedBy(set *command.Flags, given map[pflag.Value]bool) map[pflag.Value]bool {
	pairs := slices.Concat((&findFlags{}).excluded(set),
		command.Pairs("absolute-path", "relative-to"), command.Pairs("tree", "sort"), command.Pairs("no-index", "unverified"))
	replaced := map[pflag.Value]bool{}
	for _, pair := range pairs {
		for i, name := range pair {
			other := set.Lookup(pair[1-i])
			limits := slices.Contains([]string{"max-results", "max-one-result", "prune"}, name) && command.SectionOf(other) == sectionRun
			if given[other.Value] && !limits {
				replaced[set.Lookup(name).Value] = true
			}
		}
	}
	return replaced
}

// explain returns an error with where the flags are from that it names, if the user has not
// typed them.
func (c *configuration) explain(cmd *cobra.Command, err error) error {
	set := command.NewFlags(cmd.Flags())
	for _, f := range slices.SortedFunc(maps.Values(c.set), func(a, b setFlag) int { return strings.Compare(a.name, b.name) }) {
		name := set.Typed(f.name)
		_, rest, named := strings.Cut(err.Error(), name)
		if named && strings.IndexAny(rest, " :") == 0 {
			return fmt.Errorf("%w (%s is from %s; --no-config leaves it out)", err, name, f.place)
		}
	}
	return err
}

// kindExtensions returns the extensions of a kind of files or, if there is none of that name, of
// a group in the configuration.
func kindExtensions(name string) ([]string, error) {
	extensions, unknown := filter.KindExtensions(name)
	if unknown == nil {
		return extensions, nil
	}
	file, err := own.load()
	if err != nil {
		return nil, err
	}
	if group := config.Find(file.Groups, name); group != nil {
		return group.Words, nil
	}
	for _, group := range file.Groups {
		unknown = fmt.Errorf("%w, %s", unknown, group.Name)
	}
	return nil, unknown
}

// kinds returns the kinds of files and the groups of the configuration, with their extensions.
func kinds() (list [][2]string, err error) {
	file, err := own.load()
	if err != nil {
		return nil, err
	}
	list = filter.Kinds()
	for _, group := range file.Groups {
		list = append(list, [2]string{group.Name, strings.Join(group.Words, " ")})
	}
	return list, nil
}
