package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// TestOpenChosen chooses from several results on a terminal, which opens them.
func TestOpenChosen(t *testing.T) {
	const question = "Open which? 1-3, several with spaces, nothing for none: "
	for _, tt := range []struct {
		answers []string
		opened  string
		ok      bool
	}{
		{[]string{"2\n"}, "b c", true},
		{[]string{"3, 1\n"}, "d\x1b a", true},
		{[]string{"4\n", "0\n", "x\n", "1 x\n", "1\n"}, "a", true},
		{[]string{"\n"}, "", false},
		{[]string{"\x04"}, "", false},
	} {
		dir := dirtest.TempDir(t)
		dirtest.Make(t, dir, "tree/a", "tree/b c", "tree/d\x1b")
		opener := filepath.Join(dir, "xdg-open")
		require.NoError(t, os.WriteFile(opener, []byte("#!/bin/sh\nprintf '%s ' \"${1##*/}\"\n"), 0o755))
		master, terminal := openTerminal(t)
		require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
		var out strings.Builder
		cmd := exec.Command("ldx", "--open", "-tf", ".", "tree")
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, terminal, &out, terminal
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
		assert.Equal(t, "1  tree/a\r\n2  tree/b c\r\n3  tree/d\\x1B\r\n"+question, readUntil(t, master, question))
		for i, text := range tt.answers {
			if i > 0 {
				readUntil(t, master, question)
			}
			_, err := io.WriteString(master, text)
			require.NoError(t, err)
		}
		assert.Equal(t, tt.ok, cmd.Wait() == nil, "%q", tt.answers)
		assert.Equal(t, tt.opened, strings.TrimSuffix(out.String(), " "), "%q", tt.answers)
	}
}

// TestOpenList shows as many results as the screen has space for.
func TestOpenList(t *testing.T) {
	dir := dirtest.TempDir(t)
	long := strings.Repeat("x", 200)
	dirtest.Make(t, dir, "a", "b"+long, "c", "d", "e", "f")
	master, terminal := openTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 7, Col: 40}))
	cmd := exec.Command("ldx", "--open")
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, terminal, terminal
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
	lines := strings.Split(readUntil(t, master, "none: "), "\r\n")
	require.Len(t, lines, 6)
	assert.Equal(t, []string{"1  a", "2  ..." + long[:33], "3  c", "4  d", "and 2 others, for which there is no space"}, lines[:5])
	_, err := io.WriteString(master, "\n")
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
}
