//go:build linux || freebsd || netbsd || openbsd || dragonfly

package trash_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/trash"
)

// home returns the trash of a home directory below dir.
func home(dir string) *trash.Can {
	return trash.New(func(name string) string { return map[string]string{"HOME": dir}[name] })
}

// put moves a file to the trash as a caller does.
func put(c *trash.Can, path string) error {
	return c.Put(path, func(to *os.File, name string) error {
		if _, err := os.Lstat(filepath.Join(to.Name(), name)); err == nil {
			return fs.ErrExist
		}
		return os.Rename(path, filepath.Join(to.Name(), name))
	})
}

// thrown returns the content of a trash directory: for each file there its content, by the path
// that its .trashinfo has.
func thrown(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	infos, err := os.ReadDir(filepath.Join(dir, "info"))
	require.NoError(t, err)
	for _, info := range infos {
		text, err := os.ReadFile(filepath.Join(dir, "info", info.Name()))
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		require.Len(t, lines, 4)
		assert.Equal(t, "[Trash Info]", lines[0])
		path, err := url.PathUnescape(strings.TrimPrefix(lines[1], "Path="))
		require.NoError(t, err)
		date, err := time.ParseInLocation("2006-01-02T15:04:05", strings.TrimPrefix(lines[2], "DeletionDate="), time.Local)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), date, time.Hour)
		content, err := os.ReadFile(filepath.Join(dir, "files", strings.TrimSuffix(info.Name(), ".trashinfo")))
		require.NoError(t, err)
		found[path] = string(content)
	}
	files, err := os.ReadDir(filepath.Join(dir, "files"))
	require.NoError(t, err)
	assert.Len(t, files, len(infos))
	return found
}

// TestPut moves files with all sorts of names, several of each, many at a time. Each is in the
// trash, with the path where it was.
func TestPut(t *testing.T) {
	dir := dirtest.TempDir(t)
	can := home(filepath.Join(dir, "home"))
	want := map[string]string{}
	names := append(dirtest.WeirdNames(), "a%20b", "~", "x+y", strings.Repeat("é", 127), strings.Repeat("n", 255), "info", "x.trashinfo")
	for _, name := range names {
		for i := range 25 {
			path := filepath.Join(dir, fmt.Sprint(i), name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, []byte(path), 0o666))
			want[path] = path
		}
	}
	var all sync.WaitGroup
	for path := range want {
		all.Go(func() { assert.NoError(t, put(can, path)) })
	}
	all.Wait()
	place := filepath.Join(dir, "home/.local/share/Trash")
	assert.Equal(t, want, thrown(t, place))
	for _, name := range []string{"", "info", "files"} {
		info, err := os.Stat(filepath.Join(place, name))
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	}
	assert.True(t, can.Holds(place))
	assert.True(t, can.Holds(place+"/files/x"))
	assert.False(t, can.Holds(place+"2"))
	assert.False(t, can.Holds(dir+"/.Trash-"+fmt.Sprint(os.Getuid())), "which is not at the top of a file system")
}

// TestNothingIsReplaced has a file in the trash that no .trashinfo is for.
func TestNothingIsReplaced(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "x", ".local/share/Trash/files/x", ".local/share/Trash/info/x.2.trashinfo")
	require.NoError(t, put(home(dir), filepath.Join(dir, "x")))
	for _, name := range []string{"files/x", "files/x.3", "info/x.2.trashinfo", "info/x.3.trashinfo"} {
		assert.FileExists(t, filepath.Join(dir, ".local/share/Trash", name))
	}
	assert.NoFileExists(t, filepath.Join(dir, ".local/share/Trash/info/x.trashinfo"))
}

// A file that cannot be moved leaves nothing in the trash.
func TestPutErrors(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "x", "link/.local/share/Trash/info -> ../../../..", "file/.local/share/Trash")
	broken := errors.New("broken")
	err := home(dir).Put(filepath.Join(dir, "x"), func(*os.File, string) error { return broken })
	require.ErrorIs(t, err, broken)
	err = home(dir).Put(filepath.Join(dir, "x"), func(*os.File, string) error { return syscall.EXDEV })
	require.ErrorIs(t, err, trash.ErrOtherFileSystem)
	assert.Empty(t, thrown(t, filepath.Join(dir, ".local/share/Trash")))
	for name, want := range map[string]string{
		"link": "Trash/info is not a directory; --delete deletes",
		"file": "Trash: not a directory; --delete deletes",
	} {
		err = put(home(filepath.Join(dir, name)), filepath.Join(dir, "x"))
		require.ErrorContains(t, err, want)
	}
	assert.FileExists(t, filepath.Join(dir, "x"))
}
