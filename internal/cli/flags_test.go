package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/command"
)

// Each flag that is listed says what it does, and names its value.
func TestFlagsAreExplained(t *testing.T) {
	_, find := findCommand(new(int))
	_, du := duCommand(new(int))
	ldx := self
	self = asFd("fd")
	_, fd := findCommand(new(int))
	self = ldx
	_, index := indexCommand(new(int))
	_, hash := hashCommand(new(int))
	for _, set := range []*command.Flags{find, du, hash, index, fd} {
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			value, text := pflag.UnquoteUsage(f)
			assert.NotEmpty(t, text, f.Name)
			if f.Value.Type() != "bool" {
				assert.Regexp(t, "^[A-Z:]+( \\.\\.\\.)?$", value, f.Name)
			}
		})
	}
}

// An error for a flag without its value shows two values, and both are right.
func TestExamplesOfValues(t *testing.T) {
	commands := []func() *cobra.Command{
		func() *cobra.Command { cmd, _ := findCommand(new(int)); return cmd },
		func() *cobra.Command { cmd, _ := duCommand(new(int)); return cmd },
		func() *cobra.Command { cmd, _ := indexCommand(new(int)); return cmd },
	}
	for _, newCommand := range commands {
		newCommand().Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || f.NoOptDefVal != "" || f.Hidden {
				return
			}
			cmd := newCommand()
			err := cmd.FlagErrorFunc()(cmd, cmd.ParseFlags([]string{"--" + f.Name}))
			_, examples, ok := strings.Cut(err.Error(), ", such as ")
			require.True(t, ok, "%s", err)
			first, second, ok := strings.Cut(examples, " or ")
			require.True(t, ok, "%s", err)
			assert.NotEqual(t, first, second)
			for _, example := range []string{first, second} {
				name, value, _ := strings.Cut(example, " ")
				require.NoError(t, newCommand().ParseFlags([]string{name, strings.Trim(value, "'")}), example)
			}
		})
	}
}

// The pairs of flags that exclude each other are flags that the command has.
func TestConflictsAreOfFlags(t *testing.T) {
	_, find := findCommand(new(int))
	_, du := duCommand(new(int))
	require.NoError(t, (&findFlags{output: outputFlags{absolute: true}}).conflict(find, 0))
	require.NoError(t, conflict(du, (&duFlags{}).groups()))
}
