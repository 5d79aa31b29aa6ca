package index

// A trust is what is known of a file system.
type trust uint8

const (
	keepsNames trust = iota // somebody else than this kernel may change what it shows
	keepsTimes              // it changes a directory's times with its entries
	noFiles                 // it shows the kernel's state, not files
)

// trustOf returns the trust in a file system, given by the name that Dir.FileSystem returns.
func trustOf(fileSystem string) trust {
	switch fileSystem {
	case "apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "ufs", "xfs", "zfs":
		return keepsTimes
	case "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devfs", "devpts", "efivarfs", "fdescfs", "mqueue", "nsfs", "proc", "procfs",
		"pstore", "securityfs", "sysfs", "tracefs":
		return noFiles
	}
	return keepsNames
}
