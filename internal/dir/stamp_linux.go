//go:build !ldx_bsd && !ldx_fallback

package dir

import "golang.org/x/sys/unix"

// HasStamps reports whether directories have stamps here, so that what is recorded of them can
// be verified.
const HasStamps = true

// stamp uses statx(2), which also gives the mount that d is in. A directory that is encrypted has
// none: its names change, and its times do not, when its key is added or removed (fscrypt).
//
// What is not open is only compared with what is recorded. It has no such stamp if it was
// encrypted then, and its change time would be another if it had been since. So where d cannot be
// a mount point, newfstatat(2) is enough, which takes less time.
func (s *sysReader) stamp(d, at *Dir, path []byte, local bool) (Stamp, error) {
	if local && d != at && hasFstatat {
		switch stamp, errno := s.fstatat(at.sys.fd, path); errno {
		case 0:
			d.sys.mount, d.sys.local = d.parent.sys.mount, true
			return stamp, nil
		case unix.EINTR:
			s.interrupted, local = true, false
		default:
			return stamp, errno
		}
	}
	flags := unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	if path == nil {
		path = []byte{0}[:0]
		flags |= unix.AT_EMPTY_PATH
	}
	const mask = unix.STATX_INO | unix.STATX_MTIME | unix.STATX_CTIME | unix.STATX_MNT_ID
	if errno := s.statx(local, at.sys.fd, path, flags, mask); errno != 0 {
		return Stamp{}, errno
	}
	st := &s.about
	if st.Attributes&unix.STATX_ATTR_ENCRYPTED != 0 {
		return Stamp{}, unix.ENOKEY
	}
	if d != at {
		s.noteUnopened(d)
	}
	return Stamp{
		Device: unix.Mkdev(st.Dev_major, st.Dev_minor), Inode: st.Ino,
		Modified: st.Mtime.Sec*1e9 + int64(st.Mtime.Nsec), Changed: st.Ctime.Sec*1e9 + int64(st.Ctime.Nsec),
	}, nil
}

// noteUnopened determines the mount of d, which s.about is about.
func (s *sysReader) noteUnopened(d *Dir) {
	t := mountsKnown()
	if t == nil && mounts.opened.Add(1) >= mountsAfter {
		t = readMounts()
	}
	d.sys.mount = 0
	if s.about.Mask&unix.STATX_MNT_ID != 0 {
		d.sys.mount = s.about.Mnt_id
	}
	if p := d.parent; p.sys.local && p.sys.mount == d.sys.mount {
		d.sys.local = true
	} else {
		d.sys.local = t != nil && t.local[d.sys.mount]
	}
}
