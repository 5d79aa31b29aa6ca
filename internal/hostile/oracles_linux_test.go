package hostile_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// find runs GNU find, and returns what it found below "." in dir, and its
// errors.
func find(t *testing.T, dir string, args ...string) (found []string, stderr string) {
	t.Helper()
	r := findIn(t, hostile.Limits{Dir: dir}, args...)
	require.False(t, r.TimedOut)
	return names(r), string(r.Stderr)
}

func findIn(t *testing.T, limits hostile.Limits, args ...string) hostile.Result {
	t.Helper()
	if _, err := exec.LookPath("find"); err != nil {
		t.Skip(err)
	}
	return hostile.Run(t, limits, "find", slices.Concat([]string{"."}, args, []string{"-mindepth", "1", "-printf", `%P\0`})...)
}

func names(r hostile.Result) []string {
	found := strings.Split(string(r.Stdout), "\x00")
	found = found[:len(found)-1]
	slices.Sort(found)
	return found
}

func mounted(t *testing.T, dir string) bool {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	require.NoError(t, err)
	return strings.Contains(string(mounts), " "+filepath.Clean(dir)+" ")
}

// TestExt4Image shows that for a program that stops at a NUL, a name that
// begins with "..\0" is the parent.
func TestExt4Image(t *testing.T) {
	for _, patched := range []bool{false, true} {
		dir := hostile.Ext4Image(t,
			func(dir string) {
				require.NoError(t, os.Remove(filepath.Join(dir, "lost+found")))
				dirtest.Make(t, dir, "a", "b", "..XHIDDEN =")
			},
			func(image []byte) []byte {
				require.Equal(t, 1, bytes.Count(image, []byte("..XHIDDEN\x00")), "the name is there once")
				if patched {
					return bytes.Replace(image, []byte("..XHIDDEN\x00"), []byte("..\x00HIDDEN\x00"), 1)
				}
				return image
			})
		want := []string{"..XHIDDEN", "a", "b"}
		if patched {
			want = want[1:]
		}
		found, stderr := find(t, dir)
		assert.Empty(t, stderr)
		assert.Equal(t, want, found)
		assert.Error(t, os.Mkdir(filepath.Join(dir, "c"), 0o755), "it is read-only")
	}
}

func TestExt4ImageEnds(t *testing.T) {
	var dir string
	t.Run("", func(t *testing.T) {
		dir = hostile.Ext4Image(t, func(string) {}, bytes.Clone)
		require.True(t, mounted(t, dir))
	})
	if dir != "" {
		assert.False(t, mounted(t, dir))
		assert.NoDirExists(t, dir)
	}
}

func TestStrace(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "a/b")
	for name, row := range map[string]struct {
		inject, stdout string
		stderr         []string
		exit           int
	}{
		"no fault": {"getdents64:error=EIO:when=100", dir + "\n" + dir + "/a\n" + dir + "/a/b\n", nil, 0},
		"refused":  {"getdents64:error=EACCES", dir + "\n", []string{"Permission denied"}, 1},
		"third":    {"getdents64:error=EIO:when=3", dir + "\n" + dir + "/a\n", []string{"Input/output error"}, 1},
		"two":      {"getdents64:error=EACCES write:error=ENOSPC:when=1", "", []string{"Permission denied", "write error"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, exit := hostile.Strace(t, row.inject, "find", dir)
			assert.Equal(t, row.stdout, string(stdout))
			for _, text := range row.stderr {
				assert.Contains(t, string(stderr), text)
			}
			assert.Equal(t, row.exit, exit)
		})
	}
}

// TestSwap shows that find enters only what it has looked at, so it never
// prints anything outside; a walk by path soon does.
func TestSwap(t *testing.T) {
	dir, outside := filepath.Join(dirtest.TempDir(t), "tree"), dirtest.TempDir(t)
	dirtest.Make(t, dir, "a/in/1", "b/in/2", "c/in/3", "c/in/d/4")
	dirtest.Make(t, outside, "in/outside")
	before, _ := find(t, dir)

	swapper := hostile.Swap(t, dir, outside, "a", "b", "c/in")
	walks := 1
	for !slices.ContainsFunc(walkByPath(dir), func(path string) bool { return filepath.Base(path) == "outside" }) {
		walks++
		require.Less(t, walks, 100_000, "the walk by path stayed inside")
	}
	t.Logf("the walk by path was outside after %d walks and %d swaps", walks, swapper.Count())
	for range 100 {
		r := findIn(t, hostile.Limits{Dir: dir})
		assert.NotContains(t, string(r.Stdout), "outside")
		assert.Subset(t, before, names(r))
	}
	swaps := swapper.Stop()
	t.Logf("%d swaps", swaps)
	assert.Equal(t, swaps, swapper.Stop(), "it has stopped")

	after, stderr := find(t, dir)
	assert.Empty(t, stderr)
	assert.Equal(t, before, after)
}

func walkByPath(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		paths = append(paths, path)
		if e.IsDir() {
			paths = append(paths, walkByPath(path)...)
		}
	}
	return paths
}

func TestLimits(t *testing.T) {
	dir := dirtest.TempDir(t)
	for name, row := range map[string]struct {
		limits hostile.Limits
		script string
		want   string
	}{
		"descriptors": {hostile.Limits{Ulimits: []string{"-n 20", "-c 0"}}, "ulimit -n; ulimit -Hn; ulimit -c", "20\n20\n0\n"},
		"directory":   {hostile.Limits{Dir: dir}, "pwd", dir + "\n"},
		"environment": {hostile.Limits{Env: []string{"SOME=thing"}}, `echo "$SOME"`, "thing\n"},
		"input":       {hostile.Limits{Stdin: strings.NewReader("in")}, "cat", "in"},
		"CPU":         {hostile.Limits{OneCPU: true}, "nproc", "1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := hostile.Run(t, row.limits, "sh", "-c", row.script)
			assert.Equal(t, row.want, string(r.Stdout))
			assert.Empty(t, string(r.Stderr))
			assert.Zero(t, r.Exit)
			assert.False(t, r.TimedOut)
		})
	}
	t.Run("all", func(t *testing.T) {
		locked := filepath.Join(dir, "locked")
		require.NoError(t, os.Mkdir(locked, 0))
		r := hostile.Run(t, hostile.Limits{Nobody: true, OneCPU: true, Ulimits: []string{"-n 10"}, Dir: "/"}, "find", locked)
		assert.Contains(t, string(r.Stderr), "Permission denied")
		assert.Equal(t, 1, r.Exit)
	})
}
