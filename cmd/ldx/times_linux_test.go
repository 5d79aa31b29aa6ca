package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withTimes makes files modified at the given seconds since 1970, which are
// also their names. It skips the test if the file system does not support such
// times.
func withTimes(t *testing.T, seconds ...int64) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ldx-times-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, s := range seconds {
		path := filepath.Join(dir, strconv.FormatInt(s, 10))
		require.NoError(t, exec.Command("touch", "-d", fmt.Sprint("@", s), path).Run())
		got, err := exec.Command("stat", "-c", "%Y", path).Output()
		require.NoError(t, err)
		if strings.TrimSpace(string(got)) != fmt.Sprint(s) {
			t.Skip("/dev/shm cannot hold a time of ", s)
		}
	}
	return dir
}

const year1 = -62135596800 // its first second, Go's zero Time

var farTimes = []int64{
	-1 << 63, -1<<63 + 1, -1 << 62, year1 - 1, year1, year1 + 1, -1, 0, 1, 1 << 31, 253402300800, 1 << 62,
	1<<63 - 62135596801, 1<<63 - 62135596800, 1<<63 - 2, 1<<63 - 1,
}

// inUTC returns what a command prints, in UTC and English.
func inUTC(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	out, err := cmd.Output()
	require.NoError(t, err, "%s %q", name, args)
	return string(out)
}

// TestFarTimes searches for and sorts by all times that the kernel supports.
func TestFarTimes(t *testing.T) {
	dir := withTimes(t, farTimes...)
	names := func(has func(s int64) bool) []string {
		names := []string{}
		for _, s := range farTimes {
			if has(s) {
				names = append(names, strconv.FormatInt(s, 10))
			}
		}
		slices.Sort(names)
		return names
	}
	lines := func(args ...string) []string {
		return strings.Fields(strings.Join(sortedLines(strings.ReplaceAll(inUTC(t, dir, "ldx", args...), "./", "")), "\n"))
	}
	for _, s := range append(farTimes, year1+7, 1_000_000_000) {
		for _, clock := range []string{"changed", "accessed"} {
			assert.Equal(t, names(func(other int64) bool { return other > s }), lines(fmt.Sprintf("--%s-within=@%d", clock, s)), s)
			assert.Equal(t, names(func(other int64) bool { return other < s }), lines(fmt.Sprintf("--%s-before=@%d", clock, s)), s)
		}
		newer := inUTC(t, dir, "find", ".", "-type", "f", "-newermt", fmt.Sprintf("@%d", s), "-printf", "%f\n")
		if s != -1<<63 { // find has a bug there
			assert.Equal(t, strings.Fields(strings.Join(sortedLines(newer), "\n")), lines(fmt.Sprintf("--changed-within=@%d", s)))
		}
	}
	for _, key := range []string{"mtime", "atime"} {
		var want []string
		for _, s := range slices.Sorted(slices.Values(farTimes)) {
			want = append(want, strconv.FormatInt(s, 10))
		}
		assert.Equal(t, want, strings.Fields(strings.ReplaceAll(inUTC(t, dir, "ldx", "--sort", key), "./", "")))
	}
	assert.Equal(t, names(func(s int64) bool { return s > 1<<35 }), lines("--newer", "2300-01-01"))
	du := inUTC(t, dir, "ldx", "du", "--time", "-a", "--lines")
	assert.Contains(t, du, "0\t9223372036854775807\t./9223372036854775807\n")
	assert.Contains(t, du, "0\t9223372036854775807\t.\n", "the latest")
	assert.Contains(t, du, "0\t0001-01-01 00:00\t./-62135596800\n")
}

// TestFarTimesAreShown compares with ls, which prints seconds for times that
// are too far off.
func TestFarTimesAreShown(t *testing.T) {
	dir := withTimes(t, farTimes...)
	shown := func(out string) (times []string) {
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); len(fields) > 6 {
				times = append(times, strings.Join(fields[5:], " "))
			}
		}
		slices.Sort(times)
		return times
	}
	ls := shown(strings.ReplaceAll(inUTC(t, dir, "ls", "-l"), " ./", " "))
	ldx := shown(strings.ReplaceAll(inUTC(t, dir, "ldx", "-l"), " ./", " "))
	require.Len(t, ldx, len(farTimes))
	for i := range ls { // ls prints year 0 before year 1 as -000
		if !strings.Contains(ls[i], fmt.Sprint(int64(year1-1))) {
			assert.Equal(t, ls[i], ldx[i])
		}
	}
	got := inUTC(t, dir, "ldx", "--format", "{mtime}", "--exact", "9223372036854775807")
	assert.Equal(t, "9223372036854775807\n", got)
}
