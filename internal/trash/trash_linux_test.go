package trash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/trash"
)

// TestTopDirectory moves a file on a file system of its own, where there are trash directories of
// all sorts.
func TestTopDirectory(t *testing.T) {
	uid := fmt.Sprint(os.Getuid())
	for _, row := range []struct {
		name    string
		prepare func(t *testing.T, top string)
		want    string // the trash directory; "": there is none
	}{
		{"none", func(*testing.T, string) {}, ".Trash-" + uid},
		{"shared", shared(0o1777), ".Trash/" + uid},
		{"shared, not sticky", shared(0o777), ".Trash-" + uid},
		{"shared, a link", func(t *testing.T, top string) {
			shared(0o1777)(t, filepath.Join(top, "d"))
			require.NoError(t, os.Symlink("d/.Trash", filepath.Join(top, ".Trash")))
		}, ".Trash-" + uid},
		{"shared, another's", func(t *testing.T, top string) {
			shared(0o1777)(t, top)
			require.NoError(t, os.Mkdir(filepath.Join(top, ".Trash", uid), 0o700))
			require.NoError(t, os.Chown(filepath.Join(top, ".Trash", uid), 12, 12))
		}, ".Trash-" + uid},
		{"another's", func(t *testing.T, top string) {
			require.NoError(t, os.Mkdir(filepath.Join(top, ".Trash-"+uid), 0o700))
			require.NoError(t, os.Chown(filepath.Join(top, ".Trash-"+uid), 12, 12))
		}, ""},
		{"a link", func(t *testing.T, top string) {
			require.NoError(t, os.Symlink("d", filepath.Join(top, ".Trash-"+uid)))
		}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir, top := dirtest.TempDir(t), tmpfs(t)
			dirtest.Make(t, top, "d/e/x")
			row.prepare(t, top)
			path := filepath.Join(top, "d/e/x")
			require.NoError(t, os.WriteFile(path, []byte("content"), 0o666))
			can := home(dir)
			err := put(can, path)
			assert.NoDirExists(t, filepath.Join(dir, ".local"))
			if row.want == "" {
				require.ErrorContains(t, err, "there is no trash for it: "+top+"/.Trash-"+uid)
				assert.FileExists(t, path)
				return
			}
			require.NoError(t, err)
			place := filepath.Join(top, row.want)
			assert.Equal(t, map[string]string{"d/e/x": "content"}, thrown(t, place))
			assert.True(t, can.Holds(place+"/files/x"))
		})
	}
}

// A file system that is mounted at two paths has a trash directory by each of them: the system
// renames nothing from one mount to another.
func TestMountedTwice(t *testing.T) {
	top, again := tmpfs(t), dirtest.TempDir(t)
	require.NoError(t, unix.Mount(top, again, "", unix.MS_BIND, ""))
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(again, unix.MNT_DETACH)) })
	long := strings.Repeat("long/", 20) + "x"
	dirtest.Make(t, top, long, "y")
	can := home(dirtest.TempDir(t))
	require.NoError(t, put(can, filepath.Join(top, long)))
	require.NoError(t, put(can, filepath.Join(again, "y")))
	assert.Equal(t, map[string]string{long: long, "y": "y"},
		thrown(t, filepath.Join(top, ".Trash-"+fmt.Sprint(os.Getuid()))))
}

// A directory that a file system is mounted below stays.
func TestMounted(t *testing.T) {
	top := tmpfs(t)
	require.NoError(t, os.Mkdir(filepath.Join(top, "a b"), 0o777))
	mount(t, filepath.Join(top, "a b"))
	require.ErrorIs(t, put(home(top), top), trash.ErrMounted)
	assert.DirExists(t, filepath.Join(top, "a b"))
}

func shared(mode uint32) func(t *testing.T, top string) {
	return func(t *testing.T, top string) {
		require.NoError(t, os.Mkdir(filepath.Join(top, ".Trash"), 0o777))
		require.NoError(t, unix.Chmod(filepath.Join(top, ".Trash"), mode))
	}
}

// tmpfs mounts a file system and returns its path; without the permission it skips the test.
func tmpfs(t *testing.T) string {
	t.Helper()
	dir := dirtest.TempDir(t)
	mount(t, dir)
	return dir
}

func mount(t *testing.T, dir string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("mount: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}
