package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestConfirm answers the questions of --confirm on a terminal.
func TestConfirm(t *testing.T) {
	for _, tt := range []struct {
		answers []string // one for each question
		ran     string
		args    []string
	}{
		{[]string{"yes\n", "n\n", "\n", "y\n"}, "a d", []string{"-x", "echo"}},
		{[]string{"n\n", "a\n"}, "b c d", []string{"-x", "echo"}},
		{[]string{"y\n", "q\n"}, "a", []string{"-x", "echo"}},
		{[]string{"\x04", "\x04", "\x04", "\x04"}, "", []string{"-x", "echo"}},
		{[]string{"y\n"}, "a b c d", []string{"-X", "echo"}},
		{[]string{"n\n", "y\n"}, "c d", []string{"--batch-size=2", "-X", "echo"}},
	} {
		dir := dirtest.TempDir(t)
		dirtest.Make(t, dir, "a", "b", "c", "d")
		master, terminal := openTerminal(t)
		var out strings.Builder
		cmd := exec.Command("ldx", append([]string{"--confirm", "--strip-cwd-prefix", "--sort=path"}, tt.args...)...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, terminal, &out, terminal
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
		for _, answer := range tt.answers {
			assert.Contains(t, readUntil(t, master, "[q]uit "), "echo ", "%q", tt.answers)
			_, err := io.WriteString(master, answer)
			require.NoError(t, err)
		}
		quit := tt.answers[len(tt.answers)-1] == "q\n"
		assert.Equal(t, quit, cmd.Wait() != nil, "%q", tt.answers)
		assert.Equal(t, tt.ran, strings.Join(strings.Fields(out.String()), " "), "%q", tt.answers)
	}
}
