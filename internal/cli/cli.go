// Package cli is the command line: flags, the terminal, errors and the exit
// status. No other package knows of these.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/process"
	"ldx/internal/term"
)

// The exit statuses. An interrupted search is ended by the signal itself, which
// a shell shows as 130 (SIGINT) or 143 (SIGTERM).
const (
	statusOK    = 0
	statusError = 1 // something went wrong, or --quiet found nothing
	statusUsage = 2 // the command line does not say what to do

	statusInterrupted = 130 // of a bench, that has something to show first
)

// program is what ldx is called as. By the name of fd it is fd: it has its letters
// for flags, and no subcommands.
var program = "ldx"

func asFd() bool { return program != "ldx" }

// Main runs ldx with the process's arguments and returns its exit status.
func Main() int {
	if name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"); name == "fd" || name == "fdfind" {
		program = name
	}
	if err := process.Prepare(); err != nil {
		return exitStatus(err)
	}
	status, out := statusOK, &output{}
	cmd, args := command(os.Args[1:], &status)
	if !runsCommands(args) {
		process.IgnoreBrokenPipe()
	}
	cmd.SetArgs(args)
	cmd.SetOut(out)
	if err := cmp.Or(cmd.ExecuteContext(context.Background()), out.err); err != nil {
		return exitStatus(err)
	}
	return status
}

// An output is the standard output for what cobra prints, which does not report errors.
type output struct{ err error }

func (o *output) Write(p []byte) (int, error) {
	if o.err == nil {
		_, o.err = os.Stdout.Write(p)
	}
	return len(p), nil
}

// command returns the command that the arguments name, and the arguments for it. A
// subcommand must be the first of them.
func command(args []string, status *int) (*cobra.Command, []string) {
	if len(args) > 0 && !asFd() {
		if cmd := subcommand(args[0], status); cmd != nil {
			return cmd, args[1:]
		}
		if isCompletion(args[0]) && len(args) > 2 {
			if cmd := subcommand(args[1], status); cmd != nil {
				completeValues(cmd)
				return cmd, append(args[:1:1], args[2:]...)
			}
		}
	}
	find := findCommand(status)
	if len(args) > 0 && args[0] == "help" && !asFd() {
		return find, []string{"--help"}
	}
	if len(args) > 0 && isCompletion(args[0]) {
		completeValues(find) // which would cost every search
		return find, args
	}
	return find, joinCommands(find.Flags(), args)
}

// subcommand returns the command of that name, or nil.
func subcommand(name string, status *int) *cobra.Command {
	switch name {
	case "bench":
		return benchCommand(status)
	case "completion":
		return completionCommand()
	case "du":
		return duCommand(status)
	case "man":
		return manCommand()
	}
	return nil
}

// isCompletion reports whether a shell asks for completions of what follows.
func isCompletion(arg string) bool {
	return arg == cobra.ShellCompRequestCmd || arg == cobra.ShellCompNoDescRequestCmd
}

// exitStatus reports an error, if there is one, and returns the status to exit with. A broken
// pipe is not an error: the reader has all it wants.
func exitStatus(err error) int {
	if err == nil || process.IsBrokenPipe(err) {
		return statusOK
	}
	report(err)
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		return statusUsage
	}
	return statusError
}

// A usageError is a command line that cannot be understood. Its text says what
// is wrong and what to do, in one line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// report writes an error to stderr in one line, and of a pattern two more that show the place.
func report(err error) {
	text := program + ": " + term.Escape(err.Error()) + "\n"
	if place := (*patternError)(nil); errors.As(err, &place) {
		pattern, mark := place.shown()
		text += "  " + pattern + "\n  " + mark + "\n"
	}
	fmt.Fprint(os.Stderr, text)
}

// version returns the version that this program was built as.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// newCommand returns a command that says itself what is wrong, in one line.
func newCommand(use string) *cobra.Command {
	cmd := &cobra.Command{
		Use:               use,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		name := program
		if shown := cmd.Annotations[cobra.CommandDisplayNameAnnotation]; shown != "" {
			name = shown
		}
		return explain(name, cmd.Flags(), err)
	})
	return cmd
}
