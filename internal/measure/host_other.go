//go:build !linux && !windows

package measure

import (
	"cmp"
	"strconv"
)

// machine runs commands of macOS and the BSDs; on other systems these print
// nothing.
func machine() (kernel, cpu string, gib float64, id string) {
	ask := func(name string) string { return firstLine("sysctl", "-n", name) }
	bytes, _ := strconv.ParseFloat(cmp.Or(ask("hw.memsize"), ask("hw.physmem")), 64)
	return firstLine("uname", "-r"), cmp.Or(ask("machdep.cpu.brand_string"), ask("hw.model")), bytes / (1 << 30),
		ask("kern.hostuuid")
}
