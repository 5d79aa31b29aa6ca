package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ldx/internal/command"
	"ldx/internal/gnufind"
)

// An advice is an error for which there is a command line that does what was meant.
type advice struct {
	text    string // what is wrong, up to the command line
	command string
	notes   []string
	usage   bool // the exit status is that of a wrong command line
}

func (e *advice) Error() string {
	return strings.Join(append([]string{e.text + " " + e.command}, e.notes...), "; ")
}

// line returns a command line of the program.
func commandLine(args ...string) string {
	words := []string{self.name}
	for _, arg := range args {
		words = append(words, command.ShellWord(arg))
	}
	return strings.Join(words, " ")
}

// addThreadsOrType adds -t, which is --threads in other tools and --type in fd: a number is
// never a type.
func (f *findFlags) addThreadsOrType(set *command.Flags) {
	if self.typeLetter == "t" {
		return
	}
	set.Func("t", "t", "`T`", func(s string) error {
		if _, err := strconv.Atoi(s); err == nil {
			return f.walk.threads.Set(s)
		}
		return f.filters.addTypes(s)
	}, typeWords)
	set.Lookup("t").Hidden = true
	for _, name := range []string{"threads", "type"} {
		set.Also(name, "-t")
	}
}

// answerFind returns an error with the command line that does what was meant, if the arguments
// of the search have words of find's. Called as fd, the program takes them as fd does.
func answerFind(cmd *cobra.Command, args []string) error {
	if !self.habits || cmd.Name() != self.name || len(args) > 0 && command.IsCompletion(args[0]) {
		return nil
	}
	for i, arg := range args {
		if gnufind.IsWord(arg) && command.IsOption(cmd.Flags(), args, i) {
			return translated(cmd.Flags(), args)
		}
	}
	return nil
}

func translated(set *pflag.FlagSet, args []string) error {
	t, err := gnufind.Translate(args, gnufind.Options{
		Name: self.name,
		Own:  func(args []string) int { return command.OptionLen(set, args) },
		Exists: func(path string) bool {
			_, err := os.Lstat(path)
			return err == nil
		},
		Absolute: func(path string) string {
			absolute, err := filepath.Abs(path)
			if err != nil {
				return path
			}
			return filepath.ToSlash(absolute)
		},
	})
	if err != nil {
		return command.Usagef("%v", err)
	}
	const maxColumns = 40 // more is not worth repeating
	text := "find's " + t.Find + " is:"
	if len(t.Find) > maxColumns {
		text = "in " + self.name + " that is:"
	}
	return &advice{text: text, command: t.Command, notes: t.Notes, usage: true}
}

// explainHabit returns what explains an error of a flag: the answer for one of grep, ripgrep or
// rm, else that of explain.
func explainHabit(explain func(*cobra.Command, error) error) func(*cobra.Command, error) error {
	if !self.habits {
		return explain
	}
	return func(cmd *cobra.Command, err error) error {
		unknown, ok := errors.AsType[*pflag.NotExistError](err)
		if !ok || unknown.GetSpecifiedShortnames() == "" {
			return explain(cmd, err)
		}
		letters := unknown.GetSpecifiedShortnames()
		switch name := unknown.GetSpecifiedName(); {
		case name == "?":
			return command.Usagef("there is no flag -?; -h prints help")
		case name == "v":
			return command.Usagef("there is no flag -v; --not PATTERN leaves out what matches, --version prints the version")
		case letters == "rf", letters == "fr":
			return &advice{
				text:    "there is no flag -" + name + "; to search for -" + letters + ":",
				command: commandLine("--", "-"+letters), usage: true,
			}
		case name == "r", name == "R":
			return &advice{
				text:    "there is no flag -" + name + ": directories are searched recursively anyway; to search in files:",
				command: self.name + " -t f -X grep -l PATTERN", usage: true,
			}
		}
		return explain(cmd, err)
	}
}
