//go:build !ldx_fallback

package dir

import "golang.org/x/sys/unix"

// loop is what a file system on a loop device is called. The device has one number for all
// images that are mounted by it, and images that a program has made may agree in all the rest.
const loop = "loop"

// isLoop reports whether d is on a loop device (Documentation/admin-guide/devices.txt).
func isLoop(d *Dir) bool {
	const major = 7
	var st unix.Stat_t
	return unix.Fstat(d.sys.fd, &st) == nil && unix.Major(st.Dev) == major
}

// statfsName uses fstatfs(2). ext2 and ext3 have the number of ext4.
func statfsName(d *Dir) (string, error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(d.sys.fd, &st); err != nil {
		return "", err
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC:
		return "ext4", nil
	case unix.XFS_SUPER_MAGIC:
		return "xfs", nil
	case unix.BTRFS_SUPER_MAGIC:
		return "btrfs", nil
	case unix.F2FS_SUPER_MAGIC:
		return "f2fs", nil
	case unix.TMPFS_MAGIC:
		return "tmpfs", nil
	case unix.OVERLAYFS_SUPER_MAGIC:
		return "overlay", nil
	case unix.PROC_SUPER_MAGIC:
		return "proc", nil
	case unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC, unix.BPF_FS_MAGIC:
		return "sysfs", nil
	case unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC:
		return "cgroup", nil
	case 0x2fc12fc1: // OpenZFS, include/sys/zfs_vfsops.h
		return "zfs", nil
	case 0xca451a4e: // fs/bcachefs/bcachefs_format.h
		return "bcachefs", nil
	case 0x00011954: // fs/ufs/ufs_fs.h
		return "ufs", nil
	}
	return "", nil
}
