package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ldx/internal/filter"
	"ldx/internal/printer"
)

// What is made from the flags: completions, the manual and README's table.

var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand() *cobra.Command {
	cmd := newCommand("completion " + strings.Join(shells, "|"))
	cmd.Long = `Write what makes a shell complete the flags of ldx and their values.

  source <(ldx completion bash)                          bash, in ~/.bashrc
  ldx completion zsh > "${fpath[1]}/_ldx"                zsh
  ldx completion fish > ~/.config/fish/completions/ldx.fish
  ldx completion powershell | Out-String | Invoke-Expression

To search for something called completion: ldx -- completion
`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("give one shell: %s", cmd.Use)
		}
		return writeCompletion(os.Stdout, args[0])
	}
	return cmd
}

// writeCompletion writes what makes a shell complete; "auto" is the user's own.
func writeCompletion(w io.Writer, shell string) error {
	if shell == "auto" {
		if shell = filepath.Base(os.Getenv("SHELL")); shell == "." {
			return usagef("SHELL is not set; give one: --gen-completions=%s", strings.Join(shells, "|"))
		}
	}
	find := findCommand(new(int))
	switch shell {
	case "bash":
		return find.GenBashCompletionV2(w, true)
	case "zsh":
		return find.GenZshCompletion(w)
	case "fish":
		return find.GenFishCompletion(w, true)
	case "powershell":
		return find.GenPowerShellCompletionWithDesc(w)
	}
	return usagef("there is no completion for %s; give one of %s", quoted(shell), strings.Join(shells, ", "))
}

// completeValues says what the values of flags may be. Arguments and all other
// values are files.
func completeValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	words := func(list ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
	}
	none := words()
	var types, groups []string
	for _, name := range filter.TypeNames() {
		types = append(types, strings.TrimSuffix(name[strings.IndexByte(name, '(')+1:], ")"))
	}
	for _, group := range filter.Groups() {
		groups = append(groups, group[0]+"\t"+strings.Join(strings.Fields(group[1])[:4], " ")+" ...")
	}
	when := words("auto", "always", "never")
	for name, complete := range map[string]cobra.CompletionFunc{
		"type": words(types...), "type-group": words(groups...), "gen-completions": words(shells...),
		"color": when, "hyperlink": when, "strip-cwd-prefix": when, "trailing-slash": when,
		"max-depth": none, "min-depth": none, "exact-depth": none, "threads": none, "max-results": none, "batch-size": none,
		"extension": none, "buffer-size": words("4ki", "32ki", "64ki", "256ki", "1mi"), "size": words("+1k", "+1m", "+1g", "-1k", "-1m"), "perm": none, "links": none, "inode": none,
		"owner": none, "and": none, "or": none, "not": none, "format": words("{}", "{/}", "{//}", "{.}", "{/.}", "{size:h} {path}"), "sort": words(printer.SortKeys()...), "sortr": words(printer.SortKeys()...),
		"count-dirs": when, "by": words("ext", "type", "user", "age"), "time": words("modified", "accessed", "status"),
		"time-style": words("full-iso", "long-iso", "iso"), "threshold": words("1K", "1M", "1G", "-1K"), "block-size": words("1", "512", "K", "M", "human-readable", "si"),
		"top": none, "top-files": none,
		"path-separator": none, "exclude": none, "ignore-contain": none, "max-buffer-time": none,
	} {
		register(cmd, name, complete)
	}
	for _, name := range []string{"changed", "accessed", "status-changed", "created"} {
		for _, side := range []string{"-within", "-before"} {
			register(cmd, name+side, words("1h", "1d", "1week", "1month"))
		}
	}
	for _, name := range []string{"base-directory", "search-path", "relative-to"} {
		register(cmd, name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
}

// register sets the completions of a flag, if the command has it.
func register(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if cmd.Flags().Lookup(flag) == nil {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("cli: " + err.Error()) // it has completions
	}
}

func manCommand() *cobra.Command {
	cmd := newCommand("man [du]")
	cmd.ValidArgs = []string{"du"}
	cmd.Long = "Write the manual page: ldx man | man -l -, ldx man du | man -l -\nTo search for something called man: ldx -- man\n"
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		page, set := findPage(), findCommand(new(int)).Flags()
		switch {
		case len(args) == 1 && args[0] == "du":
			page, set = duPage(), duCommand(new(int)).Flags()
		case len(args) > 0:
			return usagef("there are pages for ldx (ldx man) and ldx du (ldx man du) only; to search for man: ldx -- man")
		}
		_, err := os.Stdout.Write(page.manual(set))
		return err
	}
	return cmd
}

// manual returns the manual page, as man(7) has it.
func (p page) manual(set *pflag.FlagSet) []byte {
	name := strings.ReplaceAll(p.name, " ", "-")
	w := bytes.NewBufferString(fmt.Sprintf(".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(name), roff(name), p.title))
	for i, usage := range p.usage {
		if i > 0 {
			w.WriteString(".br\n")
		}
		fmt.Fprintf(w, ".B %s\n%s\n", p.name, usage)
	}
	section := func(title, text string) {
		fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(title))
		for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			if strings.HasPrefix(paragraph, "  ") {
				fmt.Fprintf(w, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
			} else {
				fmt.Fprintf(w, ".PP\n%s\n", roff(paragraph))
			}
		}
	}
	section("description", p.about)
	for _, name := range p.groups {
		fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(name))
		eachFlag(set, name, func(f *pflag.Flag) {
			_, text := pflag.UnquoteUsage(f)
			names, value := signature(f)
			fmt.Fprintf(w, ".TP\n\\fB%s\\fI%s\\fR\n%s\n", roff(names), roff(value), roff(text))
		})
	}
	section("examples", p.examples)
	section("exit status", p.status)
	return w.Bytes()
}

// roff escapes what troff would take for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// markdownTable returns README's table of the flags.
func (p page) markdownTable(set *pflag.FlagSet) string {
	var w strings.Builder
	w.WriteString("| flag | |\n|---|---|\n")
	for _, name := range p.groups {
		fmt.Fprintf(&w, "| **%s** | |\n", name)
		eachFlag(set, name, func(f *pflag.Flag) {
			_, text := pflag.UnquoteUsage(f)
			names, value := signature(f)
			text = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
			fmt.Fprintf(&w, "| `%s` | %s |\n", names+value, text)
		})
	}
	return w.String()
}

func writeGroups(w io.Writer) error {
	var b bytes.Buffer
	for _, g := range filter.Groups() {
		fmt.Fprintf(&b, "%-9s %s\n", g[0], g[1])
	}
	_, err := b.WriteTo(w)
	return err
}
