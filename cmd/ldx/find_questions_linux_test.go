package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindQuestions types lines of find that ask before each command, and answers all questions
// alike: the same must be left as by find.
func TestFindQuestions(t *testing.T) {
	gnuFind(t)
	for _, line := range []string{
		`. -type f -name '*.js' -ok rm {} \;`,
		`. -type f -name '*.ts' -ok chmod 600 {} \; -ok touch -d @0 {} \;`,
		`. -type f -name '*.js' -okdir rm {} \;`,
		`. -mindepth 2 -type f -name '*.ts' -okdir sh -c 'echo x >"$1.${PWD##*/}"' _ {} \;`,
	} {
		for _, answer := range []string{"y\n", "n\n", "\n"} {
			t.Run(line+answer, func(t *testing.T) {
				theirs, ours := findTree(t), findTree(t)
				before := runLine(t, ours, "find . -printf '%p %s %m\n'")
				onQuestions(t, theirs, "find "+line, answer)
				translated := inLdx(t, ours, line)
				onQuestions(t, ours, translated, answer)
				const list = `find . -printf '%p %s %m\n'`
				after := runLine(t, ours, list)
				assert.Equal(t, runLine(t, theirs, list), after, "%s", translated)
				assert.Equal(t, answer == "y\n", strings.Join(before, "\n") != strings.Join(after, "\n"))
				t.Log(translated)
			})
		}
	}
}

// onQuestions runs a line on a terminal, where each question gets the same answer.
func onQuestions(t *testing.T, dir, line, answer string) {
	t.Helper()
	const questions = 50 // more than there are
	master, terminal := openTerminal(t)
	_, err := master.WriteString(strings.Repeat(answer, questions))
	require.NoError(t, err)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, terminal, terminal
	require.NoError(t, cmd.Run(), line)
	require.NoError(t, terminal.Close())
}
