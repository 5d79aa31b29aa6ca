package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/term"
)

func completionCommand() *cobra.Command {
	cmd := command.New("completion "+strings.Join(command.Shells(), "|"), "ldx completion")
	cmd.Long = `Write what makes a shell complete the flags of ldx and their values.

  source <(ldx completion bash)                          bash, in ~/.bashrc
  ldx completion zsh > "${fpath[1]}/_ldx"                zsh
  ldx completion fish > ~/.config/fish/completions/ldx.fish
  ldx completion nushell > ~/.config/nushell/autoload/ldx.nu
  ldx completion powershell | Out-String | Invoke-Expression

In bash, zsh, fish and PowerShell it has a function too: lcd PATTERN [PATH ...]
changes to the directory of the first result. It is there from the start if the
shell's own file reads it, after compinit in ~/.zshrc:

  source <(ldx completion zsh)                           zsh
  ldx completion fish | source                           config.fish

To search for something called completion: ldx -- completion
`
	command.SuggestFirst(cmd, command.Shells(), false)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.Usagef("give one shell: %s", cmd.Use)
		}
		find, _ := findCommand(new(int))
		if err := command.WriteCompletion(os.Stdout, find, args[0], ""); err != nil {
			return err
		}
		return command.WriteChangeDir(os.Stdout, args[0], "lcd", self.name)
	}
	return cmd
}

func manCommand() *cobra.Command {
	cmd := command.New("man [du|dupes|hash|index|bench]", "ldx man")
	command.SuggestFirst(cmd, []string{
		"du\tldx-du(1)", "dupes\tldx-dupes(1)", "hash\tldx-hash(1)", "index\tldx-index(1)", "bench\tldx-bench(1)",
	}, false)
	cmd.Long = `Show the manual page on a terminal, as man does, or else write it in man's language.

  ldx man                                                ldx(1)
  ldx man du                                             ldx-du(1)
  ldx man index >~/.local/share/man/man1/ldx-index.1

To search for something called man: ldx -- man
`
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		m, ok := manualOf(strings.Join(args, " "))
		if !ok {
			return command.Usagef("there are pages for ldx, ldx du, ldx dupes, ldx hash, ldx index and ldx bench: " +
				"ldx man, ldx man du, ...; to search for man: ldx -- man")
		}
		if term.IsTerminal(os.Stdout) {
			return m.show()
		}
		_, err := os.Stdout.Write(m.roff())
		return err
	}
	return cmd
}

// show shows the page on the terminal: with man, or where there is none, as text.
func (m manual) show() error {
	if term.ShowManual(os.Stdout, m.name()+".1", m.roff()) {
		return nil
	}
	text := string(m.page.Help(m.flags...)) + "\n" + m.page.Sections
	return term.ShowPage(os.Stdout, []byte(text))
}
