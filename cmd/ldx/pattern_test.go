package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// patternErrors runs a search that must fail, and returns its standard error.
// It must not hang.
func patternErrors(t *testing.T, dir string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ldx", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	exit, ok := errors.AsType[*exec.ExitError](cmd.Run())
	require.True(t, ok, "it must fail")
	require.Equal(t, 1, exit.ExitCode(), "%.400s", stderr.String())
	return stderr.String()
}

// TestLongPatterns checks that a message quotes only a part of a long pattern,
// with the mark below the error.
func TestLongPatterns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a command line has 32 KiB at most")
	}
	dir, x := dirtest.TempDir(t), strings.Repeat
	var sizes strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&sizes, "(a%db{50}c){20}", i)
	}
	for _, row := range []struct{ pattern, message, marked string }{
		{x("abc|", 25_000) + "*", "there is nothing before the * to repeat", "*"},
		{x("語|\n", 10_000) + "[a" + x("\n語|", 10_000), "missing closing ]", "["},
		{x("ab", 10) + `\y` + x("c", 100_000), "invalid escape sequence", `\y`},
		{x("(", 40_000) + x(")", 40_000), "nests too deeply", "(" + x("(", 60)},
		{sizes.String(), "the pattern is too large: ", "(a0b{50}c){20}(a1b{50}c){20}"},
		{x("a/", 40_000), "the pattern 'a/a/a/", ""},
		{`^\.` + x("a", 80_000), `the pattern '^\.aaaaaa`, ""},
		{"*" + x("a", 80_000), "did you mean -g '*aaaaaa", "*"},
	} {
		t.Run(row.message, func(t *testing.T) {
			message := patternErrors(t, dir, "--", row.pattern)
			lines := strings.Split(strings.TrimSuffix(message, "\n"), "\n")
			assert.Contains(t, lines[0], row.message)
			assert.Less(t, len(lines[0]), 400)
			if row.marked == "" {
				assert.Len(t, lines, 1)
				return
			}
			require.Len(t, lines, 3)
			assert.LessOrEqual(t, columnsOf(lines[1]), 80, lines[1])
			mark := len(lines[2]) - len(strings.TrimLeft(lines[2], " "))
			assert.True(t, strings.HasPrefix(fromColumn(lines[1], mark), row.marked), message)
		})
	}
}

// columnsOf and fromColumn support one wide character.
func columnsOf(line string) int { return len([]rune(line)) + strings.Count(line, "語") }

func fromColumn(line string, n int) string {
	for i := range line {
		if columnsOf(line[:i]) >= n {
			return line[i:]
		}
	}
	return ""
}

// TestSlowNames checks that a pattern that is slow on many names is given up
// when it has used up the time for all names together.
func TestSlowNames(t *testing.T) {
	dir := dirtest.TempDir(t)
	for i := range 12 {
		dirtest.Make(t, dir, filepath.Join(fmt.Sprint(i), strings.Repeat("a", 100)+"!"))
	}
	for _, threads := range []string{"1", "4"} {
		message := patternErrors(t, dir, "-j", threads, `(?=(a+)+$)[ab]`)
		assert.Less(t, strings.Count(message, "takes longer than"), 6, message)
		assert.Equal(t, 1, strings.Count(message, "no more are tried"), message)
	}
}
