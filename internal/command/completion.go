package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Shells returns the shells that there are completions for.
func Shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

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
		return cmd.GenBashCompletionV2(w, true)
	case "zsh":
		return cmd.GenZshCompletion(w)
	case "fish":
		return cmd.GenFishCompletion(w, true)
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

// Complete makes cmd answer such a question with the words of its flags' values. It takes time
// that a command itself does not have to spend.
func Complete(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		if value, ok := f.Value.(suggester); ok {
			err := cmd.RegisterFlagCompletionFunc(f.Name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return value.suggest()
			})
			if err != nil {
				panic("command: " + err.Error()) // the flag has completions already
			}
		}
	})
}
