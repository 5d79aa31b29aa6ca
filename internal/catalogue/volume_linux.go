package catalogue

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"

	"ldx/internal/state"
)

// identify asks for the file system of f, which is on that device. Its id is made of f_fsid, which
// ext4, btrfs and others make of their UUID, and of the device if there is none: device numbers may
// be others at the next mount.
func identify(f *os.File, device uint64) (v volume) {
	var st unix.Statfs_t
	err := error(unix.EINTR)
	for err == unix.EINTR {
		err = unix.Fstatfs(int(f.Fd()), &st)
	}
	if err != nil || device == 0 {
		return v
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC,
		0x2fc12fc1, // zfs
		0xca451a4e: // bcachefs
		v.trusted = true
	}
	v.id = uint64(uint32(st.Fsid.Val[0])) | uint64(uint32(st.Fsid.Val[1]))<<32
	if v.id == 0 {
		le := binary.LittleEndian
		v.id = uint64(state.Checksum(le.AppendUint64(nil, device)))<<32 | uint64(uint32(st.Type))
	}
	return v
}
