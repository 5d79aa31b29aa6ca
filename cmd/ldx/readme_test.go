package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// readme returns README.md and a directory in which its commands can be run.
func readme(t *testing.T) (text, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a Unix shell")
	}
	data, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	dir = dirtest.TempDir(t)
	dirtest.Make(t, dir, "go.mod", "main.go", "main_test.go", ".hidden/a.ts", "src/b.ts", "src/test/c.go", "node_modules/d.ts", "cmd/readme.md",
		"empty/", "log.bak", "x y.go", ".git/config")
	require.NoError(t, os.WriteFile(dir+"/.gitignore", []byte("node_modules\n"), 0o644))
	return string(data), dir
}

// runReadme runs a command line by sh, and returns its standard output.
func runReadme(t *testing.T, dir, line string) (out []byte, status int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir+"/.state", "PAGER=cat")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the status says it
	require.NotContains(t, stderr.String(), "goroutine", line)
	return stdout.Bytes(), cmd.ProcessState.ExitCode()
}

// TestReadmeCommands runs the commands that README.md shows: none of them is wrong usage.
func TestReadmeCommands(t *testing.T) {
	text, dir := readme(t)
	n := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			line, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			if !ok {
				continue
			}
			line, _, _ = strings.Cut(line, "  #")
			n++
			_, status := runReadme(t, dir, line)
			assert.NotEqual(t, 2, status, line)
		}
	}
	assert.Greater(t, n, 15)
}

// TestReadmeFind compares the lines of find in README.md with those of ldx beside them.
func TestReadmeFind(t *testing.T) {
	text, dir := readme(t)
	rows := regexp.MustCompile("(?m)^\\| `(find [^`]*)`.*?\\| `(ldx [^`]*)`").FindAllStringSubmatch(text, -1)
	require.Greater(t, len(rows), 10)
	for _, row := range rows {
		find, status := runReadme(t, dir, row[1])
		require.Zero(t, status, row[1])
		found, status := runReadme(t, dir, row[2])
		assert.Zero(t, status, row[2])
		assert.Equal(t, results(find), results(found), "%s: %s", row[1], row[2])
	}
}

// results returns the lines of find or ldx, sorted, without the given directory itself, the leading
// ./ and the slash after directories.
func results(out []byte) (lines []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(string(out), "\x00", "\n"), "\n") {
		line = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(line, "./"), "/"), " ./", " ")
		if line != "" && line != "." && !strings.HasSuffix(line, " .") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}
