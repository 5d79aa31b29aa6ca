package command

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writeNushell writes an extern for cmd and each of its subcommands: nushell has no way to ask
// a program for the completions of its arguments that works beside those of others.
func writeNushell(w io.Writer, cmd *cobra.Command) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# nushell completions for %s\n", cmd.DisplayName())
	writeExtern(&out, cmd, cmd.DisplayName())
	_, err := w.Write(out.Bytes())
	return err
}

func writeExtern(w *bytes.Buffer, cmd *cobra.Command, name string) {
	var params, completers strings.Builder
	completer := func(of string, words []string) string {
		if len(words) == 0 {
			return ""
		}
		of = "nu-complete " + name + " " + of
		fmt.Fprintf(&completers, "\ndef %q [] { [", of)
		for _, word := range words {
			word, about, _ := strings.Cut(word, "\t")
			fmt.Fprintf(&completers, " {value: %q, description: %q}", word, about)
		}
		completers.WriteString(" ] }\n")
		return fmt.Sprintf("@%q", of)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			writeNushellFlag(&params, f, completer)
		}
	})
	var first []string
	if cmd.ValidArgsFunction != nil {
		first, _ = cmd.ValidArgsFunction(cmd, nil, "")
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			first = append(first, sub.Name()+"\t"+sub.Short)
		}
	}
	if complete := completer("arguments", first); complete != "" {
		fmt.Fprintf(&params, "  argument?: string%s\n", complete)
	}
	params.WriteString("  ...arguments: path\n")
	fmt.Fprintf(w, "%s\nexport extern %q [\n%s]\n", completers.String(), name, params.String())
	for _, sub := range cmd.Commands() {
		writeExtern(w, sub, name+" "+sub.Name())
	}
}

func writeNushellFlag(w *strings.Builder, f *pflag.Flag, completer func(of string, words []string) string) {
	fmt.Fprintf(w, "  --%s", f.Name)
	if f.Shorthand != "" {
		fmt.Fprintf(w, "(-%s)", f.Shorthand)
	}
	if f.Value.Type() != "bool" {
		kind, words := "path", []string(nil)
		if value, ok := f.Value.(suggester); ok {
			if suggested, directive := value.suggest(""); directive == cobra.ShellCompDirectiveNoFileComp {
				kind, words = "string", suggested
			}
		}
		fmt.Fprintf(w, ": %s%s", kind, completer("--"+f.Name, words))
	}
	fmt.Fprintf(w, "  # %s\n", brief(f))
}
