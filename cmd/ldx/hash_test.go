package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// makeFiles makes a tree of files with many contents and names below root.
func makeFiles(t *testing.T, root string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	dirtest.Random(t, root, seed)
	for i, name := range append(dirtest.WeirdNames(), "back\\slash", "cr\rr", "both\\\n", "plain") {
		data := make([]byte, r.IntN(3)*r.IntN(1<<20))
		for at := 0; at < len(data); at += 1 + r.IntN(100) {
			data[at] = byte(r.Uint32())
		}
		path := filepath.Join(root, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		if i%5 == 0 {
			require.NoError(t, os.Truncate(path, int64(len(data)+r.IntN(1<<20))))
		}
		if i%7 == 0 {
			require.NoError(t, os.Link(path, path[:len(root)+1]+fmt.Sprint("link", i)))
		}
	}
}

// runIn runs a command in a directory, and returns what it prints.
func runIn(t *testing.T, dir, stdin, name string, args ...string) (stdout string, err error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(stdin), os.Stderr
	out, err := cmd.Output()
	return string(out), err
}

// TestHash compares with sha256sum: the lines of all files, with any number of threads; each accepts
// the lines of the other, and says the same of files that differ.
func TestHash(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such names")
	}
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("sha256sum is not installed")
	}
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	t.Setenv("XDG_STATE_HOME", dirtest.TempDir(t))
	for round := range uint64(4) {
		root := dirtest.TempDir(t)
		makeFiles(t, root, seed+round)
		found, err := runIn(t, root, "", "find", ".", "-type", "f", "-print0")
		require.NoError(t, err)
		want, err := runIn(t, root, found, "xargs", "-0", "sha256sum")
		require.NoError(t, err)
		nul, err := runIn(t, root, found, "xargs", "-0", "sha256sum", "-z")
		require.NoError(t, err)
		for _, threads := range []string{"-j1", "-j2", "-j9"} {
			got, err := runIn(t, root, "", "ldx", "hash", threads, "-u", ".", ".")
			require.NoError(t, err)
			assert.Equal(t, sortedParts(want, "\n"), sortedParts(got, "\n"))
			got, err = runIn(t, root, "", "ldx", "hash", "-0u", threads, ".", ".")
			require.NoError(t, err)
			assert.Equal(t, sortedParts(nul, "\x00"), sortedParts(got, "\x00"))
		}
		checkBothWays(t, root, want, nul)
	}
}

func sortedParts(text, end string) []string {
	parts := strings.SplitAfter(text, end)
	slices.Sort(parts)
	return parts
}

// checkBothWays compares --check with sha256sum -c. (sha256sum does not read its own lines of -z.)
func checkBothWays(t *testing.T, root, lines, nul string) {
	t.Helper()
	own, err := runIn(t, root, "", "ldx", "hash", "-u", ".", ".")
	require.NoError(t, err)
	_, err = runIn(t, root, own, "sha256sum", "-c", "--strict", "--status", "-")
	require.NoError(t, err, "sha256sum does not accept the lines of ldx")
	_, err = runIn(t, root, nul, "ldx", "hash", "--check", "-", "--strict", "--status")
	require.NoError(t, err)
	tagged, err := runIn(t, root, "", "sh", "-c", `find . -type f -exec sha256sum --tag {} +`)
	require.NoError(t, err)
	_, err = runIn(t, root, tagged, "ldx", "hash", "--check", "-", "--strict", "--status")
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(filepath.Join(root, "plain"), []byte("other"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(root, "back\\slash")))
	require.NoError(t, os.WriteFile(filepath.Join(root, "both\\\n"), []byte("other"), 0o600))
	want, err := runIn(t, root, lines, "sha256sum", "-c", "-")
	require.Error(t, err)
	got, err := runIn(t, root, lines, "ldx", "hash", "--check", "-")
	require.Error(t, err)
	assert.Equal(t, want, got)
}

// TestHashWhole prints whole lines also when many workers print at once.
func TestHashWhole(t *testing.T) {
	root := dirtest.TempDir(t)
	for i := range 2000 {
		require.NoError(t, os.WriteFile(filepath.Join(root, fmt.Sprint(strings.Repeat("n", i%50), i)), fmt.Append(nil, i), 0o600))
	}
	cmd := exec.Command("ldx", "hash", "--no-cache", "-j8", ".", root)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	require.NoError(t, cmd.Run())
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	assert.Len(t, lines, 2000)
	for _, line := range lines {
		assert.Regexp(t, `^\\?[0-9a-f]{64}  .*n*\d+\r?$`, line)
	}
}
