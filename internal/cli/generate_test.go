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

// TestReadme compares README's table of flags with the flags. LDX_UPDATE=1 writes
// it.
func TestReadme(t *testing.T) {
	const path, from, to = "../../README.md", "<!-- made by LDX_UPDATE=1 go test ./internal/cli -->\n", "<!-- end -->\n"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), from)
	require.True(t, ok)
	have, after, ok := strings.Cut(rest, to)
	require.True(t, ok)
	want := findPage().markdownTable(findCommand(new(int)).Flags())
	if os.Getenv("LDX_UPDATE") == "1" {
		require.NoError(t, os.WriteFile(path, []byte(before+from+want+to+after), 0o644))
		return
	}
	assert.Equal(t, want, have, "LDX_UPDATE=1 go test ./internal/cli writes it")
}

// Each flag that is not hidden says what it does, and names its value.
func TestFlagsAreTold(t *testing.T) {
	for _, name := range []string{"ldx", "fd"} {
		program = name
		set := findCommand(new(int)).Flags()
		program = "ldx"
		told := 0
		for _, g := range groups {
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

// The manual is what man takes without a warning, and has every flag.
func TestManual(t *testing.T) {
	page := findPage().manual(findCommand(new(int)).Flags())
	if _, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command("groff", "-man", "-Tutf8", "-ww", "-z")
		cmd.Stdin = bytes.NewReader(page)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err)
		assert.Empty(t, string(out))
	}
	for _, g := range groups {
		eachFlag(findCommand(new(int)).Flags(), g, func(f *pflag.Flag) {
			assert.Contains(t, string(page), roff("--"+f.Name), f.Name)
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
