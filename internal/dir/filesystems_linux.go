package dir

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// FileSystems returns the names of the mounted file systems, such as ext4, by device. If the
// system cannot say, the error wraps errors.ErrUnsupported or is that of reading its table.
func FileSystems() (map[uint64]string, error) {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	systems := make(map[uint64]string)
	for line := range bytes.Lines(data) { // see parseMounts
		mount, about, _ := bytes.Cut(line, []byte(" - "))
		fields, kind := bytes.Fields(mount), bytes.Fields(about)
		if len(fields) < 3 || len(kind) == 0 {
			continue
		}
		major, minor, _ := bytes.Cut(fields[2], []byte(":"))
		high, err := strconv.ParseUint(string(major), 10, 32)
		low, err2 := strconv.ParseUint(string(minor), 10, 32)
		if err == nil && err2 == nil {
			systems[unix.Mkdev(uint32(high), uint32(low))] = string(kind[0])
		}
	}
	return systems, nil
}
