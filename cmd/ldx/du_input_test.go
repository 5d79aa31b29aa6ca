//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestDuExcludeFrom asks GNU du what globs from a file leave out: chosen and random ones.
func TestDuExcludeFrom(t *testing.T) {
	gnuDu(t)
	t.Setenv("LC_ALL", "C.UTF-8")
	tree := dirtest.TempDir(t)
	for _, dir := range []string{"a", "a/b", "a/b/c", "b", "ä", "!a", "#a", "{a,b}", "a ", "[a", "-", "]", `\a`, "x/a/b"} {
		dirtest.Make(t, tree, dir+"/a.b", dir+"/ab", dir+"/b-a")
	}
	lists := []string{
		"", "a/b", "./a", "./a/b\n", "a/*/ab", "!a", "#a", `\#a`, "a ", "{a,b}", "*.b\n!a.b", "a/", "/a", ".", "*", "a*b", "?",
		"\n \n\t\n*-a  \nab\r\n", "[ab", "[[]a", "[]]", "[^a]", "[!a]", "[a-]", "[]-a]", "[[:alpha:]]", "[[:punct:][:digit:]]", `a\`, `\a`, `\\a`,
		`[\]]`, `[a\-z]`, "**b", "*/*/*b", "x*b", "x/?/b", "ä", "?b",
	}
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		var glob strings.Builder
		for range 1 + r.IntN(8) {
			glob.WriteString([]string{"a", "b", "c", "ä", "*", "?", "/", ".", "-", "[", "]", "!", "^", `\`, "x", "[a-c]", "*b", "/a"}[r.IntN(18)])
		}
		lists = append(lists, glob.String())
	}
	file := filepath.Join(dirtest.TempDir(t), "globs")
	for _, list := range lists {
		require.NoError(t, os.WriteFile(file, []byte(list), 0o600))
		for _, args := range [][]string{{"-a", "-X", file}, {"-a", "--exclude-from=" + file, "a", "./x", "-c"}, {"-s", "-X", file, tree}} {
			want, failed := duLines(t, tree, "du", args)
			got, gotFailed := duLines(t, tree, "ldx", append([]string{"du"}, args...))
			require.Equal(t, want, got, "%q %q", list, args)
			require.Equal(t, failed, gotFailed, "%q %q", list, args)
		}
	}
}

// TestDuFilesFrom asks GNU du what it makes of lists of paths.
func TestDuFilesFrom(t *testing.T) {
	gnuDu(t)
	tree := dirtest.TempDir(t)
	randomUsage(t, tree, 1)
	entries, err := os.ReadDir(tree)
	require.NoError(t, err)
	names := []string{".", "missing", "", "-"}
	for _, e := range entries {
		names = append(names, "./"+e.Name())
	}
	file := filepath.Join(dirtest.TempDir(t), "paths")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 30 {
		list := ""
		for range r.IntN(5) {
			list += names[r.IntN(len(names))] + "\x00"
		}
		if i%3 == 0 {
			list = strings.TrimSuffix(list, "\x00")
		}
		require.NoError(t, os.WriteFile(file, []byte(list), 0o600))
		args := []string{"-c", "-a", "--files0-from=" + file}
		want, failed := duLines(t, tree, "du", args)
		got, gotFailed := duLines(t, tree, "ldx", append([]string{"du"}, args...))
		assert.Equal(t, want, got, "%q", list)
		assert.Equal(t, failed, gotFailed, "%q", list)
	}
	for _, stdin := range []string{"a\x00./-\x00", "-\x00", fmt.Sprintf("%s\x00%s", names[4], names[5])} {
		require.NoError(t, os.WriteFile(file, []byte(stdin), 0o600))
		shell := func(program string) string {
			return runDu(t, tree, "sh", "-c", program+" -s --files0-from=- <"+file)
		}
		assert.Equal(t, shell("du"), shell("ldx du"), "%q", stdin)
	}
}

// TestDuTimeStyle asks GNU du what it makes of TIME_STYLE.
func TestDuTimeStyle(t *testing.T) {
	gnuDu(t)
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a", "b/c")
	for _, style := range []string{"", "iso", "full-iso", "posix-long-iso", "posix-posix-iso", "locale", "+%d.%m.%y\n%H:%M", "wrong", "+"} {
		t.Setenv("TIME_STYLE", style)
		for _, args := range []string{"-a --time", "-a --time --time-style=+%Y", "-a"} {
			run := func(name string, args ...string) (string, bool) {
				cmd := exec.Command(name, args...)
				cmd.Dir = tree
				out, err := cmd.Output()
				return string(out), err == nil
			}
			want, ok := run("du", strings.Fields(args)...)
			got, gotOK := run("ldx", append([]string{"du"}, strings.Fields(args)...)...)
			assert.Equal(t, want, got, "%q %s", style, args)
			assert.Equal(t, ok, gotOK, "%q %s", style, args)
		}
	}
}
