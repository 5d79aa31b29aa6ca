package cli

import (
	"testing"

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
	for _, set := range []*command.Flags{find, du, index, fd} {
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

// The pairs of flags that exclude each other are flags that the command has.
func TestConflictsAreOfFlags(t *testing.T) {
	_, find := findCommand(new(int))
	_, du := duCommand(new(int))
	require.NoError(t, (&findFlags{output: outputFlags{absolute: true}}).conflict(find, 0))
	require.NoError(t, conflict(du, (&duFlags{}).groups()))
}
