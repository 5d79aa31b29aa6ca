package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
)

func completionCommand() *cobra.Command {
	cmd := command.New("completion "+strings.Join(command.Shells(), "|"), "ldx completion")
	cmd.Long = `Write what makes a shell complete the flags of ldx and their values.

  source <(ldx completion bash)                          bash, in ~/.bashrc
  ldx completion zsh > "${fpath[1]}/_ldx"                zsh
  ldx completion fish > ~/.config/fish/completions/ldx.fish
  ldx completion powershell | Out-String | Invoke-Expression

To search for something called completion: ldx -- completion
`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.Usagef("give one shell: %s", cmd.Use)
		}
		find, _ := findCommand(new(int))
		return command.WriteCompletion(os.Stdout, find, args[0], "")
	}
	return cmd
}

func manCommand() *cobra.Command {
	cmd := command.New("man [du|index]", "ldx man")
	cmd.ValidArgs = []string{"du", "index"}
	cmd.Long = "Write the manual page: ldx man | man -l -, ldx man du | man -l -\nTo search for something called man: ldx -- man\n"
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		page := findPage()
		_, flags := findCommand(new(int))
		switch {
		case slices.Equal(args, []string{"du"}):
			page = duPage()
			_, flags = duCommand(new(int))
		case slices.Equal(args, []string{"index"}):
			page = indexPage()
			_, flags = indexCommand(new(int))
		case len(args) > 0:
			return command.Usagef("there are pages for ldx, ldx du and ldx index: ldx man, ldx man du, ldx man index; to search for man: ldx -- man")
		}
		_, err := os.Stdout.Write(page.Manual(flags))
		return err
	}
	return cmd
}
