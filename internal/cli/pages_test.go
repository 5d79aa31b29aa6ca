package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/command"
	"ldx/internal/printer"
)

// TestPages compares the pages in cmd/ldx with the flags and the prose that they are made of.
// LDX_UPDATE=1 writes them.
func TestPages(t *testing.T) {
	const head = "<!-- made by LDX_UPDATE=1 go test ./internal/cli, of the flags and of internal/cli/pages -->\n\n"
	for _, m := range manuals() {
		path := filepath.Join("..", "..", "cmd", "ldx", m.name()+".md")
		want := head + string(m.page.Markdown(m.flags...))
		if os.Getenv("LDX_UPDATE") == "1" {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		}
		have, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(have), "LDX_UPDATE=1 go test ./internal/cli writes it")
	}
}

// TestManual checks that man takes the manual pages without a warning, that they fit 80 columns,
// and that they have every flag, placeholder and variable.
func TestManual(t *testing.T) {
	for _, m := range manuals() {
		page := m.roff()
		for _, lint := range [][]string{
			{"groff", "-man", "-Tutf8", "-ww", "-z", "-rLL=80n"},
			{"mandoc", "-T", "lint", "-W", "style"},
		} {
			if _, err := exec.LookPath(lint[0]); err != nil {
				continue
			}
			cmd := exec.Command(lint[0], lint[1:]...)
			cmd.Stdin = bytes.NewReader(page)
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, m.name())
			assert.Empty(t, string(out), m.name())
		}
		assertFits(t, m.name(), string(page))
		for _, set := range m.flags {
			set.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden {
					assert.Contains(t, string(page), `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`), m.name())
				}
			})
		}
	}
	for _, placeholder := range printer.Placeholders() {
		assert.Contains(t, findSections, placeholder)
	}
}

// assertFits checks the lines that man does not fill: they are indented by seven columns.
func assertFits(t *testing.T, name, page string) {
	t.Helper()
	const columns = 80 - 7
	escapes := regexp.MustCompile(`\\\(..|\\.`)
	inExample := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		switch line {
		case ".EX":
			inExample = true
		case ".EE":
			inExample = false
		}
		if inExample {
			assert.LessOrEqual(t, len(escapes.ReplaceAllString(line, "x")), columns, "%s: %s", name, line)
		}
	}
}

// TestHelpFits checks that help fits 80 columns.
func TestHelpFits(t *testing.T) {
	texts := [][]byte{}
	for _, m := range manuals() {
		texts = append(texts, m.page.Help(m.flags...))
	}
	for i, flags := range benchFlagSets() {
		texts = append(texts, benches()[i].page().Help(flags))
	}
	for _, text := range texts {
		for line := range strings.Lines(string(text)) {
			assert.LessOrEqual(t, len(line), 81, line)
		}
	}
}

// TestSummary checks that -h fits a screen, with every flag in one line.
func TestSummary(t *testing.T) {
	ldx := self
	defer func() { self = ldx }()
	for _, who := range []personality{ldx, asFd("fd")} {
		self = who
		_, flags := findCommand(new(int))
		lines := strings.Split(strings.TrimSuffix(string(findSummary().Help(flags)), "\n"), "\n")
		assert.LessOrEqual(t, len(lines), 45, who.name)
		for _, line := range lines {
			assert.LessOrEqual(t, len(line), 80, line)
			assert.NotContains(t, line, "PROGRAM")
		}
		for _, flag := range findSummary().Flags {
			assert.NotNil(t, flags.Lookup(flag.Name), flag.Name)
		}
	}
}

// TestSubcommands checks that completions offer the commands that there are.
func TestSubcommands(t *testing.T) {
	for _, name := range subcommandNames() {
		assert.NotNil(t, subcommand(name, new(int)), name)
		assert.Contains(t, strings.Join(self.usages, "\n")+"\n", name+" ")
	}
	for _, shell := range command.Shells() {
		assert.Contains(t, strings.Join(self.usages, "\n"), shell)
	}
}
