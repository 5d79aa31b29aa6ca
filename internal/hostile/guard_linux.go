package hostile

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A guard is a process that unmounts a directory when it is told to, and also when this
// process is gone, as after a test's timeout, which runs no cleanup.
type guard struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

func newGuard(dir string) (*guard, error) {
	const script = `read -r _; umount -l -c "$0" 2>/dev/null || fusermount3 -u -z "$0" 2>/dev/null || ! grep -qF " $0 " /proc/self/mounts`
	cmd := exec.Command("sh", "-c", script, dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's signals are not for it
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &guard{cmd, stdin}, cmd.Start()
}

// unmount detaches the mount at once, also while it is in use.
func (g *guard) unmount() error {
	_ = g.stdin.Close()
	if err := g.cmd.Wait(); err != nil {
		return fmt.Errorf("%s is still mounted: %w", g.cmd.Args[3], err)
	}
	return nil
}
