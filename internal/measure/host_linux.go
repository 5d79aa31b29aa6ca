package measure

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func machine() (kernel, cpu string, gib float64, id string) {
	kernel = firstLine("uname", "-r")
	cpu = fieldOf("/proc/cpuinfo", "model name")
	kib, _ := strconv.ParseFloat(strings.TrimSuffix(fieldOf("/proc/meminfo", "MemTotal"), " kB"), 64)
	number, _ := os.ReadFile("/etc/machine-id")
	return kernel, cpu, kib / (1 << 20), strings.TrimSpace(string(number))
}

// disk finds the file system in mountinfo (proc_pid_mountinfo(5)), and in sysfs
// whether the device is rotational.
func disk(path string) (fileSystem, kind string) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return "", ""
	}
	device := fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev))
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", ""
	}
	longest := 0
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		_, after, ok := strings.Cut(line, " - ")
		if !ok || len(fields) < 5 {
			continue
		}
		// Take the longest mount point above path, the last of several. (On
		// btrfs its device is not that of the files.)
		mount := strings.TrimSuffix(fields[4], "/")
		if rest, below := strings.CutPrefix(path, mount); below && (rest == "" || rest[0] == '/') && len(mount) >= longest {
			longest = len(mount)
			fileSystem, _, _ = strings.Cut(after, " ")
		}
	}
	for _, file := range []string{"/queue/rotational", "/../queue/rotational"} { // for a disk, and for its partition
		switch turns, _ := os.ReadFile("/sys/dev/block/" + device + file); string(turns) {
		case "0\n":
			return fileSystem, "solid"
		case "1\n":
			return fileSystem, "rotational"
		}
	}
	switch {
	case fileSystem == "tmpfs" || fileSystem == "ramfs":
		kind = "memory"
	case strings.HasPrefix(fileSystem, "nfs"), fileSystem == "cifs", fileSystem == "smb3", fileSystem == "9p", fileSystem == "fuse.sshfs":
		kind = "network"
	}
	return fileSystem, kind
}
