package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadme compares README's tables of flags with the flags. LDX_UPDATE=1 writes
// them.
func TestReadme(t *testing.T) {
	const path = "../../README.md"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	text := string(data)
	for from, want := range map[string]string{
		"<!-- made by LDX_UPDATE=1 go test ./internal/cli -->\n":            findPage().markdownTable(findCommand(new(int)).Flags()),
		"<!-- of ldx du, made by LDX_UPDATE=1 go test ./internal/cli -->\n": duPage().markdownTable(duCommand(new(int)).Flags()),
	} {
		before, rest, ok := strings.Cut(text, from)
		require.True(t, ok)
		have, after, ok := strings.Cut(rest, "<!-- end -->\n")
		require.True(t, ok)
		if os.Getenv("LDX_UPDATE") == "1" {
			text = before + from + want + "<!-- end -->\n" + after
			continue
		}
		assert.Equal(t, want, have, "LDX_UPDATE=1 go test ./internal/cli writes it")
	}
	if os.Getenv("LDX_UPDATE") == "1" {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// Each flag that is not hidden says what it does, and names its value.
func TestFlagsAreTold(t *testing.T) {
	for _, name := range []string{"ldx", "fd", "ldx du"} {
		page, set := duPage(), duCommand(new(int)).Flags()
		if name != "ldx du" {
			program = name
			page, set = findPage(), findCommand(new(int)).Flags()
			program = "ldx"
		}
		told := 0
		for _, g := range page.groups {
			eachFlag(set, g, func(f *pflag.Flag) {
				told++
				value, text := pflag.UnquoteUsage(f)
				assert.NotEmpty(t, text, f.Name)
				if f.Value.Type() != "bool" {
					assert.Regexp(t, "^[A-Z:]+( \\.\\.\\.)?$", value, f.Name)
				}
			})
		}
		n := 0
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				n++
			}
		})
		assert.Equal(t, n, told, "a flag is in no group")
	}
}

// The manuals are what man takes without a warning, and have every flag.
func TestManual(t *testing.T) {
	for _, row := range []struct {
		page page
		set  *pflag.FlagSet
	}{
		{findPage(), findCommand(new(int)).Flags()},
		{duPage(), duCommand(new(int)).Flags()},
	} {
		page := row.page.manual(row.set)
		if _, err := exec.LookPath("groff"); err == nil {
			cmd := exec.Command("groff", "-man", "-Tutf8", "-ww", "-z")
			cmd.Stdin = bytes.NewReader(page)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err)
			assert.Empty(t, string(out))
		}
		row.set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				assert.Contains(t, string(page), roff("--"+f.Name), f.Name)
			}
		})
	}
}

func TestJoinCommands(t *testing.T) {
	set := findCommand(new(int)).Flags()
	for _, row := range []struct{ args, want string }{
		{"a b", "a b"},
		{"-x echo", "--exec=echo"},
		{"-x echo a ; b", "--exec=echo|a b"},
		{"-x echo -- {} ; -X cat", "--exec=echo|--|{} --exec-batch=cat"},
		{"--exec echo -H", "--exec=echo|-H"},
		{"--exec=echo -H", "--exec=echo -H"},
		{"-xecho b", "-xecho b"},
		{"-x=echo b", "-x=echo b"},
		{"-Hx echo b", "-H --exec=echo|b"},
		{"-HX echo b", "-H --exec-batch=echo|b"},
		{"-e x echo", "-e x echo"},
		{"-ex echo", "-ex echo"},
		{"-d 3 -x echo", "-d 3 --exec=echo"},
		{"--extension -x -x echo", "--extension -x --exec=echo"},
		{"--hyperlink -x echo", "--hyperlink --exec=echo"},
		{"-- -x echo", "-- -x echo"},
		{"-x", "--exec="},
		{"-x ;", "--exec="},
		{"- -x echo", "- --exec=echo"},
		{"-Z -x echo", "-Z --exec=echo"},
	} {
		got := strings.Join(joinCommands(set, strings.Fields(row.args)), " ")
		assert.Equal(t, row.want, strings.ReplaceAll(got, commandSeparator, "|"), row.args)
	}
}
