package trash

import (
	"os"
	"strings"
)

// mountPoints returns the paths where file systems are mounted, by proc_pid_mountinfo(5).
func mountPoints() (paths []string) {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	escapes := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\043`, "#", `\134`, `\`)
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			paths = append(paths, escapes.Replace(fields[4]))
		}
	}
	return paths
}
