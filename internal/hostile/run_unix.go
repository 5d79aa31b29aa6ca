//go:build unix

package hostile

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nobody is a user who owns nothing.
const nobody = 65534

// A Process is a command running within limits.
type Process struct {
	t              testing.TB
	cmd            *exec.Cmd
	limit          context.Context
	end            context.CancelFunc
	stdout, stderr bytes.Buffer
	result         *Result
}

// Start starts a command. If it still runs at the end of the test, it is killed
// with its process group.
func Start(t testing.TB, limits Limits, name string, args ...string) *Process {
	t.Helper()
	argv := limits.wrap(t, append([]string{name}, args...))
	p := &Process{t: t}
	p.limit, p.end = context.WithTimeout(context.Background(), cmp.Or(limits.Time, time.Minute))
	p.cmd = exec.CommandContext(p.limit, argv[0], argv[1:]...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = limits.Stdin, &p.stdout, &p.stderr
	p.cmd.Env = append(os.Environ(), limits.Env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if limits.Nobody && os.Geteuid() == 0 {
		p.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	p.cmd.Cancel = func() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
	p.cmd.WaitDelay = 10 * time.Second // a process outside the group may keep an output open
	if err := p.cmd.Start(); err != nil {
		p.end()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.end()
		p.Wait()
	})
	return p
}

// wrap prefixes a command with programs that set what os/exec cannot set.
func (l Limits) wrap(t testing.TB, argv []string) []string {
	t.Helper()
	if l.Dir != "" || len(l.Ulimits) > 0 {
		var script strings.Builder
		for _, limit := range l.Ulimits {
			script.WriteString("ulimit " + limit + " && ")
		}
		script.WriteString(`cd "$0" && exec "$@"`)
		argv = append([]string{"sh", "-c", script.String(), cmp.Or(l.Dir, ".")}, argv...)
	}
	if l.OneCPU {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux has taskset")
		}
		need(t, "taskset")
		argv = append([]string{"taskset", "-c", firstCPU()}, argv...)
	}
	return argv
}

// need skips the test if a program is missing.
func need(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
}

// firstCPU returns the number of a CPU available to this process.
func firstCPU() string {
	status, _ := os.ReadFile("/proc/self/status")
	_, list, _ := strings.Cut(string(status), "Cpus_allowed_list:")
	list = strings.TrimSpace(list)
	return list[:len(list)-len(strings.TrimLeft(list, "0123456789"))]
}

// Signal sends a signal to the process, not to its group.
func (p *Process) Signal(sig os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Error(err)
	}
}

// Pid returns the process ID.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Wait waits until the process ends or its time is over.
func (p *Process) Wait() Result {
	if p.result == nil {
		_ = p.cmd.Wait() // see State for the outcome
		p.result = &Result{
			Stdout: p.stdout.Bytes(), Stderr: p.stderr.Bytes(),
			Exit: p.cmd.ProcessState.ExitCode(), State: p.cmd.ProcessState,
			TimedOut: p.limit.Err() == context.DeadlineExceeded,
		}
		p.end()
	}
	return *p.result
}
