package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ldx/internal/command"
	"ldx/internal/term"
)

// findSummary is what -h prints: at most 45 lines.
func findSummary() command.Summary {
	called := strings.NewReplacer("PROGRAM", self.name, "TYPE", self.typeLetter)
	usage := []string{"[flags] [pattern] [path ...]"}
	more := "--help: everything\n"
	if self.usages != nil {
		usage = append(usage, "du|dupes|hash|index|bench|completion|man|help ...")
		more = "--help: everything; ldx help du: the help of a command; ldx man: the manual page\n"
	}
	return command.Summary{
		Name: self.name, Title: "find files, fast", Usage: usage, More: more,
		Flags: []command.SummaryFlag{
			{Name: "hidden", Text: "search hidden files and directories"},
			{Name: "no-ignore", Text: "do not respect .gitignore and other ignore files"},
			{Name: "unrestricted", Text: "search everything: -H and -I"},
			{Name: "exclude", Text: "exclude what matches GLOB"},
			{Name: "follow", Text: "follow symbolic links"},
			{Name: "max-depth", Text: "search at most N levels deep"},
			{Name: "glob", Text: "the pattern is a glob, for the whole name"},
			{Name: "fixed-strings", Text: "the pattern is a literal string"},
			{Name: "ignore-case", Text: "ignore case; default: smart case"},
			{Name: "full-path", Text: "match the absolute path instead of the name"},
			{Name: "and", Text: "also require PATTERN to match; also --or, --not"},
			{Name: "type", Text: "f file, d directory, l symlink, x executable, ..."},
			{Name: "extension", Text: "only files with the extension EXT"},
			{Name: "size", Text: "+10k: at least 10,000 bytes; -2mi: at most 2 MiB"},
			{Name: "newer", Text: "modified within 2h, 1week or since 2024-07-31"},
			{Name: "older", Text: "modified longer ago"},
			{Name: "owner", Text: "only what belongs to USER:GROUP"},
			{Name: "list-details", Text: "long listing, as ls -l"},
			{Name: "sort", Text: "sort by size, mtime, ...; --sortr: in reverse order"},
			{Name: "format", Text: "print each result as '{size:h} {path}'"},
			{Name: "absolute-path", Text: "print absolute paths"},
			{Name: "print0", Text: "end each result with a NUL character, for xargs -0"},
			{Name: "max-results", Text: "stop after N results; -1: after the first"},
			{Name: "count", Text: "print only the number of results"},
			{Name: "exec", Text: "run CMD ... for each result"},
			{Name: "exec-batch", Text: "run CMD ... once with all results"},
			{Name: "delete", Text: "delete the results, after a question"},
			{Name: "threads", Text: "use at most N threads"},
			{Name: "why", Text: "print which rule hides or ignores PATH"},
		},
		Examples: called.Replace(`  PROGRAM readme                    names that contain "readme"
  PROGRAM '\.go$' cmd internal      names that end in .go, in two directories
  PROGRAM -g '*.{c,h}' src          a glob, for the whole name
  PROGRAM -S +10m --newer 1week     large files, modified within a week
  PROGRAM -e jpg -x convert {} {.}.png
                                run a command for each result
`),
	}
}

// setHelp has --help of a command show a page with all flags, on a terminal through a pager.
func setHelp(cmd *cobra.Command, page func() command.Page, sets ...*command.Flags) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := page().Help(sets...)
		if term.IsTerminal(os.Stdout) {
			_ = term.ShowPage(os.Stdout, text) // a terminal that is gone has no reader
		} else {
			_, _ = cmd.OutOrStdout().Write(text)
		}
	})
}

// helpCommand returns ldx help, which prints the help of another command.
func helpCommand() *cobra.Command {
	cmd := command.New("help [command]", "ldx help")
	cmd.Long = "Print the help of a command, as its --help does.\nTo search for something called help: ldx -- help\n"
	command.SuggestFirst(cmd, subcommands(), false)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		of, _ := findCommand(new(int))
		if len(args) > 0 {
			if of = subcommand(args[0], new(int)); of == nil {
				return command.Usagef("there is no command %s; give one of %s; to search for help: ldx -- help",
					command.Quote(args[0]), strings.Join(subcommandNames(), ", "))
			}
			args = args[1:]
		}
		of.SetArgs(append(slices.Clone(args), "--help"))
		of.SetOut(cmd.OutOrStdout())
		return of.Execute()
	}
	return cmd
}

// subcommands are the commands besides the search, with what they are for.
func subcommands() []string {
	return []string{
		"du\tdisk usage", "dupes\tfiles with the same content",
		"hash\tSHA-256 of files", "index\trecord directories, for faster searches", "bench\tmeasure searches on this machine",
		"completion\tcompletions for a shell", "man\tthe manual pages", "help\tthe help of a command",
	}
}

func subcommandNames() (names []string) {
	for _, sub := range subcommands() {
		name, _, _ := strings.Cut(sub, "\t")
		names = append(names, name)
	}
	return names
}
