//go:build linux

package main

import (
	"debug/macho"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// cross builds ldx for another system.
func cross(t *testing.T, goos, goarch, name string) string {
	t.Helper()
	program := filepath.Join(dirtest.TempDir(t), name)
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// TestDarwinImports checks that the program for macOS lists directories with functions of
// libSystem, not with system calls by number.
func TestDarwinImports(t *testing.T) {
	if os.Getenv("LDX_SYSTEMS") == "" {
		t.Skip("builds two programs; LDX_SYSTEMS=1 has it run")
	}
	for _, goarch := range []string{"amd64", "arm64"} {
		f, err := macho.Open(cross(t, "darwin", goarch, "ldx"))
		require.NoError(t, err)
		defer f.Close()
		symbols, err := f.ImportedSymbols()
		require.NoError(t, err)
		assert.Subset(t, symbols, []string{"_getattrlistbulk", "_setiopolicy_np"}, goarch)
		libraries, err := f.ImportedLibraries()
		require.NoError(t, err)
		assert.Contains(t, libraries, "/usr/lib/libSystem.B.dylib")
	}
}

// TestWine compares ldx.exe with find in a tree of Linux. LDX_WINE is the
// command to run it with; the environment configures Wine.
func TestWine(t *testing.T) {
	wine := os.Getenv("LDX_WINE")
	if wine == "" {
		t.Skip("LDX_WINE is not set")
	}
	program := cross(t, "windows", "amd64", "ldx.exe")
	tree := dirtest.TempDir(t)
	makeWide(t, tree)
	deep := filepath.Join(tree, "deep")
	require.NoError(t, os.Mkdir(deep, 0o755))
	dirtest.Deep(t, deep, "n with spaces 18", 200)

	out, err := exec.Command("find", tree, "-mindepth", "1", "-printf", `%P\0`).Output()
	require.NoError(t, err)
	want := sortedNames(out)
	dirs, files := count(t, tree, "d"), count(t, tree, "f")
	t.Logf("%d directories, %d files, %d entries", dirs, files, len(want))
	for _, workers := range []int{1, 8, 64} {
		run := func(args ...string) []string {
			cmd := exec.Command(wine, append([]string{
				program, "-u", "-0", "--path-separator", "/", "--trailing-slash", "never",
				"--strip-cwd-prefix", "-j", fmt.Sprint(workers),
			}, args...)...)
			cmd.Dir = tree
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			require.NoError(t, err)
			return sortedNames(out)
		}
		assert.Equal(t, want, run(), "%d workers", workers)
		assert.Len(t, run("-T", "d"), dirs)
		assert.Len(t, run("-T", "f"), files)
		assert.Len(t, run("-S", "+1k"), len(run("-T", "f", "^big")))
	}
}

func count(t *testing.T, tree, kind string) int {
	t.Helper()
	out, err := exec.Command("find", tree, "-mindepth", "1", "-type", kind, "-printf", `\0`).Output()
	require.NoError(t, err)
	return len(out)
}

func sortedNames(out []byte) []string {
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(names)
	return names
}

// makeWide makes 670 directories and 5,000 files, with names that Windows
// treats specially, and names that differ only in case.
func makeWide(t *testing.T, tree string) {
	t.Helper()
	dirs := []string{""}
	for i := 1; i < 670; i++ {
		names := []string{"dir %d", "trail%d.", "trail%d ", "ünï-日本-😀%d", "Case%d", "con%d", ".hidden%d"}
		dirs = append(dirs, filepath.Join(dirs[i/4], fmt.Sprintf(names[i%len(names)], i)))
	}
	dirs = append(dirs, "case", "CASE")
	for i, dir := range dirs {
		require.NoError(t, os.MkdirAll(filepath.Join(tree, dir), 0o755), i)
	}
	for i := range 5000 {
		names := []string{"file %d.txt", "nul.%d", "end%d.", "end%d ", "日本%d", "big%d"}
		content := make([]byte, i%6/5*2000)
		path := filepath.Join(tree, dirs[i*7%len(dirs)], fmt.Sprintf(names[i%len(names)], i))
		require.NoError(t, os.WriteFile(path, content, 0o644))
	}
}
