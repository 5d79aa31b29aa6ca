//go:build amd64 || arm64

package hostile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// Mount mounts a file system served by this process, and returns its directory.
// It is unmounted after the test, even if it is in use. If the test runs as
// root, all users may read it.
func Mount(t testing.TB, fs FS) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "ldx-fuse-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	server, err := Serve(fs, dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A Server serves a file system.
type Server struct {
	dir   string
	fs    *fileSystem
	guard *guard
	done  chan struct{} // closed when the kernel sends no more requests
}

// Serve mounts a file system at dir. The error is errors.ErrUnsupported if the
// machine or the user cannot mount one.
func Serve(fs FS, dir string) (*Server, error) {
	device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	defer device.Close()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	guard, err := newGuard(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, fs: newFileSystem(fs), guard: guard, done: make(chan struct{})}
	if err := s.mount(device); err != nil {
		_ = guard.unmount()
		return nil, unsupported(err)
	}
	return s, nil
}

func (s *Server) mount(device *os.File) error {
	point := s.dir
	options := &fuse.MountOptions{Name: "hostile", FsName: "hostile", DisableReadDirPlus: true, MaxBackground: 1000}
	if os.Geteuid() == 0 {
		fd, err := mount(device, s.dir)
		if err != nil {
			return err
		}
		point = fmt.Sprintf("/dev/fd/%d", fd) // go-fuse takes over this descriptor
	}
	server, err := fuse.NewServer(s.fs, point, options)
	if err != nil {
		return err
	}
	go func() {
		server.Serve()
		close(s.done)
	}()
	return nil
}

// unsupported reports whether an error is due to the machine, such as a
// container that may not mount, or a user without fusermount3.
func unsupported(err error) error {
	if os.Geteuid() == 0 && err != unix.EPERM && err != unix.ENODEV {
		return fmt.Errorf("FUSE: %w", err)
	}
	return fmt.Errorf("%w: FUSE: %w", errors.ErrUnsupported, err)
}

// mount mounts dir for the holders of a copy of the device's descriptor, and
// returns that. (If go-fuse mounts, each started process inherits the
// descriptor, and keeps the mount alive.)
func mount(device *os.File, dir string) (fd int, err error) {
	fd, err = unix.FcntlInt(device.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd)
	if err := unix.Mount("hostile", dir, "fuse.hostile", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// Close ends the file system. Pending requests fail.
func (s *Server) Close() error {
	close(s.fs.stop)
	aborted := abort(s.dir)
	err := s.guard.unmount()
	if aborted == nil {
		<-s.done
	}
	return err
}

// abort makes the kernel drop all requests.
func abort(dir string) error {
	if os.Geteuid() == 0 {
		if err := unix.Unmount(dir, unix.MNT_FORCE); err != unix.EBUSY {
			return err
		}
		return nil // aborted, but still mounted
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 4 && fields[4] == dir {
			_, minor, _ := strings.Cut(fields[2], ":")
			return os.WriteFile("/sys/fs/fuse/connections/"+minor+"/abort", []byte("1"), 0)
		}
	}
	return os.ErrNotExist
}
