package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shownOnTerminal returns what ldx prints on a terminal as its standard output.
func shownOnTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	master, terminal := openTerminal(t)
	cmd := exec.Command("ldx", args...)
	cmd.Env = append(append(os.Environ(), "TERM=xterm"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	read := make(chan string)
	go func() {
		shown, _ := io.ReadAll(master) // EIO: the terminal is closed
		read <- strings.ReplaceAll(string(shown), "\r\n", "\n")
	}()
	require.NoError(t, cmd.Run(), "%q", args)
	require.NoError(t, terminal.Close())
	return <-read
}

// TestPager checks that help on a terminal goes through $PAGER, and that help is printed
// where there is none.
func TestPager(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help", "du"}, {"--help", "index"}, {"bench", "threads", "--help"}} {
		out, err := exec.Command("ldx", args...).Output()
		require.NoError(t, err)
		help := string(out)
		assert.Equal(t, help, shownOnTerminal(t, []string{"PAGER=cat"}, args...))
		assert.Equal(t, "> "+strings.ReplaceAll(strings.TrimSuffix(help, "\n"), "\n", "\n> ")+"\n",
			shownOnTerminal(t, []string{"PAGER=sed 's/^/> /'"}, args...))
		assert.Equal(t, help, shownOnTerminal(t, []string{"TERM=dumb", "PAGER=false"}, args...))
		assert.Contains(t, shownOnTerminal(t, []string{"PAGER=no-such-program"}, args...), help)
		assert.Empty(t, shownOnTerminal(t, []string{"PAGER=true"}, args...), "a pager that does not read")
	}
	assert.Contains(t, shownOnTerminal(t, []string{"PAGER=false"}, "-h"), "\nUsage: ldx", "one screen needs no pager")
	assert.Equal(t, "FRX\n", shownOnTerminal(t, []string{"PAGER=echo $LESS"}, "--help"))
	assert.Equal(t, "-i\n", shownOnTerminal(t, []string{"PAGER=echo $LESS", "LESS=-i"}, "--help"))
}

// TestManualOnTerminal checks that ldx man shows the page on a terminal, and not its source,
// with and without man.
func TestManualOnTerminal(t *testing.T) {
	ldx, err := exec.LookPath("ldx")
	require.NoError(t, err)
	without := "PATH=" + strings.TrimSuffix(ldx, "/ldx")
	if _, err := exec.LookPath("man"); err == nil {
		page := shownOnTerminal(t, []string{"PAGER=cat", "MANPAGER=cat"}, "man", "du")
		assert.Contains(t, page, "LDX-DU(1)")
		assert.NotContains(t, page, ".SH")
	}
	page := shownOnTerminal(t, []string{without, "PAGER=cat"}, "man", "du")
	assert.Contains(t, page, "--apparent-size")
	assert.Contains(t, page, "DU_BLOCK_SIZE")
	assert.NotContains(t, page, ".SH")
}
