package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"ldx/internal/command"
	"ldx/internal/format"
	"ldx/internal/spawn"
	"ldx/internal/term"
)

// isAskable reports whether there is a terminal to ask on.
func isAskable() bool { return term.IsTerminal(os.Stdin) && term.IsTerminal(os.Stderr) }

// answer prints a question on stderr, and returns the answer in lower case; "" at the end of the
// input.
func answer(input io.Reader, question string) string {
	fmt.Fprint(os.Stderr, question)
	text, err := bufio.NewReader(input).ReadString('\n')
	if err != nil {
		fmt.Fprintln(os.Stderr)
	}
	return strings.ToLower(strings.TrimSpace(text))
}

// asks reports whether the answer to a question is yes.
func asks(input io.Reader, question string) bool {
	text := answer(input, question+" [y/N] ")
	return text == "y" || text == "yes"
}

// A confirmation asks before each command, until the answer is for all of them.
type confirmation struct{ all bool }

// ask is a spawn.Options.Before.
func (c *confirmation) ask(dir string, args []string) error {
	const shown = 20 // arguments
	text := shellLine(dir, args[:min(len(args), shown)])
	if more := len(args) - shown; more > 0 {
		text += " and " + counted(int64(more), "more argument", "more arguments")
	}
	if c.all {
		return nil
	}
	switch answer(os.Stdin, term.Escape(text)+" ? [y]es, [N]o, [a]ll, [q]uit ") {
	case "y", "yes":
		return nil
	case "a", "all":
		c.all = true
		return nil
	case "q", "quit":
		return spawn.ErrStopped
	}
	return spawn.ErrSkip
}

// printCommand is a spawn.Options.Before that prints the command and does not run it.
func printCommand(dir string, args []string) error {
	text := shellLine(dir, args)
	if term.IsTerminal(os.Stdout) {
		text = term.Escape(text)
	}
	if _, err := fmt.Println(text); err != nil {
		return err
	}
	return spawn.ErrSkip
}

// shellLine returns a command as a shell takes it; in another directory if dir is not empty.
func shellLine(dir string, args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = command.ShellWord(arg)
	}
	text := strings.Join(words, " ")
	if dir != "" {
		text = "cd " + command.ShellWord(dir) + " && " + text
	}
	return text
}

// label returns a spawn.Options.Label: a line as head(1) writes it.
func label(separator string) func(b, path []byte) []byte {
	terminal := term.IsTerminal(os.Stdout)
	return func(b, path []byte) []byte {
		path = format.Separate(path, separator)
		if terminal {
			path = term.AppendEscaped(nil, path)
		}
		return append(bytes.Join([][]byte{append(b, "==>"...), path, []byte("<==")}, []byte(" ")), '\n')
	}
}
