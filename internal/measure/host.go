package measure

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Host describes the machine, without identifying its owner.
type Host struct {
	ID     string // the same for all measurements on a machine; "" if not known
	OS     string // and the processor's architecture
	Kernel string
	CPU    string
	Cores  int // available to this process
	Memory float64
}

// ThisHost describes this machine, as far as it is known.
func ThisHost() Host {
	h := Host{OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
	var id string
	h.Kernel, h.CPU, h.Memory, id = machine()
	if id != "" {
		// The number itself must stay confidential (machine-id(5)); 32 bits do
		// not reveal it. Package crypto/sha256 would reserve 32 MiB at each
		// start of ldx.
		sum := fnv.New32a()
		_, _ = sum.Write([]byte("ldx bench " + id))
		h.ID = fmt.Sprintf("%08x", sum.Sum32())
	}
	h.CPU = strings.Join(strings.Fields(h.CPU), " ")
	return h
}

// String returns a description of the host.
func (h Host) String() string {
	text := h.OS + " " + h.Kernel
	if h.CPU != "" {
		text += ", " + h.CPU
	}
	text += fmt.Sprintf(", %d cores", h.Cores)
	if h.Memory > 0 {
		text += fmt.Sprintf(", %.0f GiB", h.Memory)
	}
	return text
}

// NewPlace returns a Place. It returns an error if path is not a directory.
func NewPlace(path, label string) (Place, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Place{}, err
	}
	if !info.IsDir() {
		return Place{}, fmt.Errorf("%s is not a directory", path)
	}
	p := Place{Path: path, Label: label}
	if absolute, err := filepath.EvalSymlinks(path); err == nil {
		if absolute, err = filepath.Abs(absolute); err == nil {
			p.FileSystem, p.Disk = disk(absolute)
		}
	}
	return p, nil
}

// fieldOf returns the value after "name:" in a file of such lines, or "".
func fieldOf(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// firstLine returns the first line that a command prints, or "".
func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
