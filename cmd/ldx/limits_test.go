//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// runShell runs a shell script in a directory, with ldx and its arguments as
// "$@". It returns their output and the script's exit status.
func runShell(t *testing.T, dir, script string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", "ldx"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestClosedOutput checks that a closed standard output is an error of every
// command that writes, and only of these.
func TestClosedOutput(t *testing.T) {
	if _, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(os.Getpid()), 0, 1, 1, 0); errno != 0 {
		t.Skip("kcmp: ", errno)
	}
	dir := dirtest.Tree(t, "basic")
	for _, script := range []string{`"$@" >&-; exit $?`, `"$@" >&- 2>&3; exit $?`, `exec >&-; exec timeout 10 "$@"`} {
		for _, args := range []string{
			".", "--count .", "-l .", "--sort name .", "--format {/} .", "-0 .", "-j2 . -x echo", "--why .",
			"du", "du --tree", "du --json", "du --csv", "du --by ext",
			"--help", "--version", "--type-list", "--gen-completions=zsh", "man", "man du", "man --help", "completion bash", "completion --help",
			"du --help", "bench", "bench threads --help",
		} {
			_, stderr, status := runShell(t, dir, "exec 3>&2; "+script, strings.Fields(args)...)
			assert.Equal(t, "ldx: write /dev/stdout: bad file descriptor\n", stderr, "%s: %s", script, args)
			assert.Equal(t, 1, status, "%s: %s", script, args)
		}
		for _, args := range []string{"no-such-name", "-q .", ". -x true"} {
			_, stderr, status := runShell(t, dir, "exec 3>&2; "+script, strings.Fields(args)...)
			assert.Empty(t, stderr, args)
			assert.Zero(t, status, args)
		}
	}
}

// TestDiscardedOutput checks that /dev/null as an output is no error, however
// it is opened.
func TestDiscardedOutput(t *testing.T) {
	dir := dirtest.Tree(t, "basic")
	for _, script := range []string{`"$@" >/dev/null; exit $?`, `exec 1<>/dev/null; "$@"; exit $?`, `"$@" <>/dev/null >&0; exit $?`} {
		_, stderr, status := runShell(t, dir, script, ".")
		assert.Empty(t, stderr, script)
		assert.Zero(t, status, script)
	}
	for _, flag := range []int{os.O_WRONLY, os.O_RDWR} {
		null, err := os.OpenFile(os.DevNull, flag, 0)
		require.NoError(t, err)
		var stderr bytes.Buffer
		cmd := exec.Command("ldx", ".", dir)
		cmd.Stdout, cmd.Stderr = null, &stderr
		assert.NoError(t, cmd.Run())
		assert.Empty(t, stderr.String())
		require.NoError(t, null.Close())
	}
}

// TestClosedErrors checks that a closed standard error changes nothing else.
func TestClosedErrors(t *testing.T) {
	dir := dirtest.Tree(t, "basic")
	want, _, _ := runShell(t, dir, `"$@"`, "--sort", "path")
	got, _, status := runShell(t, dir, `"$@" 2>&-; exit $?`, "--sort", "path")
	assert.Equal(t, want, got)
	assert.Zero(t, status)
	got, _, status = runShell(t, dir, `"$@" 2>&-; exit $?`, "--sort", "path", ".", "missing", ".")
	assert.Equal(t, strings.Count(want, "\n"), strings.Count(got, "\n"))
	assert.Equal(t, 1, status)
	_, _, status = runShell(t, dir, `"$@" 2>&-; exit $?`, "--no-such-flag")
	assert.Equal(t, 2, status)
}

// TestFewDescriptors checks that with few descriptors ldx finds everything or
// reports in one line why not.
func TestFewDescriptors(t *testing.T) {
	dir := dirtest.Tree(t, "basic")
	for _, args := range []string{"-u .", "-u -l .", "-u --sort size .", "du", "du -a"} {
		want, _, _ := runShell(t, dir, `"$@"`, strings.Fields(args)...)
		done := false
		for n := 4; n <= 16; n++ { // a dynamic linker takes one
			got, stderr, status := runShell(t, dir, fmt.Sprintf(`ulimit -n %d; exec "$@"`, n), strings.Fields(args)...)
			if status == 0 {
				assert.Equal(t, sortedLines(want), sortedLines(got), "%s, %d descriptors", args, n)
				assert.Empty(t, stderr)
				done = true
				continue
			}
			assert.False(t, done, "%s fails with %d descriptors", args, n)
			assert.Equal(t, 1, status)
			assert.Regexp(t, `^ldx: [^\n]*\n$`, stderr, "%s, %d descriptors", args, n)
		}
		assert.True(t, done, args)
	}
}

// TestStartUpMemory adds up what packages allocate at each start. (crypto/sha256 brings a package that
// reserves 32 MiB of addresses for random numbers, and takes no memory until there are some.)
func TestStartUpMemory(t *testing.T) {
	cmd := exec.Command("ldx", "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^init (ldx/\S+|crypto/\S+) .* (\d+) bytes, \d+ allocs$`).FindAllSubmatch(trace, -1)
	require.NotEmpty(t, found)
	sum := 0
	for _, init := range found {
		n, err := strconv.Atoi(string(init[2]))
		require.NoError(t, err)
		sum += n
	}
	assert.Less(t, sum, 256<<10)
}

// TestDeepResultsMemory checks that held results take memory by the number
// of results and directories, not by the length of paths: 99 MB here.
func TestDeepResultsMemory(t *testing.T) {
	const depth, maxKiB = 3_000, 64 << 10 // in KiB
	dir := dirtest.TempDir(t)
	dirtest.Deep(t, dir, strings.Repeat("d", 21), depth)
	for _, args := range []string{"-l", "--sort name", "-l --sort size -c always"} {
		cmd := exec.Command("ldx", strings.Fields(args)...)
		cmd.Dir = dir
		lines := &lineCounter{}
		cmd.Stdout = lines
		require.NoError(t, cmd.Run(), args)
		assert.Equal(t, depth, lines.n, args)
		// A process reports at least the peak memory that its parent had when
		// it was started. So ask for the parent's afterwards: it can only have
		// grown.
		version := exec.Command("ldx", "--version")
		require.NoError(t, version.Run())
		floor := version.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		assert.LessOrEqual(t, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, max(maxKiB, floor), args)
	}
}

// A lineCounter counts the lines written to it.
type lineCounter struct{ n int }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}
