package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestCommandsWithFewProcesses has too few processes for several commands: they
// run one after another. If there are too few even for one, that is reported
// once.
func TestCommandsWithFewProcesses(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be a user that has no other processes")
	}
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		t.Skip("prlimit is missing")
	}
	ldx, err := exec.LookPath("ldx")
	require.NoError(t, err)
	dir, want := filesInDirs(t)
	for _, limit := range []int{8, 9, 10, 14} {
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			cmd := exec.CommandContext(ctx, prlimit, fmt.Sprintf("--nproc=%d:%[1]d", limit), ldx, "-j2", ".", dir, "-x", "echo")
			cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 58_131, Gid: nobody}}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			cancel()
			if err == nil {
				assert.Empty(t, stderr.String())
				assert.Equal(t, want, sortedLines(string(out)), "%d processes", limit)
				continue
			}
			assert.Equal(t, 1, cmd.ProcessState.ExitCode(), stderr.String())
			assert.Regexp(t, `^ldx: .*resource temporarily unavailable.*\n$`, stderr.String())
		}
	}
}

// TestCommandsWithLongPaths has a path that is too long for a command: it is an
// error, and the commands for other paths run.
func TestCommandsWithLongPaths(t *testing.T) {
	const name, levels, files = 250, 540, 301
	limit := 32*os.Getpagesize() - 1 // execve(2)
	if limit > levels*name {
		t.Skip("pages are so large that a path would have to be very long")
	}
	dir := dirtest.TempDir(t)
	var want []string
	for i := range files {
		dirtest.Make(t, dir, fmt.Sprint("good", i))
		want = append(want, fmt.Sprint(len(dir)+len("/good")+len(fmt.Sprint(i))))
	}
	dirtest.Deep(t, dir, strings.Repeat("n", name), levels)
	bad := 0
	for i := 1; i <= levels; i++ {
		if size := len(dir) + i*(name+1); size > limit {
			bad++
		} else {
			want = append(want, fmt.Sprint(size))
		}
	}
	for _, flag := range []string{"-x", "-X"} {
		cmd := exec.Command("ldx", ".", dir, flag, "sh", "-c", `for path; do echo "${#path}"; done`, "sh")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.Error(t, err)
		assert.Equal(t, 1, cmd.ProcessState.ExitCode())
		assert.ElementsMatch(t, want, sortedLines(string(out)))
		lines := sortedLines(stderr.String())
		assert.Len(t, lines, bad)
		for _, line := range lines {
			assert.Regexp(t, `^ldx: sh cannot be given the path '/.{100,200}': the argument is too long: 1\d{5} bytes; the maximum is \d+$`,
				line)
		}
	}
}
