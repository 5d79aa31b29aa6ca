package attack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// ruledTree makes 60 directories, with files, half of them ignored, and links.
func ruledTree(t *testing.T) string {
	t.Helper()
	dir := dirtest.TempDir(t)
	for i := range 20 {
		for _, sub := range []string{"", "a/", "b/"} {
			dirtest.Make(t, dir, fmt.Sprintf("d%d/%skeep", i, sub), fmt.Sprintf("d%d/%sdrop.no", i, sub), fmt.Sprintf("d%d/%slink -> keep", i, sub))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%d/.ignore", i)), []byte("*.no\n"), 0o644))
	}
	return dir
}

// TestPassingFaults has calls that fail once, by a signal or for lack of
// descriptors or memory. Nothing may be lost.
func TestPassingFaults(t *testing.T) {
	dir := ruledTree(t)
	for _, args := range [][]string{
		{"--trailing-slash=never", "."},
		{"-u", "-j1", "."},
		{"-T", "r", "."},
		{"-S", "+0b", "."},
		{"-L", "-T", "f", "."},
		{"--format", "{path} {size} {target}", "."},
		{"--sort", "size", "."},
		{"-T", "e", "."},
		{"du", "-a"},
	} {
		run := func(inject string) ([]string, string, int) {
			args := append([]string{"-c", `cd "$0" && exec "$@"`, dir, ldx(t)}, args...)
			stdout, stderr, exit := hostile.Strace(t, inject, "sh", args...)
			return sorted(stdout), string(stderr), exit
		}
		want, _, exit := run("getpriority:error=EIO:when=1")
		require.Zero(t, exit)
		require.NotEmpty(t, want)
		for _, inject := range []string{
			"openat:error=EINTR:when=20+3",
			"openat:error=EMFILE:when=30+7",
			"openat:error=ENFILE:when=31+7",
			"openat:error=ENOMEM:when=32+7",
			"openat:error=EAGAIN:when=33+7",
			"getdents64:error=EINTR:when=3+2",
			"getdents64:error=ENOMEM:when=5+7",
			"statx:error=EINTR:when=3+2",
			"statx:error=ENOSYS:when=1+",
			"statx:error=EPERM:when=1+",
			"faccessat2:error=EINTR:when=3+2",
			"faccessat2:error=EPERM:when=1+",
			"readlinkat:error=EINTR:when=3+2",
			"newfstatat,fstat:error=EINTR:when=3+2",
			"openat2:error=ENOSYS:when=1+",
		} {
			got, stderr, exit := run(inject)
			assert.True(t, slices.Equal(want, got), "%s %v: %d of %d lines", inject, args, len(got), len(want))
			assert.Zero(t, exit, "%s %v: %s", inject, args, stderr)
			assert.Empty(t, stderr, "%s %v", inject, args)
		}
	}
}

// TestLastingFaults has calls that keep failing. Lost results must be reported,
// also with output to a pipe, and the exit status is 1.
func TestLastingFaults(t *testing.T) {
	dir := ruledTree(t)
	for _, tt := range []struct {
		inject string
		args   []string
		says   string
	}{
		{"getdents64:error=EIO:when=5+7", []string{"."}, "input/output error"},
		{"openat:error=EIO:when=12+9", []string{"."}, "input/output error"},
		{"openat:error=ELOOP:when=12+9", []string{"."}, "too many levels of symbolic links"},
		{"openat:error=ESTALE:when=12+9", []string{"."}, "stale"},
		{"openat:error=EMFILE:when=40+", []string{"-j1", "."}, "too many open files"},
		{"openat:error=ENOMEM:when=40+", []string{"-j1", "."}, "cannot allocate memory"},
		{"getdents64:error=ENOMEM:when=9+", []string{"-j1", "."}, "cannot allocate memory"},
		{"faccessat2:error=EIO:when=5+5", []string{"-T", "r", "."}, "input/output error"},
		{"statx:error=EIO:when=4+", []string{"-S", "+0b", "."}, "input/output error"},
		{"statx:error=EIO:when=4+", []string{"--format", "{size}", "."}, "input/output error"},
		{"statx:error=EIO:when=4+", []string{"--sort", "size", "."}, "input/output error"},
		{"readlinkat:error=EIO:when=3+2", []string{"--format", "{target}", "."}, "input/output error"},
		{"readlinkat:error=EIO:when=3+2", []string{"-l", "."}, "input/output error"},
	} {
		args := append([]string{"-c", `cd "$0" && exec "$@"`, dir, ldx(t)}, tt.args...)
		want, _, _ := hostile.Strace(t, "getpriority:error=EIO:when=1", "sh", args...)
		stdout, stderr, exit := hostile.Strace(t, tt.inject, "sh", args...)
		// strace counts the calls of each thread, and Go may spread them over many.
		for tries := 1; exit == 0 && tries < 10; tries++ {
			assert.Equal(t, sorted(want), sorted(stdout), "%s %v", tt.inject, tt.args)
			stdout, stderr, exit = hostile.Strace(t, tt.inject, "sh", args...)
		}
		assert.Equal(t, 1, exit, "%s %v", tt.inject, tt.args)
		assert.Contains(t, string(stderr), tt.says, "%s %v", tt.inject, tt.args)
		assert.NotContains(t, string(stderr), "goroutine", "%s %v", tt.inject, tt.args)
	}
}

// TestLinksToTheUnknown has links whose target cannot be read: they are not
// broken.
func TestLinksToTheUnknown(t *testing.T) {
	for _, errno := range []error{syscall.EIO, syscall.EACCES, syscall.ENOMEM} {
		dir := hostile.Mount(t, hostile.FS{
			Entries: []string{"bad/file", "good", "link -> bad/file", "dangling -> nothing", "loop -> loop"},
			Faults:  map[string]hostile.Fault{"bad/file": {Fail: map[hostile.Op]error{hostile.Lookup: errno}}},
		})
		run := func(args ...string) hostile.Result {
			return hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), args...)
		}
		got := run("-u", "-T", "broken", ".")
		assert.Equal(t, []string{"dangling", "loop"}, sorted(got.Stdout), errno)
		strict := run("-L", "-T", "l", "--strict", "--show-errors", ".")
		assert.Equal(t, 1, strict.Exit)
		assert.Contains(t, string(strict.Stderr), "link: "+errno.Error())
		assert.Equal(t, 1, run("-T", "broken", "--strict", ".").Exit)
		if errno == syscall.EACCES { // reported only on request
			assert.Zero(t, got.Exit)
			assert.Empty(t, got.Stderr)
		} else {
			assert.Equal(t, 1, got.Exit)
			assert.Contains(t, string(got.Stderr), errno.Error())
			assert.Equal(t, 1, run("-L", ".").Exit)
		}
	}
}

// TestUnknownTypes has listings without types where stat fails too: results are
// missing.
func TestUnknownTypes(t *testing.T) {
	fs := hostile.FS{Dirs: 3, Files: 3, Depth: 2, UnknownTypes: true}
	dir := hostile.Mount(t, fs)
	want := findLines(t, dir)
	got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), everything...)
	assert.Equal(t, want, sorted(got.Stdout))
	fs.Faults = map[string]hostile.Fault{"d1": {Fail: map[hostile.Op]error{hostile.Lookup: syscall.EIO}}}
	dir = hostile.Mount(t, fs)
	got = hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), everything...)
	assert.Equal(t, 1, got.Exit)
	assert.Contains(t, string(got.Stderr), "input/output error")
}

// TestNoInodes has file systems with one inode number for all, or none: nothing
// is lost, and the search ends.
func TestNoInodes(t *testing.T) {
	for _, number := range []uint64{0, 77} {
		fs := hostile.FS{
			Dirs: 3, Files: 2, Depth: 3, Entries: []string{"d0/up -> ..", "d1/over -> ../d2"},
			Inode: func(string) uint64 { return number },
		}
		dir := hostile.Mount(t, fs)
		got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), append([]string{"-L"}, everything...)...)
		assert.False(t, got.TimedOut)
		lines := sorted(got.Stdout)
		for _, path := range fs.Paths() {
			assert.Contains(t, lines, path)
		}
	}
}

// TestMountedInItself has a directory mounted below itself: it is reported and
// not entered, as by find and du.
func TestMountedInItself(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may mount")
	}
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "a/b/mnt/", "a/b/file =12345", "a/other/")
	for i := range 40 {
		dirtest.Make(t, dir, fmt.Sprintf("z%d/y/x", i))
	}
	for _, source := range []string{"", "a", "a/b"} {
		target := filepath.Join(dir, "a/b/mnt")
		if err := unix.Mount(filepath.Join(dir, source), target, "", unix.MS_BIND, ""); err != nil {
			t.Skip(err)
		}
		unmount := func() { _ = unix.Unmount(target, unix.MNT_DETACH) }
		t.Cleanup(unmount)
		find := hostile.Run(t, hostile.Limits{Dir: dir}, "find", ".", "-mindepth", "1", "-printf", `%P\n`)
		require.Contains(t, string(find.Stderr), "loop")
		for _, args := range [][]string{everything, append([]string{"-L"}, everything...), append([]string{"-j1"}, everything...)} {
			got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), args...)
			assert.Equal(t, sorted(find.Stdout), sorted(got.Stdout), "%q %v", source, args)
			assert.Equal(t, 1, got.Exit)
			assert.Equal(t, 1, strings.Count(string(got.Stderr), "loop"), string(got.Stderr))
		}
		du := hostile.Run(t, hostile.Limits{Dir: dir}, "du", "-s")
		got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), "du", "-s")
		assert.Equal(t, string(du.Stdout), string(got.Stdout), "%q", source)
		assert.Equal(t, 1, got.Exit)
		unmount()
	}
	// Another directory mounted there is entered.
	require.NoError(t, unix.Mount(filepath.Join(dir, "z1"), filepath.Join(dir, "a/b/mnt"), "", unix.MS_BIND, ""))
	defer func() { _ = unix.Unmount(filepath.Join(dir, "a/b/mnt"), unix.MNT_DETACH) }()
	got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), everything...)
	assert.Zero(t, got.Exit)
	assert.Equal(t, findLines(t, dir), sorted(got.Stdout))
}

// TestPostponedInEachRound has directories that can never be opened for lack of memory, in both
// rounds of a search that follows links. The search must end.
func TestPostponedInEachRound(t *testing.T) {
	noMemory := hostile.Fault{Fail: map[hostile.Op]error{hostile.OpenDir: unix.ENOMEM}}
	dir := hostile.Mount(t, hostile.FS{
		Entries: []string{"root/good", "root/bad/lost", "root/link -> ../other", "other/lost"},
		Faults:  map[string]hostile.Fault{"root/bad": noMemory, "other": noMemory},
	})
	got := hostile.Run(t, hostile.Limits{Dir: dir, Time: 10 * time.Second}, ldx(t), "-L", "--trailing-slash=never", ".", "root")
	assert.False(t, got.TimedOut)
	assert.Equal(t, []string{"root/bad", "root/good", "root/link"}, sorted(got.Stdout))
	assert.Equal(t, 2, strings.Count(string(got.Stderr), "cannot allocate memory"), "%s", got.Stderr)
	assert.Equal(t, 1, got.Exit)
}
