//go:build (linux && ldx_bsd) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

import "golang.org/x/sys/unix"

// HasStamps reports whether directories have stamps here, so that what is recorded of them can
// be verified.
const HasStamps = true

func (*sysReader) stamp(_, at *Dir, path []byte, _ bool) (Stamp, error) {
	var st unix.Stat_t
	err := again(func() error {
		if path == nil {
			return unix.Fstat(at.sys.fd, &st)
		}
		return unix.Fstatat(at.sys.fd, string(path), &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	return Stamp{uint64(st.Dev), uint64(st.Ino), st.Mtim.Nano(), st.Ctim.Nano()}, err
}
