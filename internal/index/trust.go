package index

// Trusted reports whether a file system changes a directory's times with its entries. It is
// given by the name that FileSystem returns. FUSE, network and overlay file systems are not
// trusted: others than this kernel may change what they show.
func Trusted(fileSystem string) bool {
	switch fileSystem {
	case "apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "ufs", "xfs", "zfs":
		return true
	}
	return false
}
