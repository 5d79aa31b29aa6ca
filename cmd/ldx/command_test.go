package main

import (
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

// TestCommandsLoseNothing runs ldx by itself, on all systems: with more results
// than fit on a command line of Windows, and with several commands at a time.
func TestCommandsLoseNothing(t *testing.T) {
	dir := dirtest.TempDir(t)
	var want []string
	for i := range 1500 {
		name := fmt.Sprintf("%s %d", strings.Repeat("n", 40), i)
		want = append(want, name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	slices.Sort(want)
	run := func(args ...string) []string {
		cmd := exec.Command("ldx", args...)
		cmd.Dir = dir
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		return sortedLines(strings.ReplaceAll(string(out), "\r", ""))
	}
	assert.Equal(t, want, run("-X", "ldx", "--format", "{{/}}", ""))
	assert.Equal(t, want[:40], run("-j", "4", "--or", strings.Join(wholeNames(want[:40]), "|"), "^$", "-x", "ldx", "--format", "{{/}}", ""))
}

func wholeNames(names []string) (patterns []string) {
	for _, name := range names {
		patterns = append(patterns, "^"+name+"$")
	}
	return patterns
}
