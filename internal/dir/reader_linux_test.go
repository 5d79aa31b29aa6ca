//go:build !ldx_fallback

package dir

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// openFiles returns the number of descriptors of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

func TestTypes(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "file", "dir/", "link -> file")
	require.NoError(t, unix.Mkfifo(filepath.Join(root, "fifo"), 0o600))
	sock, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer unix.Close(sock)
	require.NoError(t, unix.Bind(sock, &unix.SockaddrUnix{Name: filepath.Join(root, "sock")}))
	want := map[string]fs.FileMode{
		"file": 0, "dir": fs.ModeDir, "link": fs.ModeSymlink, "fifo": fs.ModeNamedPipe, "sock": fs.ModeSocket,
	}
	r := NewReader(0)
	defer r.Close()
	_, err = r.Open(Root(root, root, 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	got := map[string]fs.FileMode{}
	for _, e := range batch {
		got[string(e.Name)] = e.Type
	}
	assert.Equal(t, want, got)
}

func TestDevices(t *testing.T) {
	r := NewReader(0)
	defer r.Close()
	_, err := r.Open(Root("/dev", "/dev", 0))
	require.NoError(t, err)
	found := false
	for {
		batch, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		for i := range batch {
			if e := &batch[i]; string(e.Name) == "null" {
				found = true
				info, err := e.Info(Mode)
				require.NoError(t, err)
				assert.Equal(t, fs.ModeDevice|fs.ModeCharDevice, e.Type)
				assert.Equal(t, e.Type, info.Mode.Type())
			}
		}
	}
	assert.True(t, found)
}

// Handles are kept as long as children need them. If there are too many, children are opened
// by path.
func TestHandlesAreClosed(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "a/x/1", "b/y/2", "c/z/3", "d/")
	for _, noneLeft := range []bool{false, true} {
		before := openFiles(t)
		if noneLeft {
			handles.open.Store(int64(maxShared()))
		}
		r := NewReader(0)
		refs := []Ref{Root(root, root, 0)}
		entries := 0
		for len(refs) > 0 {
			ref := refs[len(refs)-1]
			refs = refs[:len(refs)-1]
			if len(refs) == 2 {
				r.Drop(ref) // some are not opened
				continue
			}
			_, err := r.Open(ref)
			require.NoError(t, err)
			for {
				batch, err := r.Next()
				if err != nil {
					require.Equal(t, io.EOF, err)
					break
				}
				for i := range batch {
					entries++
					if batch[i].Type.IsDir() {
						refs = append(refs, batch[i].Ref())
					}
				}
			}
		}
		r.Close()
		assert.Greater(t, entries, 4)
		assert.Equal(t, before, openFiles(t))
		if noneLeft {
			handles.open.Store(0)
		}
		assert.Zero(t, handles.open.Load())
	}
}

// A Ref that cannot be opened, or that is dropped when half of it is listed, leaves nothing
// open.
func TestHandlesAreClosedAfterFailure(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "gone-1/", "gone-2/", "stays/")
	for _, share := range []bool{true, false} {
		before := openFiles(t)
		r := NewReader(0)
		_, err := r.Open(Root(root, root, 0))
		require.NoError(t, err)
		batch, err := r.Next()
		require.NoError(t, err)
		var refs []Ref
		for i := range batch {
			if share {
				refs = append(refs, batch[i].Ref())
			}
		}
		half := r.Suspend()
		for _, ref := range refs {
			_ = os.RemoveAll(filepath.Join(root, string(ref.name)))
			_, err := r.Open(ref)
			require.ErrorIs(t, err, fs.ErrNotExist)
		}
		r.Drop(half)
		r.Close()
		assert.Equal(t, before, openFiles(t))
		assert.Zero(t, handles.open.Load())
		dirtest.Make(t, root, "gone-1/", "gone-2/", "stays/")
	}
}

// A path that is too long for the kernel is opened in parts.
func TestLongPath(t *testing.T) {
	root := dirtest.TempDir(t)
	name := strings.Repeat("n", 200)
	const depth = 60 // 12,000 bytes
	dirtest.Deep(t, root, name, depth)
	before := openFiles(t)
	r := NewReader(0)
	ref := Root(root, root, 0)
	for i := range depth {
		d, err := r.Open(ref)
		require.NoError(t, err)
		require.Equal(t, i, d.Depth)
		batch, err := r.Next()
		require.NoError(t, err)
		require.Len(t, batch, 1)
		ref = batch[0].Ref().Detach()
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
	}
	assert.Equal(t, root+strings.Repeat("/"+name, depth)+"/", string(ref.AppendPath(nil)))
	r.Drop(ref)
	r.Close()
	assert.Equal(t, before, openFiles(t))
}

// Reading does not block if a pipe, a socket or a device has the name of a file.
func TestReadFileOfNoFile(t *testing.T) {
	root := dirtest.TempDir(t)
	require.NoError(t, unix.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	listener, err := net.Listen("unix", filepath.Join(root, "socket"))
	require.NoError(t, err)
	defer listener.Close()
	require.NoError(t, os.Symlink("/dev/null", filepath.Join(root, "null")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(root, "zero")))
	require.NoError(t, os.Symlink("/proc/self/status", filepath.Join(root, "status")))
	r := NewReader(0)
	defer r.Close()
	d, err := r.Open(Root(root, root, 0))
	require.NoError(t, err)
	for _, name := range []string{"pipe", "socket", "null", "zero", "status"} {
		data, err := d.ReadFile(name, true, 1<<20)
		assert.NoError(t, err, name)
		assert.Empty(t, data, name)
	}
}

// TestInfoOfStat compares with GNU stat.
func TestInfoOfStat(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "file", "dir/", "link -> file", "broken -> nowhere")
	require.NoError(t, os.Link(filepath.Join(tree, "file"), filepath.Join(tree, "twin")))
	require.NoError(t, os.Chmod(filepath.Join(tree, "dir"), 0o777|fs.ModeSticky))
	then := time.Date(1999, 12, 31, 23, 59, 59, 123456789, time.UTC)
	require.NoError(t, os.Chtimes(filepath.Join(tree, "file"), then, then.Add(time.Hour)))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Lchown(filepath.Join(tree, "link"), 12, 34))
	}
	seconds := func(at time.Time) string { return fmt.Sprintf("%d.%09d", at.Unix(), at.Nanosecond()) }
	r := NewReader(0)
	defer r.Close()
	for _, follow := range []bool{false, true} {
		_, err := r.Open(Root(tree, "", 0))
		require.NoError(t, err)
		batch, err := r.Next()
		if err != io.EOF {
			require.NoError(t, err)
		}
		for i := range batch {
			e := &batch[i]
			args := []string{"-c", "%d %i %a %s %u %g %h %.9Y %.9X %.9Z %.9W %b", filepath.Join(tree, string(e.Name))}
			if follow {
				require.NoError(t, e.Follow())
			}
			if e.Followed() && e.Type != fs.ModeSymlink {
				args = append([]string{"-L"}, args...)
			}
			_, err := e.Info(Size) // a second call asks for the others
			require.NoError(t, err)
			info, err := e.Info(Identity | Mode | Owner | Links | ModTime | AccessTime | ChangeTime | BirthTime | Allocated)
			require.NoError(t, err)
			want, err := exec.Command("stat", args...).Output()
			if err != nil {
				t.Skip("this needs GNU stat")
			}
			birth := "0.000000000"
			switch {
			case !hasBirth:
				birth = strings.Fields(string(want))[10]
			case !info.BirthTime.IsZero():
				birth = seconds(info.BirthTime)
			}
			bits := uint32(info.Mode.Perm())
			if info.Mode&fs.ModeSticky != 0 {
				bits |= 0o1000
			}
			got := fmt.Sprintf("%d %d %o %d %d %d %d %s %s %s %s %d\n", info.Device, info.Inode, bits, info.Size, info.User, info.Group, info.Links,
				seconds(info.ModTime), seconds(info.AccessTime), seconds(info.ChangeTime), birth, info.Allocated/512)
			assert.Equal(t, string(want), got, "%s", e.Name)
		}
	}
}

// In a tree of any depth, a directory is opened from one a few levels above, and no path is
// opened as a whole.
func TestAnchorsAreNear(t *testing.T) {
	const depth, siblings = 1900, 2
	root := dirtest.TempDir(t)
	at, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	require.NoError(t, err)
	for range depth {
		for _, name := range []string{"a", "b", "c"}[:siblings+1] {
			require.NoError(t, unix.Mkdirat(at, name, 0o755))
		}
		below, err := unix.Openat(at, "b", unix.O_RDONLY|unix.O_DIRECTORY, 0)
		require.NoError(t, err)
		require.NoError(t, unix.Close(at))
		at = below
	}
	require.NoError(t, unix.Close(at))
	before := openFiles(t)
	for _, free := range []int{maxShared(), 300, 100} {
		handles.open.Store(int64(maxShared() - free))
		r := NewReader(0)
		refs := []Ref{Root(root, root, 0)}
		dirs, longest := 0, 0
		for len(refs) > 0 {
			ref := refs[len(refs)-1]
			refs = refs[:len(refs)-1]
			d, err := r.Open(ref)
			require.NoError(t, err)
			dirs++
			if d.parent != nil {
				require.NotNil(t, d.parent.anchor)
			}
			longest = max(longest, len(r.way))
			for {
				batch, err := r.Next()
				if err != nil {
					require.Equal(t, io.EOF, err)
					break
				}
				deeper := -1
				for i := range batch {
					if string(batch[i].Name) == "b" {
						deeper = i
					} else {
						refs = append(refs, batch[i].Ref())
					}
				}
				if deeper >= 0 {
					refs = append(refs, batch[deeper].Ref()) // it is the newest, so all levels wait
				}
			}
		}
		r.Close()
		assert.Equal(t, 1+depth*(siblings+1), dirs)
		assert.LessOrEqual(t, longest, 1024)
		if free == maxShared() {
			assert.LessOrEqual(t, longest, 16)
		}
		handles.open.Store(0)
	}
	assert.Equal(t, before, openFiles(t))
}
