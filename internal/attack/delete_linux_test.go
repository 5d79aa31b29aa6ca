package attack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// listing returns all paths below a directory, as find lists them.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	out, err := exec.Command("find", dir, "-mindepth", "1", "-printf", "%P\n").Output()
	require.NoError(t, err)
	return sorted(out)
}

// TestDeleteSwappedLinks deletes in directories that are replaced by links, at least 10,000
// times. The links lead to directories with the same names, where nothing may be deleted.
func TestDeleteSwappedLinks(t *testing.T) {
	const swapsMin, runsMin = 10_000, 10
	outside := dirtest.TempDir(t)
	dirtest.Make(t, outside, "f", "e0/", "e1/f", "e2/f", "a/f", "a/e0/", "a/b/f", "a/b/e0/", "a/b/e1/f", "b/f", "b/e0/", "b/e1/f")
	before := listing(t, outside)
	for _, tt := range []struct {
		name   string
		limits hostile.Limits
		args   []string
	}{
		{"delete, 16 descriptors", hostile.Limits{Ulimits: []string{"-n 16"}}, []string{"--delete", "--yes"}},
		{"delete, 64 descriptors", hostile.Limits{Ulimits: []string{"-n 64"}}, []string{"--delete", "--yes"}},
		{"delete, all descriptors", hostile.Limits{}, []string{"--delete", "--yes"}},
		{"trash, 16 descriptors", hostile.Limits{Ulimits: []string{"-n 16"}}, []string{"--trash", "--yes"}},
		{"trash, all descriptors", hostile.Limits{}, []string{"--trash", "--yes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := filepath.Join(dirtest.TempDir(t), "tree")
			var names []string
			swaps, runs, deleted := int64(0), 0, 0
			for ; swaps < swapsMin || runs < runsMin; runs++ {
				for i := range 40 {
					for j := range 3 {
						dirtest.Make(t, tree, fmt.Sprintf("d%d/a/b/e%d/f", i, j), fmt.Sprintf("d%d/b/e%d/f", i, j), fmt.Sprintf("d%d/e%d/", i, j))
					}
					names = append(names, fmt.Sprintf("d%d", i), fmt.Sprintf("d%d/a", i), fmt.Sprintf("d%d/a/b", i))
				}
				full := len(listing(t, tree))
				swapper := hostile.Swap(t, tree, outside, names...)
				limits := tt.limits
				limits.Dir, limits.Env = tree, []string{"XDG_DATA_HOME=" + dirtest.TempDir(t)}
				got := hostile.Run(t, limits, ldx(t), append([]string{"-u", "-Tf", "-Td", "^[ef]"}, tt.args...)...)
				swaps += swapper.Stop()
				names = names[:0]
				require.False(t, got.TimedOut)
				require.NotContains(t, string(got.Stderr), "goroutine")
				deleted += full - len(listing(t, tree))
				require.Equal(t, before, listing(t, outside))
			}
			assert.Positive(t, deleted)
			t.Logf("%d runs, %d swaps, %d deleted", runs, swaps, deleted)
		})
	}
}

// TestDeleteErrors has entries that cannot be deleted: each is an error, and the rest is
// deleted.
func TestDeleteErrors(t *testing.T) {
	nobody := hostile.Limits{Nobody: true}
	for _, tt := range []struct {
		name    string
		limits  hostile.Limits
		prepare func(t *testing.T, dir string)
		args    []string
		errors  []string
		left    []string
	}{
		{
			"read-only directory", nobody, func(t *testing.T, dir string) {
				require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o555))
			}, nil,
			[]string{"remove a/1: permission denied", "remove a/x: permission denied", "remove a: directory not empty"},
			[]string{"a", "a/1", "a/x"},
		},
		{"unreadable directory", nobody, func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0))
		}, nil, []string{"a: permission denied"}, []string{"a", "a/1", "a/x", "a/x/2"}},
		{"immutable file", hostile.Limits{}, func(t *testing.T, dir string) {
			file := filepath.Join(dir, "a/1")
			if out, err := exec.Command("chattr", "+i", file).CombinedOutput(); err != nil {
				t.Skipf("chattr: %v: %s", err, out)
			}
			t.Cleanup(func() { _ = exec.Command("chattr", "-i", file).Run() })
		}, nil, []string{"remove a/1: operation not permitted", "remove a: directory not empty"}, []string{"a", "a/1"}},
		{
			"mount point",
			hostile.Limits{},
			bindMount, nil,
			[]string{"remove a/x: device or resource busy", "remove a: directory not empty"},
			[]string{"a", "a/x", "a/x/kept"},
		},
		{
			"mount point, which is no result",
			hostile.Limits{},
			bindMount,
			[]string{"-Tf"},
			nil,
			[]string{"a", "a/x", "a/x/kept", "b", "b/y"},
		},
		{
			"mount point that is searched",
			hostile.Limits{},
			bindMount,
			[]string{"--no-one-file-system"},
			[]string{"remove a/x: device or resource busy", "remove a: directory not empty"},
			[]string{"a", "a/x"},
		},
		{
			"what is hidden or ignored",
			hostile.Limits{},
			func(t *testing.T, dir string) {
				dirtest.Make(t, dir, "a/.hidden", "b/y/file.o")
				require.NoError(t, os.WriteFile(filepath.Join(dir, ".ignore"), []byte("*.o\n"), 0o666))
			}, nil,
			[]string{"remove a: directory not empty", "remove b/y: directory not empty", "remove b: directory not empty"},
			[]string{".ignore", "a", "a/.hidden", "b", "b/y", "b/y/file.o"},
		},
		{
			"depth limit",
			hostile.Limits{},
			func(t *testing.T, dir string) { dirtest.Make(t, dir, "empty/") },
			[]string{"-d1"},
			[]string{"remove a: directory not empty", "remove b: directory not empty"},
			[]string{"a", "a/1", "a/x", "a/x/2", "b", "b/y", "b/y/3"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := dirtest.TempDir(t)
			dirtest.Make(t, dir, "a/1", "a/x/2", "b/y/3", "4")
			require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
				if err == nil && d.IsDir() {
					err = os.Chmod(path, 0o777)
				}
				return err
			}))
			tt.prepare(t, dir)
			limits := tt.limits
			limits.Dir = dir
			got := hostile.Run(t, limits, ldx(t), append([]string{"--delete", "--yes"}, tt.args...)...)
			var want []string
			for _, e := range tt.errors {
				want = append(want, "ldx: "+e)
			}
			assert.ElementsMatch(t, want, strings.FieldsFunc(string(got.Stderr), func(r rune) bool { return r == '\n' }))
			assert.Equal(t, len(want) > 0, got.Exit == 1)
			_ = os.Chmod(filepath.Join(dir, "a"), 0o777) // find too must read it, if it still exists
			assert.ElementsMatch(t, tt.left, listing(t, dir))
		})
	}
}

// TestTrashErrors has entries that cannot be moved to the trash: each is an error, and the rest is
// moved.
func TestTrashErrors(t *testing.T) {
	for _, tt := range []struct {
		name    string
		limits  hostile.Limits
		prepare func(t *testing.T, dir string)
		errors  []string
		left    []string
	}{
		{
			"read-only directory",
			hostile.Limits{Nobody: true},
			func(t *testing.T, dir string) {
				require.NoError(t, os.Chmod(dir, 0o555))
				t.Cleanup(func() { _ = os.Chmod(dir, 0o777) })
			},
			[]string{"trash a: permission denied", "trash b: permission denied", "trash 4: permission denied"},
			[]string{"4", "a", "a/1", "a/x", "b", "b/y", "b/y/3"},
		},
		{
			"mount point",
			hostile.Limits{},
			bindMount,
			[]string{"trash a: a file system is mounted in it"},
			[]string{"a", "a/1", "a/x", "a/x/kept"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, home := dirtest.TempDir(t), dirtest.TempDir(t)
			require.NoError(t, os.Chmod(home, 0o777))
			dirtest.Make(t, dir, "a/1", "a/x/", "b/y/3", "4")
			require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o777))
			require.NoError(t, os.Chmod(filepath.Join(dir, "b"), 0o777))
			require.NoError(t, os.Chmod(filepath.Join(dir, "b/y"), 0o777))
			tt.prepare(t, dir)
			limits := tt.limits
			limits.Dir, limits.Env = dir, []string{"XDG_DATA_HOME=" + home}
			got := hostile.Run(t, limits, ldx(t), "--trash", "--yes")
			var want []string
			for _, e := range tt.errors {
				want = append(want, "ldx: "+e)
			}
			assert.ElementsMatch(t, want, sorted(got.Stderr))
			assert.Equal(t, 1, got.Exit)
			assert.ElementsMatch(t, tt.left, listing(t, dir))
		})
	}
}

// bindMount mounts a directory with a file on a/x, which is on the same device.
func bindMount(t *testing.T, dir string) {
	t.Helper()
	source := dirtest.TempDir(t)
	dirtest.Make(t, source, "kept")
	target := filepath.Join(dir, "a/x")
	if err := unix.Mount(source, target, "", unix.MS_BIND, ""); err != nil {
		t.Skip("mount: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(target, unix.MNT_DETACH)) })
}
