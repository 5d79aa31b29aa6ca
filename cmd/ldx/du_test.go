//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestDu compares ldx du with GNU du, over random trees and, with LDX_LARGE=1,
// over directories that every machine has. Lines are compared sorted;
// TestDuOrder compares their order.
func TestDu(t *testing.T) {
	oldRule := gnuDu(t)
	usual := []string{"-s", "-sb", "-sl", "-x", "-L", "-c", "-a", "-d 2"}
	all := append(usual, "", "-b", "-l", "-al", "-sL", "-ab", "-d 1 -a", "-d 0", "-h", "-ah --si", "-m", "-B 1000", "-BM", "-BKB", "-B KiB",
		"-a -t 4K", "-a -t -4096", "--time", "-a --time=atime --time-style=full-iso", "--time=ctime -d 1", "-D", "-0", "-a --exclude [abc]*",
		"-a --time --time-style=+%s.%N", "-a --time=ctime --time-style=+%A,%_d_%b_%Y_%H:%M:%S_%z_(%Z)_%j%%", "--time --time-style=+",
		"--time --time-style=iso", "--time --time-style=full-iso",
		"--inodes", "-a --inodes", "-sl --inodes", "--inodes -L", "--inodes -h", "--inodes --si", "--inodes -m",
		"-ab --inodes -t 2", "-c --inodes -d 1")
	trees := duTrees(t)
	if os.Getenv("LDX_LARGE") == "1" {
		trees, all = []string{"/usr", "/etc"}, usual
	}
	for _, tree := range trees {
		for _, args := range all {
			fields := strings.Fields(args)
			ours := fields
			if oldRule && strings.Contains(args, "b") {
				ours = append([]string{"--count-dirs=always"}, fields...)
			}
			want, failed := duLines(t, tree, "du", fields)
			got, gotFailed := duLines(t, tree, "ldx", append([]string{"du"}, ours...))
			if !assert.Equal(t, want, got, "du %s in %s", args, tree) {
				return
			}
			assert.Equal(t, failed, gotFailed, "exit status of du %s in %s", args, tree)
		}
	}
}

// TestDuArguments gives several paths that have files in common.
func TestDuArguments(t *testing.T) {
	gnuDu(t)
	for _, tree := range duTrees(t) {
		entries, err := os.ReadDir(tree)
		require.NoError(t, err)
		var some []string
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), "-") {
				some = append(some, "./"+e.Name())
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(len(some))))
		for range 15 {
			var args []string
			for range 1 + r.IntN(4) {
				switch r.IntN(6) {
				case 0:
					args = append(args, ".")
				case 1:
					args = append(args, "missing")
				default:
					args = append(args, some[r.IntN(len(some))])
				}
			}
			flags := []string{"-s", "-c", "-ac", "-sl", "-D", "-L", "-d1"}[r.IntN(7)]
			args = append([]string{flags}, args...)
			want, failed := duLines(t, tree, "du", args)
			got, gotFailed := duLines(t, tree, "ldx", append([]string{"du"}, args...))
			require.Equal(t, want, got, "du %s in %s", args, tree)
			require.Equal(t, failed, gotFailed, "du %s in %s", args, tree)
		}
	}
}

// TestDuOrder checks that in a pipe lines come in du's order.
func TestDuOrder(t *testing.T) {
	gnuDu(t)
	for _, tree := range duTrees(t) {
		want := runDu(t, tree, "du", "-a")
		assert.Equal(t, want, runDu(t, tree, "ldx", "du", "-a"), tree)
		for _, workers := range []string{"1", "2", "16"} {
			assert.Equal(t, want, runDu(t, tree, "ldx", "du", "-a", "-j", workers), tree)
		}
	}
}

// TestDuOneFileSystem checks that -x leaves out what is mounted in a directory.
func TestDuOneFileSystem(t *testing.T) {
	gnuDu(t)
	if runtime.GOOS != "linux" {
		t.Skip("this needs something mounted below /dev")
	}
	want, failed := duLines(t, "/dev", "du", []string{"-ax"})
	got, gotFailed := duLines(t, "/dev", "ldx", []string{"du", "-ax"})
	assert.Equal(t, want, got)
	assert.Equal(t, failed, gotFailed)
	if mounts, err := os.ReadFile("/proc/self/mounts"); err == nil && bytes.Contains(mounts, []byte(" /dev/pts ")) {
		assert.NotContains(t, strings.Join(got, "\n"), "./pts")
	}
}

// gnuDu skips the test if there is no GNU du. It reports whether du follows the
// rule before coreutils 9.2, by which directories have an apparent size.
func gnuDu(t *testing.T) (oldRule bool) {
	peer(t, "du")
	if out, err := exec.Command("du", "--version").Output(); err != nil || !bytes.Contains(out, []byte("GNU")) {
		t.Skip("du is not GNU's")
	}
	t.Setenv("TZ", "Europe/Berlin")
	t.Setenv("LC_ALL", "C")
	out, err := exec.Command("du", "-sb", t.TempDir()).Output()
	require.NoError(t, err)
	return !bytes.HasPrefix(out, []byte("0\t"))
}

// runDu returns what du prints, even if it fails.
func runDu(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit, "%s %q", program, args)
		require.Equal(t, 1, exit.ExitCode(), "%s %q: %s", program, args, exit.Stderr)
		return string(out) + "failed"
	}
	return string(out)
}

func duLines(t *testing.T, dir, program string, args []string) (lines []string, failed bool) {
	t.Helper()
	out, failed := strings.CutSuffix(runDu(t, dir, program, args...), "failed")
	end := "\n"
	if slices.Contains(args, "-0") {
		end = "\x00"
	}
	lines = strings.Split(out, end)
	slices.Sort(lines)
	return lines, failed
}

// duTrees returns random trees, then directories with fixed names.
func duTrees(t *testing.T) (trees []string) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	for i := range uint64(7) {
		tree := dirtest.TempDir(t)
		randomUsage(t, tree, seed+i)
		trees = append(trees, tree)
	}
	for _, name := range []string{"basic", "links", "loops"} {
		trees = append(trees, dirtest.Tree(t, name))
	}
	return trees
}

// randomUsage makes a tree with what du must handle: files with several names
// in several directories; sparse files; links, some to directories, some
// broken; named pipes; large directories.
func randomUsage(t *testing.T, tree string, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	dirs, files := []string{tree}, []string{}
	in := func() string { return dirs[r.IntN(len(dirs))] }
	for i := range 200 {
		path := filepath.Join(in(), fmt.Sprintf("%c%d", 'a'+r.IntN(26), i))
		switch kind := r.IntN(20); {
		case kind < 5:
			require.NoError(t, os.Mkdir(path, 0o755))
			dirs = append(dirs, path)
		case kind < 11:
			require.NoError(t, os.WriteFile(path, make([]byte, r.IntN(20_000)), 0o644))
			files = append(files, path)
		case kind < 15 && len(files) > 0:
			require.NoError(t, os.Link(files[r.IntN(len(files))], path))
		case kind == 15:
			require.NoError(t, os.WriteFile(path, []byte("sparse"), 0o644))
			require.NoError(t, os.Truncate(path, r.Int64N(1<<40)))
		case kind == 16:
			require.NoError(t, exec.Command("mkfifo", path).Run()) // package syscall has no Mkfifo on illumos
		case kind == 17 && len(files) > 0:
			target, err := filepath.Rel(filepath.Dir(path), files[r.IntN(len(files))])
			require.NoError(t, err)
			require.NoError(t, os.Symlink(target, path))
		case kind == 18:
			target, err := filepath.Rel(filepath.Dir(path), in())
			require.NoError(t, err)
			require.NoError(t, os.Symlink(target, path))
		case kind == 19 && i%4 == 0:
			require.NoError(t, os.Mkdir(path, 0o755))
			for n := range 150 {
				name := filepath.Join(path, fmt.Sprintf("%0200d", n))
				require.NoError(t, os.WriteFile(name, nil, 0o644))
			}
		case kind == 19:
			require.NoError(t, os.Symlink("nowhere", path))
		}
	}
}

// TestSystemCalls checks that ldx du calls stat once for each entry, and opens,
// reads in two calls and closes each directory. It asks about a few more for
// their mount points.
func TestSystemCalls(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getenv("LDX_TEST_RECORD") != "" {
		t.Skip("this needs strace, and reads all directories")
	}
	peer(t, "strace")
	tree := dirtest.TempDir(t)
	entries := 0
	for i := range 40 {
		dirtest.Make(t, tree, fmt.Sprintf("d%d/a", i), fmt.Sprintf("d%d/b", i), fmt.Sprintf("d%d/sub/c", i))
		require.NoError(t, os.Truncate(filepath.Join(tree, fmt.Sprintf("d%d/sub/c", i)), 0))
		entries += 5
	}
	calls := traced(t, "du", "-s", tree)
	if calls(`statx\(`) == 0 {
		t.Skip("the reader is another system's")
	}
	mounts := calls(`statx\(.*AT_STATX_DONT_SYNC`)
	assert.LessOrEqual(t, mounts, 2*32, "the mount table is known by then")
	assert.Equal(t, entries+1, calls(`statx\(`)-mounts)
	assert.Equal(t, 81, calls(`openat\(.*O_DIRECTORY`))
	assert.LessOrEqual(t, calls(`getdents64\(`), 2*81+16, "signals may cut some short")

	// A search, too, calls stat once for each entry that passes the tests of types and names,
	// whatever it filters, sorts and prints by.
	const files = 3 * 40
	for _, row := range []struct {
		want int
		args []string
	}{
		{0, []string{"--sort", "name,depth", "--format", "{path} {type}"}},
		{entries, []string{"--sort", "size,mtime", "--format", "{size} {mtime} {user} {mode} {links}"}},
		{entries, []string{"--changed-within", "1d", "--sort", "user,btime", "--format", "{size} {atime} {inode}"}},
		{files, []string{"-S", "+0b", "-l", "--sort", "inode", "-c", "always"}},
		{files, []string{"-S", "+0b", "-c", "always"}},
		{files, []string{"-T", "e", "-T", "f", "--format", "{blocks} {ctime}"}},
		{files, []string{"-S", "+0b", "--owner", "!4000000000", "--sortr", "group", "-X", "true", ";"}},
	} {
		calls := traced(t, append(row.args, ".", tree)...)
		assert.Equal(t, row.want, calls(`statx\(`)-calls(`statx\(.*AT_STATX_DONT_SYNC`), row.args)
	}
}

// traced runs ldx, and returns a function that counts its system calls that
// match a pattern.
func traced(t *testing.T, args ...string) func(pattern string) int {
	trace := filepath.Join(t.TempDir(), "trace")
	strace := []string{"-f", "-o", trace, "-e", "trace=statx,openat,getdents64,close", "ldx"}
	out, err := exec.Command("strace", append(strace, args...)...).CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("ptrace")) {
		t.Skip("strace may not trace here")
	}
	require.NoError(t, err, "%s", out)
	data, err := os.ReadFile(trace)
	require.NoError(t, err)
	return func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(data, -1)) }
}
