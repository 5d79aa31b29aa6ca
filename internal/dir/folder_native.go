//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// HasFolders says whether OpenFolder works on this system.
const HasFolders = true

type sysFolder struct{ fd int }

func openFolder(root string, id ID, below string) (f sysFolder, err error) {
	var s sysReader
	fd, err := s.openPath(append([]byte(root), 0)[:len(root)], openStep)
	if err != nil {
		return f, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || id != (ID{}) && id != (ID{uint64(st.Dev), uint64(st.Ino)}) {
		closeFD(fd)
		if err == nil {
			err = ErrReplaced
		}
		return f, err
	}
	for name := range strings.SplitSeq(below, "/") {
		if name == "" {
			continue
		}
		from := fd
		fd, err = s.openat(from, append([]byte(name), 0)[:len(name)], openStep|unix.O_NOFOLLOW)
		closeFD(from)
		if err != nil {
			return f, err
		}
	}
	return sysFolder{fd}, nil
}

// Close closes the directory.
func (f *Folder) Close() { closeFD(f.sys.fd) }

// Open opens a regular file for reading. A link is not followed, and nothing else is waited for.
func (f *Folder) Open(name string) (*os.File, error) {
	return openAt(f.sys.fd, name)
}

func openAt(at int, name string) (*os.File, error) {
	fd, _, err := openRegular(at, name, false)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		closeFD(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// Stat returns the metadata of an entry, a link's own, but for its time of birth.
func (f *Folder) Stat(name string) (Info, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(f.sys.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return infoOf(&st), err
}

// StatFile returns the metadata of an open file, but for its time of birth.
func StatFile(f *os.File) (Info, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstat(int(f.Fd()), &st) })
	return infoOf(&st), err
}

func infoOf(st *unix.Stat_t) Info {
	return Info{
		ID: ID{uint64(st.Dev), uint64(st.Ino)}, Mode: fileMode(uint32(st.Mode)), Size: st.Size, Allocated: st.Blocks * 512,
		User: st.Uid, Group: st.Gid, Links: uint64(st.Nlink),
		ModTime: time.Unix(st.Mtim.Unix()), AccessTime: time.Unix(st.Atim.Unix()), ChangeTime: time.Unix(st.Ctim.Unix()),
		have: Everything &^ BirthTime,
	}
}

// Remove removes an entry that is not a directory.
func (f *Folder) Remove(name string) error {
	return again(func() error { return unix.Unlinkat(f.sys.fd, name, 0) })
}

// Link makes a hard link, name, to the entry of another directory, which is not followed if it is
// a link. The name must be free.
func (f *Folder) Link(from *Folder, old, name string) error {
	return again(func() error { return unix.Linkat(from.sys.fd, old, f.sys.fd, name, 0) })
}

// Replace renames an entry. What has the new name is replaced.
func (f *Folder) Replace(name, old string) error {
	return again(func() error { return unix.Renameat(f.sys.fd, name, f.sys.fd, old) })
}

// OpenNoFollow opens a regular file for reading. A link is not followed, and nothing else is waited
// for. The error is an *fs.PathError; it wraps ErrNotRegular if the file is not one.
func OpenNoFollow(path string) (*os.File, error) {
	at, name := unix.AT_FDCWD, []byte(path)
	var err error
	if len(path) >= unix.PathMax {
		var s sysReader
		at, name, err = s.walkTo(append(name, 0)[:len(path)], unix.PathMax)
	}
	var f *os.File
	if err == nil {
		f, err = openAt(at, string(name))
		if at != unix.AT_FDCWD {
			closeFD(at)
		}
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}
