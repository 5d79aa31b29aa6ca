//go:build !ldx_bsd && !ldx_fallback

package dir

import (
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// System calls that may take long.
//
// A raw system call does not inform Go's scheduler, which saves an eighth of a walk's time.
// But a thread that waits in one keeps its P, so nothing else can run on it. After 10 ms Go
// takes it for a thread that computes, and sends it a signal. A FUSE server that respects
// the signal answers EINTR, and does so each time the call is repeated.
//
// So a call is raw only if the kernel is certain to answer at once: where the mount table
// says that the file system has no server. The table is read after a few dozen directories,
// since reading it costs as much as a small search. Until then, and where a kernel before
// 5.8 gives no mount IDs, all calls are those that the scheduler knows of.
//
// A directory may be a mount point if its name and its parent's are those of one. Its mount
// ID decides, once it is open. The table does not have what is mounted during the walk:
// there the first EINTR ends the raw calls of a Reader.

// mountsAfter is the number of directories opened before the mount table is read.
const mountsAfter = 32

var mounts struct {
	opened atomic.Int32
	read   sync.Once
	table  atomic.Pointer[mountTable]
}

// mountsKnown returns the mount table, or nil if it has not been read.
func mountsKnown() *mountTable { return mounts.table.Load() }

func readMounts() *mountTable {
	mounts.read.Do(func() {
		mounts.table.Store(parseMounts(readMountInfo()))
	})
	return mountsKnown()
}

// readMountInfo returns nothing if the file cannot be read: then no call is raw. It does not
// use package os, whose file would take two more descriptors, for the poller.
func readMountInfo() (data []byte) {
	fd, err := unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer closeFD(fd)
	for {
		data = slices.Grow(data, 16<<10)
		n, err := unix.Read(fd, data[len(data):cap(data)])
		switch {
		case err == unix.EINTR:
		case n <= 0:
			return data
		default:
			data = data[:len(data)+n]
		}
	}
}

func (s *sysReader) local(d *Dir, name []byte, follow bool) bool {
	if name == nil && d.sys.local {
		return !s.interrupted
	}
	return s.localName(d, name, follow)
}

func (s *sysReader) localName(d *Dir, name []byte, follow bool) bool {
	if s.interrupted || !d.sys.local && !d.isLocal() {
		return false
	}
	if name == nil {
		return true
	}
	t := mountsKnown()
	return t != nil && !t.mounted(d.ownName(), name) && (!follow || !t.remote)
}

// ownName returns the name of d in its parent; nil if d is a root or was reached by a link,
// and may have another name there.
func (d *Dir) ownName() []byte {
	if d.follow {
		return nil
	}
	return d.name
}

// isLocal is for directories opened before the mount table was read.
func (d *Dir) isLocal() bool {
	t := mountsKnown()
	return t != nil && t.local[d.sys.mount]
}

// noteMount determines the mount of d, which has just been opened: usually that of its parent.
func (s *sysReader) noteMount(d *Dir) {
	t := mountsKnown()
	if t == nil && mounts.opened.Add(1) >= mountsAfter {
		t = readMounts()
	}
	if p := d.parent; p != nil && t != nil && !d.follow && !t.mounted(p.ownName(), d.name) {
		d.sys.mount, d.sys.local = p.sys.mount, p.sys.local
	} else {
		d.reader.calls.Entry++
		id, mount := s.identify(d.sys.fd, nil)
		if d.sys.mount = mount; d.parent == nil && d.root.id == (ID{}) {
			d.root.id = id
		}
	}
	d.sys.local = d.sys.local || t != nil && t.local[d.sys.mount]
}

// fileSystem returns the name in the mount table, which has all names.
func fileSystem(d *Dir) (string, error) {
	if isLoop(d) {
		return loop, nil
	}
	if name := readMounts().types[d.sys.mount]; name != "" {
		return name, nil
	}
	return statfsName(d)
}

// identify returns the identity and the mount ID of name in the directory at, or of at itself
// if name is nil. A value that the kernel does not give is zero. No server is asked.
func (s *sysReader) identify(at int, name []byte) (id ID, mount uint64) {
	flags := unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT | unix.AT_STATX_DONT_SYNC
	if name == nil {
		name = []byte{0}[:0]
		flags |= unix.AT_EMPTY_PATH
	}
	if s.statx(false, at, name, flags, unix.STATX_INO|unix.STATX_MNT_ID) != 0 {
		return ID{}, 0
	}
	if s.about.Mask&unix.STATX_MNT_ID != 0 {
		mount = s.about.Mnt_id
	}
	return ID{unix.Mkdev(s.about.Dev_major, s.about.Dev_minor), s.about.Ino}, mount
}

// mounted asks the kernel, since the table does not have what was mounted later.
func mounted(e *Entry) bool {
	d := e.Dir
	if d.reach() != nil {
		return false
	}
	e.asked()
	s, local := &d.reader.sys, d.sys.local
	if !local {
		d.reader.waiting(true)
		defer d.reader.waiting(false)
	}
	id, mount := s.identify(d.sys.fd, e.Name)
	if e.info == nil && id != (ID{}) {
		e.info = d.reader.newInfo()
		e.info.ID, e.info.have = id, Identity
	}
	return mount != d.sys.mount && mount != 0 || id.Device != d.root.id.Device && id != ID{} && d.root.id != ID{}
}

// mountedInItself compares e with the directories above it if e is on another mount than its
// parent.
func mountedInItself(e *Entry) bool {
	d := e.Dir
	t, s := mountsKnown(), &d.reader.sys
	if t != nil && !t.mounted(d.ownName(), e.Name) || e.Type != direntTypes[dtDir] || e.followed || d.Depth < 0 {
		return false
	}
	if t == nil {
		// A root without a device may be on a server, which should not be asked in vain.
		if mounts.opened.Add(1) >= mountsAfter || unix.Major(d.root.id.Device) == 0 {
			if !readMounts().mounted(d.ownName(), e.Name) {
				return false
			}
		}
	}
	if d.reach() != nil {
		return false
	}
	e.asked()
	d.reader.waiting(true)
	defer d.reader.waiting(false)
	id, mount := s.identify(d.sys.fd, e.Name)
	if mount == 0 || mount == d.sys.mount {
		return false
	}
	return s.above(d, id)
}

// above reports whether d or a directory above it has that identity.
func (s *sysReader) above(d *Dir, id ID) bool {
	if d.root.id == id {
		return true
	}
	fd, err := s.openRoot(d.root)
	if err != nil {
		return false
	}
	_, way := d.reader.wayTo(d, true)
	for _, p := range way {
		from := fd
		fd, err = s.openat(from, p.name, openStep|p.noFollow())
		closeFD(from)
		if err != nil {
			return false
		}
		if own, _ := s.identify(fd, nil); own == id {
			closeFD(fd)
			return true
		}
	}
	closeFD(fd)
	return false
}
