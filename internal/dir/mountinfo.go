package dir

import (
	"bytes"
	"slices"
	"strconv"
)

// A mountTable describes the mounted file systems.
type mountTable struct {
	local  map[uint64]bool     // by mount ID: whether this machine answers by itself
	types  map[uint64]string   // by mount ID: the file system's name
	remote bool                // there is a mount that is not local
	names  map[string][]string // last element of each mount point's path, with the elements before it
	hashes [16]uint64          // set of the names' hashes; it rules out most other names
}

// mounted reports whether a directory of that name may be a mount point. parent is the name of
// its parent, or nil if that is not known.
func (t *mountTable) mounted(parent, name []byte) bool {
	if h := hashName(name); t.hashes[h/64]&(1<<(h%64)) == 0 {
		return false
	}
	parents := t.names[string(name)]
	return len(parents) > 0 && (parent == nil || slices.Contains(parents, string(parent)))
}

func hashName(name []byte) uint {
	n := len(name)
	return (uint(name[0])*31 + uint(name[n/2])*129 + uint(name[n-1])*7 + uint(n)) % 1024
}

// parseMounts parses /proc/PID/mountinfo (proc_pid_mountinfo(5)), which has a line for each
// mount. These fields matter:
//
//	36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//	ID               path                        type
func parseMounts(data []byte) *mountTable {
	t := &mountTable{local: map[uint64]bool{}, types: map[uint64]string{}, names: map[string][]string{}}
	for line := range bytes.Lines(data) {
		fields := bytes.Fields(line)
		end := 6 // optional fields follow, then a dash
		for end < len(fields) && string(fields[end]) != "-" {
			end++
		}
		if end+1 >= len(fields) {
			continue
		}
		id, err := strconv.ParseUint(string(fields[0]), 10, 64)
		if err != nil {
			continue
		}
		local := slices.Contains(localTypes[:], string(fields[end+1]))
		t.local[id], t.types[id] = local, string(fields[end+1])
		t.remote = t.remote || !local
		path := unescapeMount(fields[4])
		if above, name := cutLast(path); len(name) > 0 {
			_, parent := cutLast(above)
			t.names[string(name)] = append(t.names[string(name)], string(parent))
			h := hashName(name)
			t.hashes[h/64] |= 1 << (h % 64)
		}
	}
	return t
}

// cutLast returns the parts of path before and after its last slash.
func cutLast(path []byte) (before, after []byte) {
	i := bytes.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}

// unescapeMount undoes the escapes of mangle in the kernel's fs/proc_namespace.c: a backslash
// and three octal digits for space, tab, newline, backslash and #.
func unescapeMount(path []byte) []byte {
	if bytes.IndexByte(path, '\\') < 0 {
		return path
	}
	plain := make([]byte, 0, len(path))
	for len(path) > 0 {
		if path[0] == '\\' && len(path) >= 4 {
			if b, err := strconv.ParseUint(string(path[1:4]), 8, 8); err == nil {
				plain, path = append(plain, byte(b)), path[4:]
				continue
			}
		}
		plain, path = append(plain, path[0]), path[1:]
	}
	return plain
}

// localTypes has the file systems that answer without a server or another process. Any other
// may take long.
var localTypes = [...]string{
	"bcachefs", "btrfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs", "hfsplus", "iso9660", "jfs",
	"minix", "msdos", "nilfs2", "ntfs", "ntfs3", "overlay", "ramfs", "reiserfs", "rootfs", "squashfs", "tmpfs",
	"ubifs", "udf", "vfat", "xfs", "zfs",

	"bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs",
	"mqueue", "nsfs", "proc", "pstore", "securityfs", "selinuxfs", "sysfs", "tracefs",
}
