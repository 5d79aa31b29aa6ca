package main

import (
	"bytes"
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

// fdReadme has commands from fd's README and its questions, each followed by what fd prints in
// fdReadmeTree, sorted. "$!" is before those whose results depend on the machine.
// LDX_UPDATE=1 LDX_FD=/path/of/fd go test -run TestFdReadme ./cmd/ldx writes it.
const fdReadme = "testdata/fd_readme.txt"

func fdReadmeTree(t *testing.T) string {
	dir := filepath.Join(dirtest.TempDir(t), "t")
	require.NoError(t, os.Mkdir(dir, 0o755))
	dirtest.Make(t, dir, ".git/config", ".git/hooks/pre-commit", "fd/tests/tests.rs", "fd/tests/testenv/mod.rs", "fd/src/main.rs",
		"fd/src/exec/mod.rs", "fd/README.md", "docs/screencast.md", "docs/read me.md", "netflix/list.txt", "NetFlow.md",
		"xfilesrc", "x11/xinitrc", "target/num_cpus-1.0/num_cpu.rs", "a.zip", "sub/b.zip", "main.cpp", "main.h", "image.jpg", "sub/photo 1.jpg",
		"test_a.py", "sub/test_b.py", "atest_c.py", ".DS_Store", "sub/.DS_Store", "sub/DS_Store", "mnt/external-drive/x", "notes.bak",
		"sub/old.bak",
		"-pattern", "sub/a-pattern", "void/", "empty.txt =", "link -> main.h", "dangling -> nowhere", "lib/libc.so", "lib/libc.so.6")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("target/\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large.iso"), make([]byte, 1_500_000), 0o644))
	require.NoError(t, os.Chmod(filepath.Join(dir, "test_a.py"), 0o755))
	long := time.Now().Add(-100 * 24 * time.Hour)
	for _, name := range []string{"main.cpp", "fd/README.md", "a.zip"} {
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), long, long))
	}
	for _, name := range []string{"unzip", "clang-format", "vim", "convert", "rg"} {
		tool := filepath.Join(filepath.Dir(dir), name)
		script := "#!/bin/sh\necho " + name + " $(printf ' <%s>' \"$@\" | tr ' ' '\\n' | LC_ALL=C sort)\n"
		require.NoError(t, os.WriteFile(tool, []byte(script), 0o755))
	}
	return dir
}

// inReadmeTree runs a line with another program for fd, and returns what it prints, sorted.
func inReadmeTree(t *testing.T, line, program string) string {
	t.Helper()
	dir := fdReadmeTree(t)
	tools := filepath.Dir(dir)
	cmd := exec.Command("sh", "-c", strings.Replace(line, "fd", program, 1))
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + tools + ":" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C", "TZ=UTC",
		"LDX_TEST_RECORD=" + os.Getenv("LDX_TEST_RECORD"),
		"LS_COLORS=di=01;34:ln=01;36:ex=01;32:*.md=00;35",
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", line, &stderr)
	left, err := exec.Command("find", dir, "-name", "*DS_Store").Output()
	require.NoError(t, err)
	if strings.HasSuffix(line, " -X rm") {
		out = append(out, strings.ReplaceAll(string(left), dir+"/", "left: ")...)
	}
	lines := strings.FieldsFunc(plainColours(string(out)), func(r rune) bool { return r == '\n' })
	slices.Sort(lines)
	return strings.Join(append(lines, ""), "\n")
}

// TestFdReadme types commands from fd's README with ldx for fd.
func TestFdReadme(t *testing.T) {
	peer(t, "sh")
	text, err := os.ReadFile(fdReadme)
	require.NoError(t, err)
	fd := os.Getenv("LDX_FD")
	var updated strings.Builder
	rows := 0
	for block := range strings.SplitSeq(strings.TrimPrefix(string(text), "$"), "\n$") {
		line, want, _ := strings.Cut(block, "\n")
		local := strings.HasPrefix(line, "!")
		line = strings.TrimSpace(strings.TrimPrefix(line, "!"))
		if want = strings.TrimSuffix(want, "\n"); want != "" {
			want += "\n"
		}
		rows++
		t.Run(line, func(t *testing.T) {
			if fd != "" {
				theirs := inReadmeTree(t, line, fdProgram(t))
				if !local && os.Getenv("LDX_UPDATE") != "1" {
					require.Equal(t, theirs, want, "LDX_UPDATE=1 writes it")
				}
				want = theirs
			} else if local {
				t.Skip("this needs fd; LDX_FD can name one")
			}
			assert.Equal(t, want, inReadmeTree(t, line, "ldx"))
		})
		if local {
			updated.WriteString("$! " + line + "\n")
		} else {
			updated.WriteString("$ " + line + "\n" + want)
		}
	}
	require.GreaterOrEqual(t, rows, 30)
	if os.Getenv("LDX_UPDATE") == "1" && fd != "" {
		require.NoError(t, os.WriteFile(fdReadme, []byte(updated.String()), 0o644))
	}
}
