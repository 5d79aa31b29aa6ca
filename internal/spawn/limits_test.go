//go:build unix

package spawn_test

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/spawn"
)

// longestArgument returns the maximum length of an argument, by trying.
func longestArgument(t *testing.T) int {
	t.Helper()
	for _, size := range []int{1<<17 - 1, 1<<19 - 1, 1<<21 - 1} { // 32 pages of 4, 16 and 64 KiB
		if exec.Command("true", strings.Repeat("x", size)).Run() == nil &&
			errors.Is(exec.Command("true", strings.Repeat("x", size+1)).Run(), syscall.E2BIG) {
			return size
		}
	}
	t.Skip("no limit on a single argument was found")
	return 0
}

// TestUnusablePaths has paths that no command can be given: they are reported,
// and the commands for the others run.
func TestUnusablePaths(t *testing.T) {
	longest := longestArgument(t)
	good := []string{"a", strings.Repeat("b", longest), "c"}
	for name, bad := range map[string]string{"long": strings.Repeat("l", longest+1), "nul": "n\x00l"} {
		t.Run(name, func(t *testing.T) {
			check := func(ok bool, errs []error) {
				t.Helper()
				assert.False(t, ok)
				require.Len(t, errs, 1)
				var unusable *spawn.ArgumentError
				require.ErrorAs(t, errs[0], &unusable)
				assert.Equal(t, bad, unusable.Path)
				assert.ErrorContains(t, errs[0], "sh cannot be given the path '"+bad[:1])
				assert.Less(t, len(errs[0].Error()), 400)
			}
			for _, workers := range []int{1, 2} {
				c := command(t, false, "sh", "-c", "echo ${#1}", "sh", "{}")
				out, _, ok, errs := run(t, spawn.Options{Workers: workers, Commands: []*spawn.Command{c}}, append([]string{bad}, good...)...)
				check(ok, errs)
				assert.Equal(t, []string{"1", "1", fmt.Sprint(longest)}, sorted(out))
			}
			for at := range 4 {
				paths := append(append(good[:at:at], bad), good[at:]...)
				var out bytes.Buffer
				var errs []error
				b := spawn.NewBatch(spawn.Options{
					Commands: []*spawn.Command{command(t, true, "sh", "-c", "echo $# ${#1} ${#2} ${#3}", "sh", "{}"), command(t, true, "echo", "x{//}")},
					Stdout:   &out, Stderr: &out, Report: func(err error) { errs = append(errs, err) },
				}, 0)
				for _, path := range paths {
					require.NoError(t, b.Add([]byte(path)))
				}
				check(b.Close(), errs)
				assert.Equal(t, fmt.Sprintf("3 1 %d 1\nx. x. x.\n", longest), out.String(), "all the others at once")
			}
		})
	}
}

// TestBatchTooLong has a system that takes less than it should. The batch is
// split, until the command itself is found to be at fault.
func TestBatchTooLong(t *testing.T) {
	var out bytes.Buffer
	var errs []error
	newBatch := func(args ...string) *spawn.Batch {
		out.Reset()
		errs = nil
		return spawn.NewBatch(spawn.Options{
			Commands: []*spawn.Command{command(t, true, args...)}, Stdout: &out, Stderr: &out, Report: func(err error) { errs = append(errs, err) },
		}, 0)
	}
	b := newBatch("printf", `%.7s\n`)
	var stack unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_STACK, &stack))
	lowered := stack
	lowered.Cur = 512 << 10 // a quarter of it is for arguments
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_STACK, &lowered))
	defer func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_STACK, &stack)) }()
	if !errors.Is(exec.Command("true", strings.Repeat("x", 100_000), strings.Repeat("y", 100_000)).Run(), syscall.E2BIG) {
		t.Skip("the stack's limit is not that of arguments")
	}
	var want strings.Builder
	for i := range 1000 {
		require.NoError(t, b.Add(fmt.Appendf(nil, "%7d%s", i, strings.Repeat("x", 400))))
		fmt.Fprintf(&want, "%7d\n", i)
	}
	assert.True(t, b.Close())
	assert.Empty(t, errs)
	assert.Equal(t, want.String(), out.String())

	b = newBatch("echo", strings.Repeat("x", 100_000), strings.Repeat("y", 100_000), "{}")
	for range 1000 {
		_ = b.Add([]byte("a"))
	}
	assert.False(t, b.Close())
	assert.Len(t, errs, 1)
	assert.ErrorIs(t, errs[0], syscall.E2BIG)
}

// TestLongOutputsAreWhole has outputs too long to be held, also of several
// commands.
func TestLongOutputsAreWhole(t *testing.T) {
	const workers, lines = 64, 100_000
	text := func(from, path string) string { return strings.Repeat(from+path+"\n", lines) }
	script := fmt.Sprintf(`yes "$0$1" | head -n %d; yes "e$0$1" | head -n %[1]d >&2`, lines)
	var paths []string
	for i := range 20 {
		paths = append(paths, fmt.Sprint(i+10))
	}
	out, stderr, ok, errs := run(t, spawn.Options{Workers: workers, Null: true, Commands: []*spawn.Command{
		command(t, false, "sh", "-c", script, "a", "{}"), command(t, false, "sh", "-c", script, "b", "{}"),
	}}, paths...)
	assert.True(t, ok)
	assert.Empty(t, errs)
	parts := strings.SplitAfter(out, "\x00")
	require.Len(t, parts, len(paths)+1)
	for _, part := range parts[:len(paths)] {
		path := part[1:3]
		assert.True(t, part == text("a", path)+text("b", path)+"\x00", "the output of %s is not whole", path)
	}
	for ; stderr != ""; stderr = stderr[2*lines*5:] {
		path := stderr[2:4]
		require.True(t, strings.HasPrefix(stderr, text("ea", path)+text("eb", path)), "the errors of %s are not whole", path)
	}
}

// TestKilledBySignal has commands that cannot report their end themselves.
func TestKilledBySignal(t *testing.T) {
	for signal, want := range map[string]string{
		"KILL": "sh was killed by SIGKILL (killed)",
		"SEGV": "sh was killed by SIGSEGV (segmentation fault)",
		"PIPE": "sh was killed by SIGPIPE (broken pipe)",
	} {
		script := []string{"sh", "-c", "test $1 = good || kill -" + signal + " $$; echo $1", "sh", "{}"}
		for _, workers := range []int{1, 2} {
			out, _, ok, errs := run(t, spawn.Options{Workers: workers, Commands: []*spawn.Command{command(t, false, script...)}}, "bad", "good")
			assert.Equal(t, "good\n", out)
			assert.False(t, ok)
			require.Len(t, errs, 1)
			assert.EqualError(t, errs[0], want+", with the path 'bad'")
		}
		var out bytes.Buffer
		var errs []error
		b := spawn.NewBatch(spawn.Options{
			Commands: []*spawn.Command{command(t, true, script...)}, Stdout: &out, Stderr: &out,
			Report: func(err error) { errs = append(errs, err) },
		}, 1)
		require.NoError(t, b.Add([]byte("bad")))
		require.NoError(t, b.Add([]byte("good")))
		assert.False(t, b.Close())
		assert.Equal(t, "good\n", out.String())
		require.Len(t, errs, 1)
		assert.EqualError(t, errs[0], want)
	}
}
