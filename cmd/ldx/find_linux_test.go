package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// TestFindSystem asks GNU find what systems differ in, and python3 for what find lacks.
func TestFindSystem(t *testing.T) {
	peer(t, "find")
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/one", "a/two", "a/Three", "reference", "holes =", "empty =", "link -> a/one", "Far -> ../Up", "dir -> a",
		"none -> x")
	at := func(name string) string { return filepath.Join(tree, name) }
	old := time.Now().Add(-48 * time.Hour)
	require.NoError(t, os.Chtimes(at("reference"), old, old))
	require.NoError(t, os.Chtimes(at("a/one"), old.Add(-time.Hour), old.Add(time.Hour)))
	require.NoError(t, os.Chtimes(at("a/two"), old.Add(time.Hour), old.Add(-time.Hour)))
	require.NoError(t, os.Truncate(at("holes"), 10<<20))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Lchown(at("a/one"), 54321, 0))
		require.NoError(t, os.Lchown(at("link"), 0, 54321))
	}
	attribute := "user.kind"
	if os.Geteuid() == 0 {
		attribute = "trusted.kind" // which more file systems have
	}
	for _, name := range []string{"a", "a/two"} {
		if err := unix.Setxattr(at(name), attribute, []byte("x"), 0); err != nil {
			t.Log("without extended attributes: ", err)
		}
	}
	for _, row := range [][2]string{
		{"--newer-than reference", "-newer reference"},
		{"--accessed-newer-than reference", "-anewer reference"},
		{"--status-changed-newer-than reference", "-cnewer reference"},
		{"--created-newer-than reference", "-exec stat --printf %W\\t%n\\0 {} +"},
		{"--no-user", "-nouser"},
		{"--no-group", "-nogroup"},
		{"--link-target a*", "-ilname a*"},
		{"--link-target *Up", "-lname *Up"},
		{"--link-target !a*", "! -ilname a*"},
		{"-L --link-target *", "-type l"},
		{"--sparse", "-type f -size +0 -printf %S\\t%p\\0"},
		{"--xattr " + attribute, "PYTHON " + attribute},
		{"--xattr !" + attribute, "PYTHON ! " + attribute},
		{"-L --xattr " + attribute, "PYTHON L " + attribute},
		{"--fs-type !proc", "! -fstype proc"},
	} {
		if words := strings.Fields(row[1]); words[0] == "-exec" && !hasBirthTimes(t, tree) {
			continue
		}
		args := slices.Concat([]string{".", "-mindepth", "1"}, strings.Fields(row[1]), []string{"-print0"})
		if strings.HasPrefix(row[0], "-L ") {
			args = append([]string{"-L"}, args...)
		}
		var want []string
		words := strings.Fields(row[1])
		switch {
		case words[0] == "PYTHON":
			peer(t, "python3")
			want = pythonXattr(t, tree, words[1:])
		case row[0] == "--sparse":
			want = lines(t, tree, args, func(share string) bool { return strings.HasPrefix(share, "0") })
		case words[0] == "-exec":
			want = lines(t, tree, args, func(birth string) bool { return len(birth) > 1 }) // all after the reference, or unknown
		default:
			want = output(t, tree, "find", args...)
		}
		got := output(t, tree, "ldx", append([]string{"-u0"}, append(strings.Fields(row[0]), ".", ".")...)...)
		require.ElementsMatch(t, want, got, "%s", row)
	}
	self := output(t, "/proc/self", "find", ".", "-mindepth", "1", "-maxdepth", "1", "-fstype", "proc", "-name", "s*", "-print0")
	require.NotEmpty(t, self)
	require.Equal(t, self, output(t, "/proc/self", "ldx", "-u0d1", "--fs-type", "proc", "^s", "."))
}

// lines returns the paths in the lines of find, without its last argument, that begin with what
// is accepted, and a tab.
func lines(t *testing.T, tree string, args []string, accepts func(string) bool) (paths []string) {
	for _, line := range output(t, tree, "find", args[:len(args)-1]...) {
		if about, path, _ := strings.Cut(line, "\t"); accepts(about) {
			paths = append(paths, path)
		}
	}
	return paths
}

// pythonXattr returns the paths with an extended attribute, or with a ! those without; with L of
// what links lead to.
func pythonXattr(t *testing.T, tree string, words []string) []string {
	const script = `
import os, sys
words = sys.argv[1:]
follow, no, name = words[0] == "L", words[0] == "!", words[-1]
for path, dirs, files in os.walk("."):
    for entry in dirs + files:
        p = os.path.join(path, entry)
        try:
            has = name in os.listxattr(p, follow_symlinks=follow and os.path.exists(p))
        except OSError:
            has = False
        if has != no:
            sys.stdout.write(p + "\0")
`
	cmd := exec.Command("python3", append([]string{"-c", script}, words...)...)
	cmd.Dir = tree
	out, err := cmd.Output()
	require.NoError(t, err)
	found := strings.Split(string(out), "\x00")
	return found[:len(found)-1]
}

// hasBirthTimes reports whether ldx knows when something was created: not with the reader of the BSDs
// on Linux.
func hasBirthTimes(t *testing.T, tree string) bool {
	t.Helper()
	return slices.ContainsFunc(output(t, tree, "ldx", "-0", "--format", "{btime}"), func(time string) bool { return time != "-" })
}
