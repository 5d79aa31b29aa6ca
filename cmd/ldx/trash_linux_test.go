package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestTrashLikeTrashCli has trash-cli list what ldx has moved, and restore it.
func TestTrashLikeTrashCli(t *testing.T) {
	for _, name := range []string{"trash-list", "trash-restore"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name, " is missing")
		}
	}
	for seed := range dirtest.Setting(t, "LDX_TREES", 4) {
		dir, tree := dirtest.TempDir(t), dirtest.TempDir(t)
		t.Setenv("XDG_DATA_HOME", dir)
		dirtest.Random(t, tree, seed)
		dirtest.Make(t, tree, "100%/a b", "é+ü/~x", "q?#/[z]", "d/=")
		before := left(t, tree)
		moved := runLine(t, tree, "ldx -u --trash --yes -v .")
		require.NotEmpty(t, moved)
		assert.Equal(t, ".\x00", left(t, tree))

		list, err := exec.Command("trash-list").Output()
		require.NoError(t, err)
		var listed []string
		for line := range strings.Lines(string(list)) {
			if _, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "+tree+"/"); ok {
				listed = append(listed, path)
			}
		}
		slices.Sort(listed)
		assert.Equal(t, moved, listed)

		for range moved {
			restore := exec.Command("trash-restore", tree)
			restore.Stdin = strings.NewReader("0\n")
			out, err := restore.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		assert.True(t, before == left(t, tree), "not the same is back")
	}
}

// TestTrashQuestion answers the question on a terminal.
func TestTrashQuestion(t *testing.T) {
	for _, row := range []struct {
		args, answer, question string
		left                   []string
	}{
		{"-T f", "n\n", "Move to the trash: 2 files, 3.1 MiB (1 hidden left out)? [y/N] ", []string{"a", "a/x", "b", "b/y"}},
		{"-T f", "y\n", "Move to the trash: 2 files, 3.1 MiB (1 hidden left out)? [y/N] ", []string{"a", "b"}},
		{".", "y\n", "Move to the trash: 2 directories with all in them? [y/N] ", []string{}},
		{"-g [ay]", "y\n", "Move to the trash: 1 file and 1 directory with all in it? [y/N] ", []string{"b"}},
	} {
		dir := dirtest.TempDir(t)
		t.Setenv("XDG_DATA_HOME", dirtest.TempDir(t))
		dirtest.Make(t, dir, "a/.hidden", "a/x", "b/")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b/y"), make([]byte, 3<<20), 0o666))
		master, terminal := openTerminal(t)
		cmd := exec.Command("ldx", append([]string{"--trash"}, strings.Fields(row.args)...)...)
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, terminal, terminal
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
		assert.Equal(t, row.question, readUntil(t, master, "? [y/N] "))
		_, err := master.WriteString(row.answer)
		require.NoError(t, err)
		assert.Equal(t, row.answer == "y\n", cmd.Wait() == nil)
		assert.Equal(t, row.left, runLine(t, dir, "find . -mindepth 1 -not -name '.*'"), row.args)
	}
}
