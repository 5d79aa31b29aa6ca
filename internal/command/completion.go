package command

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Shells returns the shells that there are completions for.
func Shells() []string { return []string{"bash", "zsh", "fish", "nushell", "powershell"} }

// WriteCompletion writes a script that makes a shell complete the arguments of cmd. The shell
// "auto" is the one in $SHELL; flag is how users choose another.
func WriteCompletion(w io.Writer, cmd *cobra.Command, shell, flag string) error {
	if shell == "auto" {
		if shell = filepath.Base(os.Getenv("SHELL")); shell == "." {
			return Usagef("SHELL is not set; give one: %s=%s", flag, strings.Join(Shells(), "|"))
		}
	}
	switch shell {
	case "bash":
		return writeScript(w, bashScript, cmd.DisplayName())
	case "zsh":
		return cmd.GenZshCompletion(w)
	case "fish":
		return cmd.GenFishCompletion(w, true)
	case "nu", "nushell":
		return writeScript(w, nushellScript, cmd.DisplayName())
	case "powershell":
		return cmd.GenPowerShellCompletionWithDesc(w)
	}
	return Usagef("there is no completion for %s; give one of %s", Quote(shell), strings.Join(Shells(), ", "))
}

// IsCompletion reports whether an argument, the first one, is that of a shell that asks how to
// complete those after it.
func IsCompletion(arg string) bool {
	return arg == cobra.ShellCompRequestCmd || arg == cobra.ShellCompNoDescRequestCmd
}

// Complete makes cmd answer such a question, with one suggestion for each flag and with the
// words of its values. It takes time that a command itself does not have to spend.
func Complete(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = brief(f)
		if f.Shorthand != "" && !f.Hidden {
			f.Usage = "-" + f.Shorthand + ", " + f.Usage
		}
		f.Shorthand = "" // is not suggested, but still understood
		if value, ok := f.Value.(suggester); ok {
			err := cmd.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return value.suggest(typed)
			})
			if err != nil {
				panic("command: " + err.Error()) // the flag has completions already
			}
		}
	})
	for _, sub := range cmd.Commands() {
		Complete(sub)
	}
}

// brief returns what a flag does in a few words, which fit a line beside its name.
func brief(f *pflag.Flag) string {
	const columns = 50
	_, text := pflag.UnquoteUsage(f)
	for _, end := range []string{"; ", ": "} {
		text, _, _ = strings.Cut(text, end)
	}
	if len(text) > columns {
		text, _, _ = strings.Cut(text, " (")
	}
	return text
}

// SuggestFirst has a command suggest words for its first argument, each with a tab and what
// it is for. If others is set, an argument may be a path too.
func SuggestFirst(cmd *cobra.Command, words []string, others bool) {
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, typed string) (found []string, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			found = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, typed) })
		}
		if others {
			return found, cobra.ShellCompDirectiveDefault
		}
		return only(found...)
	}
}

// programs returns the programs in $PATH whose names begin with a prefix.
func programs(prefix string) (names []string) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), prefix) || e.IsDir() {
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && (info.Mode()&0o111 != 0 || os.PathSeparator == '\\') {
				names = append(names, e.Name())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
