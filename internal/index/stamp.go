package index

// Trusted reports whether a file system, given by the name that Dir.FileSystem returns, changes
// a directory's times with its entries. FUSE, network and overlay file systems are not trusted:
// others than this kernel may change what they show.
func Trusted(fileSystem string) bool {
	switch fileSystem {
	case "apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "ufs", "xfs", "zfs":
		return true
	}
	return false
}
