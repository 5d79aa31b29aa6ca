package spawn_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/spawn"
)

// TestMain lets the test binary be a command that prints its arguments.
func TestMain(m *testing.M) {
	if os.Getenv("LDX_TEST_WRITE_ARGUMENTS") != "" {
		if err := json.NewEncoder(os.Stdout).Encode(os.Args[1:]); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestArguments passes arguments that must arrive unchanged: on Windows a
// process gets them as one string.
func TestArguments(t *testing.T) {
	t.Setenv("LDX_TEST_WRITE_ARGUMENTS", "1")
	self, err := os.Executable()
	require.NoError(t, err)
	if err := exec.Command(self).Run(); err != nil && strings.Contains(err.Error(), "exec format error") {
		t.Skip("this program runs in an emulator, and cannot be run by its name")
	}
	odd := []string{
		"", " ", `a"b`, `\`, `\\`, `c d\`, `"`, `\"`, `e\\"f g\\`, "*", "%PATH%", "$HOME", "&|<>^", "'", "new\nline", "ünï-日本-😀",
		"-x",
	}
	c, err := spawn.NewCommand(append(append([]string{self}, odd...), "{}"), spawn.Paths)
	require.NoError(t, err)
	for _, workers := range []int{1, 2} {
		for _, path := range []string{"plain", `a b\`, "%PATH%", "x&calc"} {
			var out bytes.Buffer
			r := spawn.NewRunner(spawn.Options{
				Commands: []*spawn.Command{c}, Workers: workers, Stdout: &out, Stderr: os.Stderr,
				Report: func(err error) { t.Error(err) },
			})
			require.NoError(t, r.Run([]byte(path)))
			ok, err := r.Close()
			require.NoError(t, err)
			require.True(t, ok)
			var got []string
			require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
			assert.Equal(t, append(odd[:len(odd):len(odd)], path), got)
		}
	}
	batch, err := spawn.NewBatchCommand(append([]string{self}, append(odd, "{}")...), spawn.Paths)
	require.NoError(t, err)
	var out bytes.Buffer
	b := spawn.NewBatch(spawn.Options{
		Commands: []*spawn.Command{batch}, Stdout: &out, Stderr: os.Stderr,
		Report: func(err error) { t.Error(err) },
	}, 0)
	for _, path := range odd {
		require.NoError(t, b.Add([]byte(path)))
	}
	require.True(t, b.Close())
	var got []string
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
	assert.Equal(t, append(odd[:len(odd):len(odd)], odd...), got)
}
