package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestDeleteLikeFind deletes in random trees what find deletes: the same is left, and both
// report errors or do not.
func TestDeleteLikeFind(t *testing.T) {
	for seed := range dirtest.Setting(t, "LDX_TREES", 8) {
		for _, tt := range []struct{ ldx, find string }{
			{".", "-true"},
			{"-Tf .", "-type f"},
			{"-Tl .", "-type l"},
			{"-s [aei]", "-name *[aei]*"},
			{"-i -Td -Tf [0-4]", "( -type d -o -type f ) -name *[0-4]*"},
			{"-Te -Tf .", "-type f -empty"},
			{"-d2 .", "-maxdepth 2"},
			{"--min-depth=2 .", "-mindepth 2"},
		} {
			t.Run(fmt.Sprintf("%s, tree %d", tt.ldx, seed), func(t *testing.T) {
				trees := [2]string{dirtest.TempDir(t), dirtest.TempDir(t)}
				for _, tree := range trees {
					dirtest.Random(t, tree, seed)
					for i, name := range dirtest.WeirdNames() {
						dirtest.Make(t, tree, fmt.Sprintf("weird/%d/%s/%s", i, name, name))
					}
				}
				find := exec.Command("find", append([]string{".", "-mindepth", "1", "-depth"}, append(strings.Fields(tt.find), "-delete")...)...)
				ldx := exec.Command("ldx", append([]string{"-u", "--delete", "--yes"}, strings.Fields(tt.ldx)...)...)
				var errs bytes.Buffer
				find.Dir, ldx.Dir, ldx.Stderr = trees[0], trees[1], &errs
				findErr, ldxErr := find.Run(), ldx.Run()
				assert.Equal(t, findErr == nil, ldxErr == nil, "%s", &errs)
				assert.True(t, left(t, trees[0]) == left(t, trees[1]), "not the same is left\n%s", &errs)
			})
		}
	}
}

// TestDeleteLarge deletes directories that the system lists in many parts, beside entries that
// are no results.
func TestDeleteLarge(t *testing.T) {
	dir := dirtest.TempDir(t)
	fill := exec.Command("sh", "-c", "mkdir a && cd a && seq -f 'file%.0f' 70000 | xargs touch && seq -f 'dir%.0f' 6000 | xargs mkdir")
	fill.Dir = dir
	require.NoError(t, fill.Run())
	for _, tt := range []struct {
		pattern string
		left    int
	}{{"[05]$", 60_800}, {"file", 4800}, {".", 0}} {
		cmd := exec.Command("ldx", "--delete", "--yes", "--min-depth=2", tt.pattern)
		cmd.Dir = dir
		require.NoError(t, cmd.Run())
		entries, err := os.ReadDir(filepath.Join(dir, "a"))
		require.NoError(t, err)
		assert.Len(t, entries, tt.left, tt.pattern)
	}
}

// left returns what find lists in a tree, sorted.
func left(t *testing.T, tree string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `cd "$1" && find . -print0 | LC_ALL=C sort -z`, "sh", tree).Output()
	require.NoError(t, err)
	return string(out)
}

// TestDeletionQuestion answers the question on a terminal. What has come since it was asked is
// left.
func TestDeletionQuestion(t *testing.T) {
	for _, tt := range []struct {
		answer string
		left   []string
		ok     bool
	}{
		{"y\n", []string{"tree", "tree/a", "tree/a/.hidden", "tree/late"}, false},
		{"n\n", []string{"tree", "tree/a", "tree/a/.hidden", "tree/a/x", "tree/b", "tree/b/y", "tree/late"}, false},
		{"\n", []string{"tree", "tree/a", "tree/a/.hidden", "tree/a/x", "tree/b", "tree/b/y", "tree/late"}, false},
		{"\x04", []string{"tree", "tree/a", "tree/a/.hidden", "tree/a/x", "tree/b", "tree/b/y", "tree/late"}, false},
	} {
		t.Run(fmt.Sprintf("%q", tt.answer), func(t *testing.T) {
			dir := dirtest.TempDir(t)
			dirtest.Make(t, dir, "tree/a/.hidden", "tree/a/x", "tree/b/")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "tree/b/y"), make([]byte, 3<<20), 0o666))
			master, terminal := openTerminal(t)
			cmd := exec.Command("ldx", "--delete", ".", "tree")
			cmd.Dir, cmd.Stdin, cmd.Stderr = dir, terminal, terminal
			require.NoError(t, cmd.Start())
			require.NoError(t, terminal.Close())
			require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
			shown := readUntil(t, master, "? [y/N] ")
			assert.Equal(t, "Delete 2 files and 2 directories, 3.1 MiB (1 hidden left out)? [y/N] ", shown)
			dirtest.Make(t, dir, "tree/late")
			_, err := master.WriteString(tt.answer)
			require.NoError(t, err)
			assert.Equal(t, tt.ok, cmd.Wait() == nil)
			var found []string
			require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
				if path != dir {
					found = append(found, strings.TrimPrefix(path, dir+"/"))
				}
				return err
			}))
			assert.Equal(t, tt.left, found)
		})
	}
}

// TestDeletionUnique has a file with two names, of which one is deleted: the question has counted it.
func TestDeletionUnique(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "a")
	require.NoError(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	master, terminal := openTerminal(t)
	cmd := exec.Command("ldx", "--delete", "--unique")
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, terminal, terminal
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	require.NoError(t, master.SetReadDeadline(time.Now().Add(time.Minute)))
	assert.Equal(t, "Delete 1 file, 1 byte? [y/N] ", readUntil(t, master, "? [y/N] "))
	_, err := master.WriteString("y\n")
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

// readUntil reads from a terminal up to a text.
func readUntil(t *testing.T, master *os.File, end string) string {
	t.Helper()
	var shown []byte
	for buf := make([]byte, 1); !bytes.HasSuffix(shown, []byte(end)); shown = append(shown, buf[0]) {
		_, err := master.Read(buf)
		require.NoError(t, err, "%q", shown)
	}
	return string(shown)
}
