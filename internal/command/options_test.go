package command_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/command"
	"ldx/internal/dirtest"
)

// TestOptions finds the flags in random arguments that package pflag finds.
func TestOptions(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d repeats this", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var commands [][]string
	set := command.NewFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	set.Section("Run")
	set.Rest(&commands, "exec", "x", "")
	set.Bool(new(bool), "hidden", "H", "")
	set.Bool(new(bool), "ignore", "I", "")
	set.Add(new(command.Texts), "extension", "e", "")
	set.Add(new(command.Text), "hyperlink", "", "").NoOptDefVal = "auto"
	assert.Equal(t, "Run", command.SectionOf(set.Lookup("exec")))
	words := strings.Fields("-H -HI -e -He -Hego -ego go --extension --extension=go --hidden --hyperlink --hyperlink=x " +
		"-x -Hx --exec ; ; -- - x")
	parsed := 0
	for range 5000 {
		var args []string
		for range r.IntN(7) {
			args = append(args, words[r.IntN(len(words))])
		}
		joined, _ := command.JoinRest(set.FlagSet, args)
		var want, found []string
		if set.ParseAll(joined, func(f *pflag.Flag, _ string) error {
			want = append(want, f.Name)
			return nil
		}) != nil {
			continue
		}
		parsed++
		command.Options(set.FlagSet, args, func(i int, f *pflag.Flag) {
			require.Equal(t, byte('-'), args[i][0], "%q", args)
			found = append(found, f.Name)
		})
		require.Equal(t, want, found, "%q", args)
	}
	assert.Greater(t, parsed, 1000)
	command.Options(set.FlagSet, []string{"-Hq", "--nothing=x"}, func(i int, f *pflag.Flag) {
		assert.True(t, f == nil || f.Name == "hidden" && i == 0)
	})
}
