package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ldx/internal/command"
	"ldx/internal/config"
)

// maxAliasWords is the number of words that an alias may stand for. Aliases may double others.
const maxAliasWords = 1000

// expand returns arguments in which the words of aliases stand for them: alias NAME is the flag
// --NAME, which cannot be taken for a pattern. within has the aliases that args belong to.
func (c *configuration) expand(set *pflag.FlagSet, args, within []string) (expanded []string, err error) {
	var file *config.File
	done := 0
	command.Options(set, args, func(i int, f *pflag.Flag) {
		name, long := strings.CutPrefix(args[i], "--")
		if f != nil || !long || err != nil {
			return
		}
		if file, err = c.load(); err == nil {
			err = checkAliases(set, file)
		}
		if err != nil {
			return
		}
		alias := config.Find(file.Aliases, name)
		if alias == nil {
			return
		}
		var words []string
		words, err = c.words(set, alias, within)
		expanded = append(append(expanded, args[done:i]...), words...)
		done = i + 1
	})
	return append(expanded, args[done:]...), err
}

// checkAliases returns an error if an alias has the name of a flag.
func checkAliases(set *pflag.FlagSet, file *config.File) error {
	for _, alias := range file.Aliases {
		if set.Lookup(alias.Name) != nil {
			return command.Usagef("%s: there is a flag --%s already; give the alias another name", alias.Place, alias.Name)
		}
	}
	return nil
}

// words returns what an alias stands for. The command of -x in it ends with the alias.
func (c *configuration) words(set *pflag.FlagSet, alias *config.Setting, within []string) ([]string, error) {
	if slices.Contains(within, alias.Name) {
		return nil, command.Usagef("%s: alias %s uses itself; leave out --%[2]s", alias.Place, alias.Name)
	}
	words, err := c.expand(set, alias.Words, append(slices.Clip(within), alias.Name))
	if err != nil {
		return nil, err
	}
	words, _ = command.JoinRest(set, words)
	if len(words) > maxAliasWords {
		return nil, command.Usagef("%s: alias %s stands for more than %d words; use fewer", alias.Place, alias.Name, maxAliasWords)
	}
	cmd, _ := findCommand(new(int)) // to find errors where they are
	if err := cmd.ParseFlags(words); err != nil {
		return nil, command.Usagef("%s: %v", alias.Place, cmd.FlagErrorFunc()(cmd, err))
	}
	return words, nil
}

// suggestAliases makes flags of the aliases, for completions.
func (c *configuration) suggestAliases(set *pflag.FlagSet) {
	file, err := c.load()
	if err != nil {
		return
	}
	for _, alias := range file.Aliases {
		if set.Lookup(alias.Name) == nil {
			flags := command.NewFlags(set)
			flags.Section(sectionOther)
			flags.Bool(new(bool), alias.Name, "", strings.Join(alias.Words, " "))
		}
	}
}
