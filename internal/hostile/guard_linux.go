package hostile

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A guard is a process that unmounts a directory on request, or when this
// process ends, as after a test's timeout, which runs no cleanup.
type guard struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

func newGuard(dir string) (*guard, error) {
	const script = `read -r _; umount -l -c "$0" 2>/dev/null || fusermount3 -u -z "$0" 2>/dev/null || ! grep -qF " $0 " /proc/self/mounts`
	cmd := exec.Command("sh", "-c", script, dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it must not get the terminal's signals
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &guard{cmd, stdin}, cmd.Start()
}

// unmount detaches the mount at once, even while it is in use.
func (g *guard) unmount() error {
	_ = g.stdin.Close()
	if err := g.cmd.Wait(); err != nil {
		return fmt.Errorf("%s is still mounted: %w", g.cmd.Args[3], err)
	}
	return nil
}
