//go:build !windows

package spawn

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// open runs the system's opener: xdg-open of freedesktop.org, or open of macOS.
func open(path string) error {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	program, err := find(name)
	if err != nil {
		return err
	}
	cmd := exec.Cmd{Path: program, Args: []string{name, path}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s cannot open '%s': %w", name, shorten(path), err)
	}
	return nil
}
