// Package cli is the commands of ldx: their flags, what these mean to the packages that do the
// work, errors and the exit status.
//
//	cli.go         main, the exit status, and what depends on the program's name
//	find.go        the search
//	flags_*.go     groups of flags that commands share: each has its flags, what they mean, and
//	               which exclude each other
//	config.go      the configuration file and LDX_OPTS; alias.go has the aliases in it
//	du.go, index.go, bench.go, man.go
//	               the other commands
//	help.go        --help, -h and ldx help
//	pages.go       the manual pages; their prose is in the directory pages
//	report.go      errors, hints and statistics
package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/format"
	"ldx/internal/printer"
	"ldx/internal/process"
	"ldx/internal/spawn"
)

// The exit statuses. An interrupted search is ended by the signal itself, which
// a shell shows as 130 (SIGINT) or 143 (SIGTERM).
const (
	statusOK    = 0
	statusError = 1 // something went wrong, or --quiet found nothing
	statusUsage = 2 // the command line does not say what to do

	statusInterrupted = 130 // of a bench, that has something to show first
)

// A personality is what depends on the name that the program is called by.
type personality struct {
	name         string
	version      string   // what --version prints; %s is the version
	usages       []string // of subcommands; nil: there are none
	typeLetter   string   // of --type; unless it is t, -t is for --type and --threads
	habits       bool     // those of users of other tools are understood, where fd does not
	listsMore    bool     // -l goes with -0, -a and limits
	marks        bool     // what matches is underlined
	onlyDirs     bool     // a path that is not a directory is an error
	follows      string   // what -L means: once or all
	containRoots bool     // --ignore-contain leaves out paths too
	formatHint   func() string
	template     func(text string, s printer.Style, end byte, groups printer.Groups) (printer.Renderer, error) // of --format
	arguments    func(*printer.Fields) spawn.Parser                                                            // of -x and -X
}

// self is ldx, unless the program is called fd.
var self = personality{
	name:    "ldx",
	version: "ldx %s",
	usages: []string{
		"du [flags] [path ...]", "dupes [flags] [pattern] [path ...]", "hash [flags] [pattern] [path ...]",
		"index [list|check|drop] [flags] [path ...]",
		"bench threads|buffers|cache|compare|index|hash|store [flags] [path ...]", "completion bash|zsh|fish|nushell|powershell",
		"man [du|dupes|hash|index|bench]", "help [du|dupes|hash|index|bench|completion|man]",
	},
	typeLetter: "T",
	follows:    "once",
	habits:     true,
	listsMore:  true,
	marks:      true,
	formatHint: func() string {
		return "; also " + strings.Join(printer.Placeholders(), " ") +
			"; {1} and {NAME} of groups of the pattern; with layouts and widths: {size:h}, {mtime:%F %T}, {mtime:relative}, {size:>10}; \\t \\n \\0"
	},
	template: func(text string, s printer.Style, end byte, groups printer.Groups) (printer.Renderer, error) {
		return printer.NewTemplate(text, s, end, groups)
	},
	arguments: func(fields *printer.Fields) spawn.Parser {
		return func(arg string) (*format.Template, error) { return format.ParseArgument(arg, fields.LookUp) }
	},
}

// asFd returns the personality of fd, which ldx has when it is called by that name: fd's
// letters, no subcommands, and templates in which what is not a placeholder stands for itself.
func asFd(name string) personality {
	return personality{
		name:       name,
		version:    "fd 10.5 (ldx %s)", // the fd whose flags it takes
		typeLetter: "t",
		onlyDirs:   true,
		follows:    "all",

		containRoots: true,
		formatHint:   func() string { return "" },
		template: func(text string, s printer.Style, end byte, _ printer.Groups) (printer.Renderer, error) {
			return printer.NewPathTemplate(text, s, end), nil
		},
		arguments: func(*printer.Fields) spawn.Parser { return spawn.Paths },
	}
}

// Main runs ldx with the process's arguments and returns its exit status.
func Main() int {
	if name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"); name == "fd" || name == "fdfind" {
		self = asFd(name)
	}
	if err := process.Prepare(); err != nil {
		return exitStatus(err)
	}
	status, out := statusOK, &output{}
	cmd, args := commandOf(os.Args[1:], &status)
	if err := answerFind(cmd, args); err != nil {
		return exitStatus(err)
	}
	args, err := own.apply(cmd, args)
	if err != nil {
		return exitStatus(err)
	}
	args, runs := command.JoinRest(cmd.Flags(), args)
	if !runs { // commands would inherit it
		process.IgnoreBrokenPipe()
	}
	cmd.SetArgs(args)
	cmd.SetOut(out)
	if err := cmp.Or(cmd.ExecuteContext(context.Background()), out.err); err != nil {
		return exitStatus(own.explain(cmd, err))
	}
	return status
}

// An output is stdout for what is printed by callers that do not look at errors.
type output struct{ err error }

func (o *output) Write(p []byte) (int, error) {
	if o.err == nil {
		_, o.err = os.Stdout.Write(p)
	}
	return len(p), nil
}

// commandOf returns the command that the arguments name, and the arguments for it. A
// subcommand must be the first of them.
func commandOf(args []string, status *int) (*cobra.Command, []string) {
	completes := len(args) > 0 && command.IsCompletion(args[0])
	if self.usages != nil {
		switch {
		case len(args) > 1 && (args[0] == "--help" || args[0] == "-h"):
			if cmd := subcommand(args[1], status); cmd != nil {
				return cmd, append(slices.Clone(args[2:]), "--help")
			}
		case len(args) > 0:
			if cmd := subcommand(args[0], status); cmd != nil {
				return cmd, args[1:]
			}
		}
		if completes && len(args) > 2 {
			if cmd := subcommand(args[1], status); cmd != nil {
				command.Complete(cmd)
				return cmd, append(args[:1:1], args[2:]...)
			}
		}
	}
	find, _ := findCommand(status)
	if completes {
		own.suggestAliases(find.Flags())
		command.Complete(find) // which would cost every search
		if self.usages != nil && len(args) == 2 {
			command.SuggestFirst(find, subcommands(), true)
		}
	}
	return find, args
}

// subcommand returns the command of that name, or nil.
func subcommand(name string, status *int) (cmd *cobra.Command) {
	switch name {
	case "bench":
		cmd = benchCommand(status)
	case "completion":
		cmd = completionCommand()
	case "du":
		cmd, _ = duCommand(status)
	case "dupes":
		cmd, _ = dupesCommand(status)
	case "hash":
		cmd, _ = hashCommand(status)
	case "help":
		cmd = helpCommand()
	case "index":
		cmd, _ = indexCommand(status)
	case "man":
		cmd = manCommand()
	}
	return cmd
}

// exitStatus reports an error, if there is one, and returns the status to exit with. A broken
// pipe is not an error: the reader has all it wants.
func exitStatus(err error) int {
	if err == nil || process.IsBrokenPipe(err) {
		return statusOK
	}
	report(err)
	if _, ok := errors.AsType[*command.UsageError](err); ok {
		return statusUsage
	}
	if a, ok := errors.AsType[*advice](err); ok && a.usage {
		return statusUsage
	}
	return statusError
}
